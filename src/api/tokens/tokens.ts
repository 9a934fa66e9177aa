import { hashKey, infiniteQueryOptions, queryOptions, type QueryKey } from '@tanstack/react-query'
import {
  getToken,
  getTokenDistribution,
  listTokenHistory,
  listTokenHolders,
  listTokens,
  listTokenTransfers,
  type Token,
  type TokenHolder,
  type TokenTransferRow,
} from '../../../contract/tokens/tokens.ts'
import type { currencyCodes } from '../../../contract/base/fields.ts'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { listPageSize } from '../evm/blocks.ts'
import { call } from '../session.ts'
import { walk } from '../walk.ts'

const exportPageSize = 100
const holdersPageSize = 100
const holdersExportSize = 500
const historyPageSize = 2160

/** The kinds of tokens: a list can be narrowed to one, and a contract may have moved tokens of several. */
export const tokenKinds = ['ERC-20', 'ERC-721', 'ERC-1155'] as const
export type TokenKind = (typeof tokenKinds)[number]

export type Currency = (typeof currencyCodes)[number]

/** Which tokens of a chain: of one kind, and with those that rules call spam; and the currency of prices. */
export type TokensFilter = { kind?: TokenKind | undefined; spam: boolean; currency: Currency }

/**
 * Another filter of the same list keeps the rows, and with them the focus in the filter, until its own have
 * come; the first `parts` of the key say which list it is.
 */
function keepOf<Data>(parts: number, list: readonly unknown[]) {
  return (before: Data | undefined, query: { queryKey: QueryKey } | undefined): Data | undefined =>
    query && hashKey(query.queryKey.slice(0, parts)) === hashKey(list) ? before : undefined
}

const tokensQueryOf = ({ kind, spam, currency }: TokensFilter) => ({
  ...(kind && { ercType: kind }),
  filterSpamTokens: !spam,
  currency,
})

