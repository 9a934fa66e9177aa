import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { EvmBlock } from '../../../contract/evm/blocks.ts'
import type { ChainStatus } from '../../../contract/evm/chains.ts'
import type { PrimaryBlock } from '../../../contract/primary/blocks.ts'
import type { PrimaryTransaction } from '../../../contract/primary/transactions.ts'
import { useOffers, type ChainFacts, type NetworkName } from '../../api/current.ts'
import { latestBlocksQuery } from '../../api/evm/blocks.ts'
import { useMovementsOfChains, type MovedTransaction } from '../../api/evm/movements.ts'
import { latestTransactionsQuery } from '../../api/evm/transactions.ts'
import { usePrimaryStatus } from '../../api/network/overview.ts'
import { latestPrimaryBlocksQuery } from '../../api/primary/blocks.ts'
import { latestPrimaryTransactionsQuery } from '../../api/primary/transactions.ts'
import { queryClient } from '../../api/query-client.ts'
import { primaryChains, type ChainAlias } from '../../lib/primary-chains.ts'
import { foldFeed, type FeedRow } from './fold.ts'

/** Blocks of each chain that runs of empty ones are folded from. */
const loadedBlocks = 50
/** Without a status that announces heads, milliseconds between requests. */
const poll = 15_000

/** The heads of chains by their ids, those of the primary network by their aliases. */
export type Heads = Readonly<Record<string, string | undefined>>

/** The primary network's chains whose blocks are in the feed: those of the C-Chain are there as an EVM chain's. */
const blockChains = primaryChains.filter((chain) => chain !== 'c-chain')

/** How many blocks of the feed are between two states of the heads. */
export function newBlocks(before: Heads, after: Heads): number {
  return Object.entries(after).reduce((sum, [chain, head]) => {
    const known = before[chain]
    return known === undefined || head === undefined || chain === 'c-chain'
      ? sum
      : sum + Math.max(0, Number(BigInt(head) - BigInt(known)))
  }, 0)
}

/** The heads of all chains, as far as the deployment announces them. */
export function useHeads(network: NetworkName, status: readonly ChainStatus[] | undefined): Heads {
  const primary = usePrimaryStatus(network)
  return useMemo(
    () =>
      Object.fromEntries([
        ...(status ?? []).map(({ chainId, indexedBlock }) => [chainId, indexedBlock] as const),
        ...(primary ?? []).map(({ chainName, indexedHeight }) => [chainName, indexedHeight] as const),
      ]),
    [status, primary],
  )
}

/** Requests the lists of the chains whose head moved, and only those. */
export function useFollowHeads(network: NetworkName, heads: Heads): void {
  const [asked] = useState(() => new Map<string, string | undefined>())
  useEffect(() => {
    for (const [chain, head] of Object.entries(heads)) {
      if (asked.get(chain) === head) continue
      asked.set(chain, head)
      const keys = primaryChains.some((alias) => alias === chain)
        ? [
            ['latest-primary-blocks', network, chain],
            ['latest-primary-transactions', network, chain],
          ]
        : [
            ['latest-blocks', chain],
            ['latest-transactions', chain],
          ]
      for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
    }
  }, [network, heads, asked])
}

type State<Row> = {
  readonly rows: readonly (readonly Row[])[] | undefined
  readonly isPending: boolean
  readonly error: Error | null
  readonly refetch: () => void
}

type Result<Row> = {
  data: Row[] | undefined
  isPending: boolean
  error: Error | null
  refetch: () => unknown
}

/** The lists of several chains as one: it has failed when no chain's list could be loaded. */
function together<Row>(results: Result<Row>[]): State<Row> {
  const isPending = results.some((result) => result.isPending)
  const some = results.some(({ data }) => data !== undefined)
  return {
    rows: isPending || !some ? undefined : results.map(({ data }) => data ?? []),
    isPending,
    error: results.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => {
      for (const result of results) void result.refetch()
    },
  }
}

/** What is in a feed, latest first, or why it is not there. */
type Feed<Row> = Omit<State<unknown>, 'rows'> & { readonly rows: readonly Row[] | undefined }

/** The feeds of EVM chains and of the primary network as one: it waits for both, and has failed when one of them has. */
function merged<A, B, Row>(
  evm: State<A>,
  primary: State<B>,
  rowsOf: (evm: readonly (readonly A[])[], primary: readonly (readonly B[])[]) => readonly Row[],
): Feed<Row> {
  const isPending = evm.isPending || primary.isPending
  const hasFailed = [evm, primary].some(({ rows, error }) => rows === undefined && error !== null)
  return {
    isPending,
    error: evm.error ?? primary.error,
    refetch: () => {
      evm.refetch()
      primary.refetch()
    },
    rows: isPending || hasFailed ? undefined : rowsOf(evm.rows ?? [], primary.rows ?? []),
  }
}

