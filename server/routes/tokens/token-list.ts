import { getToken, listTokens } from '../../../contract/tokens/tokens.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import { DayRankings } from '../../store/tokens/day-rankings.ts'
import {
  firstPlace,
  readLastDay,
  readTokenList,
  type ListedToken,
  type NamePart,
  type TokenListing,
  type TokenPlace,
} from '../../store/tokens/read-token-list.ts'
import { readHoldersFrom } from '../../store/tokens/read-holder.ts'
import { readIdCount, readTimeOf, type TokenRow } from '../../store/tokens/read-token.ts'
import { reputationOf } from '../../tokens/facts/reputation.ts'
import { createContractBook } from '../evm/address-names.ts'
import { openList, type Cursor, type Stretch } from '../../http/keyset-list.ts'
import { bytesOf, type RouteContext } from '../../http/route-context.ts'
import { findToken, tokenFields, wantedType } from './token-fields.ts'

/** Number of tokens read before a page ends early, because other kinds and spam are skipped. */
const maxLookedAt = 5_000
/** Tokens per read. */
const readSize = { least: 100, max: 500 }

const placeOf = (row: ListedToken): TokenPlace => ({
  value: row.sorted_by,
  token: row.token,
  kind: row.kind,
})

/**
 * The value of the sort, address and kind of a page's last token; 1 in `last` among those that come last; and
 * the heights in which the list counts its transfers.
 */
const tokenCursor = {
  value: 'bigint',
  token: 'text',
  kind: 'number',
  last: 'number',
  from: 'bigint',
  until: 'bigint',
} as const
type TokenCursor = Cursor<typeof tokenCursor>

/** Whether tokens of a kind are of the wanted type; both kinds of NFTs are `NFT`. */
const isOfType = (kind: number, wanted: string | undefined): boolean =>
  wanted === undefined || wanted === `ERC-${kind}` || (wanted === 'NFT' && kind !== 20)

type Page = {
  readonly listing: TokenListing
  readonly readRows: (listing: TokenListing, past: TokenPlace, limit: number) => Promise<ListedToken[]>
  readonly isWanted: (row: ListedToken) => boolean
  /** Whether a token follows after all others. */
  readonly isLast: (row: ListedToken) => boolean
}

/** The requested tokens after a position; `next` is the position to continue from. */
async function readPage(
  { listing, readRows, isWanted, isLast }: Page,
  after: TokenCursor,
  pageSize: number,
): Promise<Stretch<ListedToken, TokenCursor>> {
  const shown: ListedToken[] = []
  let past = after
  for (let lookedAt = 0; lookedAt < maxLookedAt;) {
    const limit = lookedAt === 0 ? Math.max(readSize.least, pageSize + 1) : readSize.max
    const rows = await readRows(listing, past, limit)
    for (const row of rows) {
      if (isWanted(row) && isLast(row) === (past.last === 1)) {
        if (shown.length === pageSize) return { rows: shown, next: past }
        shown.push(row)
      }
      past = { ...past, ...placeOf(row) }
    }
    lookedAt += rows.length
    if (rows.length === limit) continue
    if (past.last === 1) return { rows: shown, next: undefined }
    past = { ...past, ...firstPlace, last: 1 }
  }
  return { rows: shown, next: past }
}

/** A part of a name, and the tokens to which the operator gave a name that contains it. */
const named = ({ contracts }: Config, chain: Chain, part: string): NamePart => ({
  part,
  named: contracts
    .filter(
      ({ chainId, name }) => String(chainId) === chain.id && name?.toLowerCase().includes(part.toLowerCase()),
    )
    .map(({ address }) => address),
})

/** The token contracts of a chain, and single contracts with their totals (contract/tokens/tokens.ts). */
export function tokenListRoutes(context: RouteContext): Implementation[] {
  const { chains, clock, config, headCache, prices, store } = context
  const book = createContractBook(config)
  const rankings = new DayRankings(() => performance.now())
  return [
    implement(listTokens, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const { name, sortBy: sort } = query
      const isMalicious = (row: TokenRow): boolean =>
        reputationOf(config, chain.id, row.token, row).tokenReputation === 'Malicious'
      const isWanted = (row: TokenRow): boolean =>
        isOfType(row.kind, query.ercType) && !(query.filterSpamTokens && isMalicious(row))
      // A list by time keeps its order, and one without them has none to put last: it has only the second part.
      const isLast = sort === 'firstBlock' || query.filterSpamTokens ? () => true : isMalicious

      const list = openList(context, listTokens, tokenCursor, { chainId: chain.id }, query)
      return list.answer([chain.id], async () => {
        const { database } = store.get()
        const last = isLast === isMalicious ? 0 : 1
        const day = list.after ?? (await readLastDay(database, chain.key, clock()))
        const listing = { sort, day, name: name === undefined ? undefined : named(config, chain, name) }
        const readRows: Page['readRows'] = (wanted, past, limit) =>
          wanted.sort === 'lastDayTransferCount' && wanted.name === undefined
            ? rankings.read(database, chain.key, wanted.day, past, limit)
            : readTokenList(database, chain.key, wanted, past, limit)
        const { rows, nextPageToken } = await list.walk(
          { ...firstPlace, last, from: day.from, until: day.until },
          (after, pageSize) => readPage({ listing, readRows, isWanted, isLast }, after, pageSize),
        )
        const { currency } = query
        const priceOf = await prices.on(clock(), currency)
        return toJson({
          nextPageToken,
          tokens: rows.map((row) => ({
            ...tokenFields(row, { config, book, chain, priceOf, currency }),
            lastDayTransferCount: row.day_transfers.toString(),
          })),
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
          const [lastTransferTimestamp, idCount, holdersFrom, priceOf] = await Promise.all([
            readTimeOf(database, chain.key, row.last_block),
            row.kind === 20 ? undefined : readIdCount(database, chain.key, row),
            readHoldersFrom(database, chain.key, bytesOf(address)),
            prices.on(clock(), currency),
          ])
          return toJson({
            ...tokenFields(row, { config, book, chain, priceOf, currency }),
            ercTypes: row.kinds.map(({ kind }) => `ERC-${kind}`),
            balanceSource: row.disagrees ? 'node' : 'logs',
            ...(row.unprovable && { isUnprovable: true }),
            holdersFrom,
            idCount: idCount?.toString(),
            lastTransferTimestamp,
          })
        },
      )
    }),
  ]
}
