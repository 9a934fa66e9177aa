import { getToken, listTokens } from '../../../contract/tokens/tokens.ts'
import type { Chain } from '../../kernel/chains.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
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
import { filtersOf, type RouteContext } from '../../http/route-context.ts'
import { findToken, tokenFields, wantedType } from './token-fields.ts'

/** Tokens that a page looks at before it ends short: those of another kind and spam are passed over. */
const mostLookedAt = 5_000
/** Tokens of one read. */
const readSize = { least: 100, most: 500 }

const newest: TokenPlace = { firstBlock: lastBlock, token: `0x${'ff'.repeat(21)}`, kind: 32_767 }
const placeOf = (row: TokenRow): TokenPlace => ({
  firstBlock: row.first_block,
  token: row.token,
  kind: row.kind,
})

type Page = { readonly shown: readonly TokenRow[]; readonly next: TokenPlace | undefined }

/** The wanted tokens past a place, newest first; `next` is the place to go on from. */
async function readPage(
  database: Queryable,
  chain: Chain,
  from: TokenPlace,
  pageSize: number,
  isWanted: (row: TokenRow) => boolean,
): Promise<Page> {
  const shown: TokenRow[] = []
  let past = from
  for (let lookedAt = 0; lookedAt < mostLookedAt;) {
    const limit = lookedAt === 0 ? Math.max(readSize.least, pageSize + 1) : readSize.most
    const rows = await readTokens(database, chain.key, past, limit)
    for (const row of rows) {
      if (isWanted(row)) {
        if (shown.length === pageSize) return { shown, next: past }
        shown.push(row)
      }
      past = placeOf(row)
    }
    if (rows.length < limit) return { shown, next: undefined }
    lookedAt += rows.length
  }
  return { shown, next: past }
}

/** The token contracts of a chain, and one of them with its totals (contract/tokens/tokens.ts). */
export function tokenListRoutes({
  chains,
  clock,
  config,
  hotPages,
  prices,
  store,
}: RouteContext): Implementation[] {
  const book = createContractBook(config)
  return [
    implement(listTokens, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const scope = { operation: listTokens.id, filters: filtersOf({ chainId: chain.id }, query) }
      const isWanted = (row: TokenRow): boolean =>
        (query.ercType === undefined || query.ercType === `ERC-${row.kind}`) &&
        !(
          query.filterSpamTokens &&
          reputationOf(config, chain.id, row.token, row).tokenReputation === 'Malicious'
        )

      const page = async (): Promise<string> => {
        const { database, tokens } = store.get()
        let past = newest
        if (query.pageToken !== undefined) {
          const [firstBlock = 0, token, kind] = tokens.openData(scope, query.pageToken)
          past = { firstBlock: BigInt(firstBlock), token: String(token), kind: Number(kind) }
        }
        const { shown, next } = await readPage(database, chain, past, query.pageSize, isWanted)
        const { currency } = query
        const priceOf = await prices.on(clock(), currency)
        return toJson({
          nextPageToken: next && tokens.sealData(scope, [next.firstBlock.toString(), next.token, next.kind]),
          tokens: shown.map((row) => tokenFields(row, { config, book, chain, priceOf, currency })),
        })
      }
      if (query.pageToken !== undefined) return page().then((text) => new JsonText(text))
      return hotPages.get(JSON.stringify([scope, query.pageSize]), [chain.id], page)
    }),

    implement(getToken, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const { currency, ercType } = query
      return hotPages.get(
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
