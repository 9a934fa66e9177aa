import { queryOptions } from '@tanstack/react-query'
import {
  getNativeBalance,
  listCollectibleBalances,
  listErc20Balances,
  type Erc20TokenBalance,
  type NativeTokenBalance,
} from '../../../contract/tokens/balances.ts'
import type { Currency } from './balances-currency.ts'
import { listQuery } from '../list.ts'
import { readPages } from '../pages.ts'
import { call } from '../session.ts'

/** What an address holds after a block: `at` is its height, undefined for the head. */
export type BalancesAt = { at?: number | undefined; currency: Currency; withSpam: boolean }

/** All ERC-20 balances at one block. `native` is absent when the node does not keep that state. */
export type BalanceSheet = {
  native: NativeTokenBalance | undefined
  tokens: readonly Erc20TokenBalance[]
  /** The number of hidden spam tokens; undefined when none are hidden or the deployment does not report it. */
  spam: number | undefined
}

const largePageSize = 500

const blockOf = (at: number | undefined) => ({ blockNumber: at === undefined ? undefined : String(at) })

/** The current native balance of an address, with its value in a currency. */
export const nativeBalanceQuery = (chainId: string, address: string, currency: Currency) =>
  queryOptions({
    queryKey: ['native-balance', chainId, address.toLowerCase(), currency],
    queryFn: async () =>
      (await call(getNativeBalance, { params: { chainId, address }, query: { currency } }))
        .nativeTokenBalance,
    refetchInterval: 30_000,
  })

/**
 * All ERC-20 balances at one block. The pages are one snapshot (the page token contains the block), so all of them
 * are read; `onCount` is called with the number of tokens so far.
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
  const query = { pageSize: largePageSize, currency, filterSpamTokens: !withSpam, ...blockOf(at) }
  const pages = readPages((pageToken) =>
    call(listErc20Balances, { params: { chainId, address }, query: { ...query, pageToken }, signal }),
  )
  for await (const page of pages) {
    tokens.push(...page.erc20TokenBalances)
    native ??= page.nativeTokenBalance
    if (page.spamTokenCount !== undefined) spam = (spam ?? 0) + page.spamTokenCount
    onCount(tokens.length)
  }
  return { native, tokens, spam }
}

/** The query key of the balances at a block. */
export const balancesKey = (chainId: string, address: string, { at, currency, withSpam }: BalancesAt) =>
  ['balances', chainId, address.toLowerCase(), at ?? null, currency, withSpam] as const

/** The ERC-721 and ERC-1155 tokens of an address; of one collection if it is given. */
export const collectiblesQuery = (
  chainId: string,
  address: string,
  at: number | undefined,
  collection: string | undefined,
) =>
  listQuery({
    key: ['collectibles', chainId, address.toLowerCase(), at, collection],
    read: (paging, signal) =>
      call(listCollectibleBalances, {
        params: { chainId, address },
        query: { ...paging, ...blockOf(at), contractAddress: collection },
        signal,
      }),
    rowsOf: (page) => page.collectibleBalances,
    pageSize: 60,
    largePageSize,
    staleTime: 60_000,
  })
