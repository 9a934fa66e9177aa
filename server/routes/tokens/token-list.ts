import { getToken, listTokens } from '../../../contract/tokens/tokens.ts'
import type { Chain } from '../../kernel/chains.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import type { Queryable } from '../../store/database.ts'
import { lastBlock } from '../../store/read.ts'
import {
  readIdCount,
  readTimeOf,
  readTokens,
  type TokenPlace,
  type TokenRow,
} from '../../store/tokens/read-token.ts'
import { reputationOf } from '../../tokens/facts/reputation.ts'
import { createContractBook } from '../evm/address-names.ts'
import { openList, type Stretch } from '../../http/keyset-list.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { findToken, tokenFields, wantedType } from './token-fields.ts'

/** Number of tokens read before a page ends early, because other kinds and spam are skipped. */
const mostLookedAt = 5_000
/** Tokens per read. */
const readSize = { least: 100, most: 500 }

const newest: TokenPlace = { firstBlock: lastBlock, token: `0x${'ff'.repeat(21)}`, kind: 32_767 }
const placeOf = (row: TokenRow): TokenPlace => ({
  firstBlock: row.first_block,
  token: row.token,
  kind: row.kind,
})

const tokenCursor = { firstBlock: 'bigint', token: 'text', kind: 'number' } as const

/** The requested tokens after a position, newest first; `next` is the position to continue from. */
async function readPage(
  database: Queryable,
  chain: Chain,
  from: TokenPlace,
  pageSize: number,
  isWanted: (row: TokenRow) => boolean,
): Promise<Stretch<TokenRow, TokenPlace>> {
  const shown: TokenRow[] = []
  let past = from
  for (let lookedAt = 0; lookedAt < mostLookedAt;) {
    const limit = lookedAt === 0 ? Math.max(readSize.least, pageSize + 1) : readSize.most
    const rows = await readTokens(database, chain.key, past, limit)
    for (const row of rows) {
      if (isWanted(row)) {
        if (shown.length === pageSize) return { rows: shown, next: past }
        shown.push(row)
      }
      past = placeOf(row)
    }
    if (rows.length < limit) return { rows: shown, next: undefined }
    lookedAt += rows.length
  }
  return { rows: shown, next: past }
}

/** The token contracts of a chain, and single contracts with their totals (contract/tokens/tokens.ts). */
export function tokenListRoutes(context: RouteContext): Implementation[] {
  const { chains, clock, config, headCache, prices, store } = context
  const book = createContractBook(config)
  return [
    implement(listTokens, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const isWanted = (row: TokenRow): boolean =>
        (query.ercType === undefined || query.ercType === `ERC-${row.kind}`) &&
        !(
          query.filterSpamTokens &&
          reputationOf(config, chain.id, row.token, row).tokenReputation === 'Malicious'
        )

      const list = openList(context, listTokens, tokenCursor, { chainId: chain.id }, query)
      return list.answer([chain.id], async () => {
        const { rows, nextPageToken } = await list.walk(newest, (after, pageSize) =>
          readPage(store.get().database, chain, after, pageSize, isWanted),
        )
        const { currency } = query
        const priceOf = await prices.on(clock(), currency)
        return toJson({
          nextPageToken,
          tokens: rows.map((row) => tokenFields(row, { config, book, chain, priceOf, currency })),
        })
      })
    }),

    implement(getToken, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const { currency, ercType } = query
      return headCache.get(
        JSON.stringify([getToken.id, chain.id, address, ercType ?? null, currency]),
        [chain.id],
        async () => {
          const { database } = store.get()
          const row = await findToken(database, chain, address, wantedType(ercType))
          const [lastTransferTimestamp, idCount, priceOf] = await Promise.all([
            readTimeOf(database, chain.key, row.last_block),
            row.kind === 20 ? undefined : readIdCount(database, chain.key, row),
            prices.on(clock(), currency),
          ])
          return toJson({
            ...tokenFields(row, { config, book, chain, priceOf, currency }),
            ercTypes: row.kinds.map(({ kind }) => `ERC-${kind}`),
            balanceSource: row.disagrees ? 'node' : 'logs',
            idCount: idCount?.toString(),
            lastTransferTimestamp,
          })
        },
      )
    }),
  ]
}
