import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  getNativeBalance,
  listCollectibleBalances,
  listErc20Balances,
  type Erc20TokenBalance,
  type NativeTokenBalance,
} from '../../../contract/tokens/balances.ts'
import type { Currency } from './balances-currency.ts'
import { call } from '../session.ts'
import { walk } from '../walk.ts'

/** What an address holds after a block: `at` is its height, undefined for the head. */
export type BalancesAt = { at?: number | undefined; currency: Currency; withSpam: boolean }

/** All ERC-20 balances of one moment. `native` is absent when the node keeps no state of it. */
export type BalanceSheet = {
  native: NativeTokenBalance | undefined
  tokens: readonly Erc20TokenBalance[]
  /** How many spam tokens were left out; undefined when none are, or when the deployment does not say. */
  spam: number | undefined
}

const pageSize = 500
const gridPageSize = 60

const blockOf = (at: number | undefined) => (at === undefined ? {} : { blockNumber: String(at) })

/** The native balance of an address now, with what it is worth in a currency. */
export const nativeBalanceQuery = (chainId: string, address: string, currency: Currency) =>
  queryOptions({
    queryKey: ['native-balance', chainId, address.toLowerCase(), currency],
    queryFn: async () =>
      (await call(getNativeBalance, { params: { chainId, address }, query: { currency } }))
        .nativeTokenBalance,
    refetchInterval: 30_000,
  })

/**
 * Every ERC-20 balance of one moment. The pages are one snapshot (their token holds the block), so they are
 * walked to the end; `onCount` hears how many tokens there are so far.
 */
export async function fetchBalances(
  chainId: string,
  address: string,
  { at, currency, withSpam }: BalancesAt,
  signal: AbortSignal,
  onCount: (count: number) => void,
): Promise<BalanceSheet> {
  const tokens: Erc20TokenBalance[] = []
  let native: NativeTokenBalance | undefined
  let spam: number | undefined
  let pageToken: string | undefined
  do {
    const page = await call(listErc20Balances, {
      params: { chainId, address },
      query: {
        pageSize,
        currency,
        filterSpamTokens: !withSpam,
        ...blockOf(at),
        ...(pageToken && { pageToken }),
      },
      signal,
    })
    tokens.push(...page.erc20TokenBalances)
    native ??= page.nativeTokenBalance
    if (page.spamTokenCount !== undefined) spam = (spam ?? 0) + page.spamTokenCount
    pageToken = page.nextPageToken
    onCount(tokens.length)
  } while (pageToken !== undefined)
  return { native, tokens, spam }
}

/** The key under which a moment's balances are kept. */
export const balancesKey = (chainId: string, address: string, { at, currency, withSpam }: BalancesAt) =>
  ['balances', chainId, address.toLowerCase(), at ?? null, currency, withSpam] as const

const collectiblesRequest = (at: number | undefined, collection: string | undefined, size: number) => ({
  pageSize: size,
  ...blockOf(at),
  ...(collection !== undefined && { contractAddress: collection }),
})

/** The ERC-721 and ERC-1155 tokens of an address, page by page; of one collection where it is named. */
export const collectiblesQuery = (
  chainId: string,
  address: string,
  at: number | undefined,
  collection: string | undefined,
) =>
  infiniteQueryOptions({
    queryKey: ['collectibles', chainId, address.toLowerCase(), at ?? null, collection ?? null],
    queryFn: ({ pageParam }) =>
      call(listCollectibleBalances, {
        params: { chainId, address },
        query: {
          ...collectiblesRequest(at, collection, gridPageSize),
          ...(pageParam && { pageToken: pageParam }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 60_000,
  })

/** Every ERC-721 and ERC-1155 token of an address, page by page, for exports. */
export const allCollectibles = (
  chainId: string,
  address: string,
  at: number | undefined,
  collection: string | undefined,
  signal: AbortSignal,
) =>
  walk(
    listCollectibleBalances,
    { params: { chainId, address }, query: collectiblesRequest(at, collection, pageSize), signal },
    (page) => page.collectibleBalances,
  )