/** The tokens of a chain, newest first, page by page. */
export const tokensQuery = (chainId: string, filter: TokensFilter) =>
  infiniteQueryOptions({
    queryKey: ['tokens', chainId, filter.kind ?? null, filter.spam, filter.currency],
    queryFn: ({ pageParam }) =>
      call(listTokens, {
        params: { chainId },
        query: {
          pageSize: listPageSize,
          ...tokensQueryOf(filter),
          ...(pageParam && { pageToken: pageParam }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    placeholderData: keepOf(2, ['tokens', chainId]),
    staleTime: 30_000,
  })

/** Every token of a chain, page by page, for exports. */
export const allTokens = (
  chainId: string,
  filter: TokensFilter,
  signal: AbortSignal,
): AsyncIterable<readonly Token[]> =>
  walk(
    listTokens,
    { params: { chainId }, query: { pageSize: exportPageSize, ...tokensQueryOf(filter) }, signal },
    (page) => page.tokens,
  )

export type TokenDetails = ResponseOf<typeof getToken>

/**
 * One token contract with its totals, of its main kind unless one is named; 404 for an address that never
 * moved a token.
 */
export const tokenQuery = (
  chainId: string,
  address: string,
  currency: Currency,
  ercType: TokenKind | undefined,
) =>
  queryOptions({
    queryKey: ['token', chainId, address.toLowerCase(), currency, ercType ?? null],
    queryFn: () =>
      call(getToken, { params: { chainId, address }, query: { currency, ...(ercType && { ercType }) } }),
    placeholderData: keepOf(3, ['token', chainId, address.toLowerCase()]),
    staleTime: 10_000,
  })

/** A token contract, and which kind of it where it is not its main one that is asked for. */
export type TokenOf = { address: string; ercType?: TokenKind | undefined }

/** The kind that is looked at, as queries name it: nothing where a contract has but one. */
export function kindOf({ address, ercType, ercTypes }: TokenDetails): TokenOf {
  const kind = tokenKinds.find((one) => one === ercType)
  return ercTypes.length > 1 && kind ? { address, ercType: kind } : { address }
}

/** The path and the query of a request about a contract, or about one kind of it. */
export const requestOf = (chainId: string, { address, ercType }: TokenOf) => ({
  params: { chainId, address },
  query: ercType === undefined ? {} : { ercType },
})
/** The parts of a query's key that say which chain, contract and kind. */
export const keyOf = (name: string, chainId: string, { address, ercType }: TokenOf) =>
  [name, chainId, address.toLowerCase(), ercType ?? null] as const

/** Which transfers of a token: of one NFT, in blocks from `startBlock` to before `endBlock`. */
export type TransfersFilter = {
  tokenId?: string | undefined
  startBlock?: number | undefined
  endBlock?: number | undefined
}

const transfersQueryOf = ({ tokenId, startBlock, endBlock }: TransfersFilter) => ({
  ...(tokenId !== undefined && { tokenId }),
  ...(startBlock !== undefined && { startBlock }),
  ...(endBlock !== undefined && { endBlock }),
})

/** The transfers of a token, latest first, page by page. */
export const tokenTransfersQuery = (chainId: string, of: TokenOf, filter: TransfersFilter = {}) => {
  const list = [...keyOf('token-transfers', chainId, of), filter.tokenId ?? null]
  return infiniteQueryOptions({
    queryKey: [...list, transfersQueryOf(filter)],
    queryFn: ({ pageParam }) => {
      const { params, query } = requestOf(chainId, of)
      return call(listTokenTransfers, {
        params,
        query: {
          ...query,
          pageSize: listPageSize,
          ...transfersQueryOf(filter),
          ...(pageParam && { pageToken: pageParam }),
        },
      })
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    placeholderData: keepOf(list.length, list),
    staleTime: 10_000,
  })
}

/** Every transfer of a token, latest first, page by page. */
export function allTokenTransfers(
  chainId: string,
  of: TokenOf,
  filter: TransfersFilter,
  signal: AbortSignal,
): AsyncIterable<readonly TokenTransferRow[]> {
  const { params, query } = requestOf(chainId, of)
  return walk(
    listTokenTransfers,
    { params, query: { ...query, pageSize: exportPageSize, ...transfersQueryOf(filter) }, signal },
    (page) => page.transactions,
  )
}

/** Who holds a token now, largest first, page by page. */
export const tokenHoldersQuery = (chainId: string, of: TokenOf) =>
  infiniteQueryOptions({
    queryKey: keyOf('token-holders', chainId, of),
    queryFn: ({ pageParam }) => {
      const { params, query } = requestOf(chainId, of)
      return call(listTokenHolders, {
        params,
        query: { ...query, pageSize: holdersPageSize, ...(pageParam && { pageToken: pageParam }) },
      })
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 10_000,
  })

/** Every holder of a token, largest first, page by page. */
export function allTokenHolders(
  chainId: string,
  of: TokenOf,
  signal: AbortSignal,
): AsyncIterable<readonly TokenHolder[]> {
  const { params, query } = requestOf(chainId, of)
  return walk(
    listTokenHolders,
    { params, query: { ...query, pageSize: holdersExportSize }, signal },
    (page) => page.holders,
  )
}

/** How the holdings of a token are spread. */
export const distributionQuery = (chainId: string, of: TokenOf) =>
  queryOptions({
    queryKey: keyOf('token-distribution', chainId, of),
    queryFn: () => call(getTokenDistribution, requestOf(chainId, of)),
    staleTime: 30_000,
  })

/** A token's totals at the end of a day in which it moved, in the smallest unit. */
export type TokenDay = { timestamp: number; supply: string; holderCount: string; transferCount: string }

/** A token's totals day by day, oldest first, from its first day to its last. */
export const tokenHistoryQuery = (chainId: string, of: TokenOf) =>
  queryOptions({
    queryKey: keyOf('token-history', chainId, of),
    queryFn: async ({ signal }): Promise<TokenDay[]> => {
      const days: TokenDay[] = []
      const { params, query } = requestOf(chainId, of)
      const pages = walk(
        listTokenHistory,
        { params, query: { ...query, pageSize: historyPageSize }, signal },
        (page) => page.points,
      )
      for await (const points of pages) days.push(...points)
      return days
    },
    staleTime: 60_000,
  })