/** A run of blocks with its chain, or a transaction with its: one of an EVM chain or of the primary network. */
export type FeedBlocks =
  | { readonly kind: 'evm'; readonly chain: ChainFacts; readonly run: FeedRow<EvmBlock> }
  | { readonly kind: 'primary'; readonly chain: ChainAlias; readonly run: FeedRow<PrimaryBlock> }
export type FeedTransaction =
  | { readonly kind: 'evm'; readonly chain: ChainFacts; readonly tx: MovedTransaction }
  | { readonly kind: 'primary'; readonly chain: ChainAlias; readonly tx: PrimaryTransaction }

/** When a transaction of the primary network was accepted; the hosted X-Chain has another field for it. */
const timeOf = (tx: PrimaryTransaction): number => tx.blockTimestamp ?? tx.timestamp ?? 0

/** The latest rows of several chains in one order; rows of one second keep the order of the chains. */
const latest = <Row>(most: number, rows: { at: number; row: Row }[]): Row[] =>
  rows
    .sort((a, b) => b.at - a.at)
    .slice(0, most)
    .map(({ row }) => row)

/**
 * The newest blocks of all EVM chains and of the P- and X-Chain, with runs of empty ones as one row, and the newest
 * transactions of all of them with the atomic ones of the C-Chain; `most` rows each.
 */
export function useFeeds(
  network: NetworkName,
  chains: readonly ChainFacts[],
  most: number,
): { readonly blocks: Feed<FeedBlocks>; readonly transactions: Feed<FeedTransaction> } {
  const announced = useOffers('listChainStatus')
  const refetchInterval = announced ? (false as const) : poll
  const hasBlocks = useOffers('listPrimaryBlocks', network)
  const hasTransactions = useOffers('listPrimaryTransactions', network)
  const evmBlocks = useQueries({
    queries: chains.map(({ chainId }) => ({
      ...latestBlocksQuery(chainId, loadedBlocks),
      refetchInterval,
    })),
    combine: together,
  })
  const evmTransactions = useQueries({
    queries: chains.map(({ chainId }) => ({ ...latestTransactionsQuery(chainId, most), refetchInterval })),
    combine: together,
  })
  const primaryBlocks = useQueries({
    queries: (hasBlocks ? blockChains : []).map((chain) => ({
      ...latestPrimaryBlocksQuery(network, chain, loadedBlocks),
      refetchInterval,
    })),
    combine: together,
  })
  const primaryTransactions = useQueries({
    queries: (hasTransactions ? primaryChains : []).map((chain) => ({
      ...latestPrimaryTransactionsQuery(network, chain, most),
      refetchInterval,
    })),
    combine: together,
  })
  const pages = useMemo(
    () =>
      (evmTransactions.rows ?? []).map((page, index) => ({ chainId: chains[index]?.chainId ?? '', page })),
    [evmTransactions.rows, chains],
  )
  const moved = useMovementsOfChains(pages)

  const blocks = merged(evmBlocks, primaryBlocks, (evm, primary) =>
    latest<FeedBlocks>(most, [
      ...evm.flatMap((rows, index) => {
        const chain = chains[index]
        if (chain === undefined) return []
        return foldFeed([{ chainId: chain.chainId, blocks: rows }], most).map((run) => ({
          at: run.newest.blockTimestamp,
          row: { kind: 'evm' as const, chain, run },
        }))
      }),
      ...primary.flatMap((rows, index) => {
        const chain = blockChains[index]
        if (chain === undefined) return []
        return foldFeed([{ chainId: chain, blocks: rows }], most).map((run) => ({
          at: run.newest.blockTimestamp,
          row: { kind: 'primary' as const, chain, run },
        }))
      }),
    ]),
  )
  const transactions = merged(evmTransactions, primaryTransactions, (_, primary) =>
    latest<FeedTransaction>(most, [
      ...moved.flatMap((rows, index) => {
        const chain = chains[index]
        if (chain === undefined) return []
        return rows.map((tx) => ({ at: tx.blockTimestamp, row: { kind: 'evm' as const, chain, tx } }))
      }),
      ...primary.flatMap((rows, index) => {
        const chain = primaryChains[index]
        if (chain === undefined) return []
        return rows.map((tx) => ({ at: timeOf(tx), row: { kind: 'primary' as const, chain, tx } }))
      }),
    ]),
  )
  return { blocks, transactions }
}
