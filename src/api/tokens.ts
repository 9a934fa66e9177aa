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
} from '../../contract/evm-tokens.ts'
import type { currencyCodes } from '../../contract/fields.ts'
import type { ResponseOf } from '../../contract/operation.ts'
import { listPageSize } from './blocks.ts'
import { call } from './session.ts'
import { walk } from './tokens-walk.ts'

const exportPageSize = 100
const holdersPageSize = 100
const holdersExportSize = 500
const historyPageSize = 2160

/** The kinds that a list of tokens can be narrowed to. */
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

/** One token contract with its totals; 404 for an address that never moved a token. */
export const tokenQuery = (chainId: string, address: string, currency: Currency) =>
  queryOptions({
    queryKey: ['token', chainId, address.toLowerCase(), currency],
    queryFn: () => call(getToken, { params: { chainId, address }, query: { currency } }),
    placeholderData: keepOf(3, ['token', chainId, address.toLowerCase()]),
    staleTime: 10_000,
  })

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
export const tokenTransfersQuery = (chainId: string, address: string, filter: TransfersFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [
      'token-transfers',
      chainId,
      address.toLowerCase(),
      filter.tokenId ?? null,
      transfersQueryOf(filter),
    ],
    queryFn: ({ pageParam }) =>
      call(listTokenTransfers, {
        params: { chainId, address },
        query: {
          pageSize: listPageSize,
          ...transfersQueryOf(filter),
          ...(pageParam && { pageToken: pageParam }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    placeholderData: keepOf(4, ['token-transfers', chainId, address.toLowerCase(), filter.tokenId ?? null]),
    staleTime: 10_000,
  })

/** Every transfer of a token, latest first, page by page. */
export const allTokenTransfers = (
  chainId: string,
  address: string,
  filter: TransfersFilter,
  signal: AbortSignal,
): AsyncIterable<readonly TokenTransferRow[]> =>
  walk(
    listTokenTransfers,
    {
      params: { chainId, address },
      query: { pageSize: exportPageSize, ...transfersQueryOf(filter) },
      signal,
    },
    (page) => page.transactions,
  )

/** Who holds a token now, largest first, page by page. */
export const tokenHoldersQuery = (chainId: string, address: string) =>
  infiniteQueryOptions({
    queryKey: ['token-holders', chainId, address.toLowerCase()],
    queryFn: ({ pageParam }) =>
      call(listTokenHolders, {
        params: { chainId, address },
        query: { pageSize: holdersPageSize, ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 10_000,
  })

/** Every holder of a token, largest first, page by page. */
export const allTokenHolders = (
  chainId: string,
  address: string,
  signal: AbortSignal,
): AsyncIterable<readonly TokenHolder[]> =>
  walk(
    listTokenHolders,
    { params: { chainId, address }, query: { pageSize: holdersExportSize }, signal },
    (page) => page.holders,
  )

/** How the holdings of a token are spread. */
export const distributionQuery = (chainId: string, address: string) =>
  queryOptions({
    queryKey: ['token-distribution', chainId, address.toLowerCase()],
    queryFn: () => call(getTokenDistribution, { params: { chainId, address } }),
    staleTime: 30_000,
  })

/** A token's totals at the end of a day in which it moved, in the smallest unit. */
export type TokenDay = { timestamp: number; supply: string; holderCount: string; transferCount: string }

/** A token's totals day by day, oldest first, from its first day to its last. */
export const tokenHistoryQuery = (chainId: string, address: string) =>
  queryOptions({
    queryKey: ['token-history', chainId, address.toLowerCase()],
    queryFn: async ({ signal }): Promise<TokenDay[]> => {
      const days: TokenDay[] = []
      const query = { pageSize: historyPageSize }
      const pages = walk(
        listTokenHistory,
        { params: { chainId, address }, query, signal },
        (page) => page.points,
      )
      for await (const points of pages) days.push(...points)
      return days
    },
    staleTime: 60_000,
  })
