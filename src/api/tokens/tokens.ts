import { queryOptions } from '@tanstack/react-query'
import {
  getToken,
  getTokenDistribution,
  listTokenHistory,
  listTokenHolders,
  listTokens,
  listTokenTransfers,
  type tokenSortKeys,
} from '../../../contract/tokens/tokens.ts'
import type { currencyCodes } from '../../../contract/base/currency.ts'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { keepWithin, listQuery, wholeListQuery } from '../list.ts'
import { call } from '../session.ts'

/** The kinds of tokens: a list can be filtered by one, and a contract may have tokens of several. */
export const tokenKinds = ['ERC-20', 'ERC-721', 'ERC-1155'] as const
type TokenKind = (typeof tokenKinds)[number]

export type Currency = (typeof currencyCodes)[number]

/** What a chain's tokens are sorted by. */
type TokenSort = (typeof tokenSortKeys)[number]

/**
 * Filters of a chain's tokens: one kind or both of NFTs, a part of the name or symbol, with or without suspected spam; their order,
 * and the currency of prices.
 */
export type TokensFilter = {
  kind?: TokenKind | 'NFT' | undefined
  name?: string | undefined
  sort: TokenSort
  spam: boolean
  currency: Currency
}

/** The tokens of a chain, the newest or largest first. */
export const tokensQuery = (chainId: string, { kind, name, sort, spam, currency }: TokensFilter) => {
  const key = ['tokens', chainId, kind, name, sort, spam, currency]
  return listQuery({
    key,
    read: (paging, signal) =>
      call(listTokens, {
        params: { chainId },
        query: { ...paging, ercType: kind, name, sortBy: sort, filterSpamTokens: !spam, currency },
        signal,
      }),
    rowsOf: (page) => page.tokens,
    placeholderData: keepWithin(2, key),
    staleTime: 30_000,
  })
}

export type TokenDetails = ResponseOf<typeof getToken>

/**
 * A token contract with its totals, of its main kind by default; 404 for an address that never transferred a token.
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
    placeholderData: keepWithin(3, ['token', chainId, address.toLowerCase()]),
    staleTime: 10_000,
  })

/** A token contract, and its kind if it is not the main one. */
export type TokenOf = { address: string; ercType?: TokenKind | undefined }

/** The selected kind for queries: absent when a contract has only one. */
export function kindOf({ address, ercType, ercTypes }: TokenDetails): TokenOf {
  const kind = tokenKinds.find((one) => one === ercType)
  return ercTypes.length > 1 && kind ? { address, ercType: kind } : { address }
}

/** The path and query parameters for a contract or one kind of it. */
export const requestOf = (chainId: string, { address, ercType }: TokenOf) => ({
  params: { chainId, address },
  query: ercType === undefined ? {} : { ercType },
})
/** The parts of a query key for chain, contract and kind. */
export const keyOf = (name: string, chainId: string, { address, ercType }: TokenOf) =>
  [name, chainId, address.toLowerCase(), ercType ?? null] as const

/** Filters of a token's transfers: one NFT, blocks from `startBlock` to before `endBlock`. */
type TransfersFilter = {
  tokenId?: string | undefined
  startBlock?: number | undefined
  endBlock?: number | undefined
}

/** The transfers of a token, latest first. */
export const tokenTransfersQuery = (chainId: string, of: TokenOf, filter: TransfersFilter = {}) => {
  const { tokenId, startBlock, endBlock } = filter
  const list = [...keyOf('token-transfers', chainId, of), tokenId]
  const { params, query } = requestOf(chainId, of)
  return listQuery({
    key: [...list, { startBlock, endBlock }],
    read: (paging, signal) =>
      call(listTokenTransfers, { params, query: { ...query, ...paging, ...filter }, signal }),
    rowsOf: (page) => page.transactions,
    placeholderData: keepWithin(list.length, list),
    staleTime: 10_000,
  })
}

/** The current holders of a token, largest first. */
export const tokenHoldersQuery = (chainId: string, of: TokenOf) => {
  const { params, query } = requestOf(chainId, of)
  return listQuery({
    key: keyOf('token-holders', chainId, of),
    read: (paging, signal) => call(listTokenHolders, { params, query: { ...query, ...paging }, signal }),
    rowsOf: (page) => page.holders,
    pageSize: 100,
    largePageSize: 500,
    staleTime: 10_000,
  })
}

/** The distribution of a token's holdings. */
export const distributionQuery = (chainId: string, of: TokenOf) =>
  queryOptions({
    queryKey: keyOf('token-distribution', chainId, of),
    queryFn: () => call(getTokenDistribution, requestOf(chainId, of)),
    staleTime: 30_000,
  })

/** A token's totals by day, from its first day to its last. */
export const tokenHistoryQuery = (chainId: string, of: TokenOf) => {
  const { params, query } = requestOf(chainId, of)
  return wholeListQuery({
    key: keyOf('token-history', chainId, of),
    read: (paging, signal) => call(listTokenHistory, { params, query: { ...query, ...paging }, signal }),
    rowsOf: (page) => page.points,
    largePageSize: 2160,
    staleTime: 60_000,
  })
}
