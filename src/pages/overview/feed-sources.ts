import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import type { EvmBlock } from '../../../contract/evm/blocks.ts'
import type { ChainStatus } from '../../../contract/evm/chains.ts'
import type { PrimaryBlock } from '../../../contract/primary/blocks.ts'
import type { PrimaryTransaction } from '../../../contract/primary/transactions.ts'
import { useOffers, type ChainFacts, type NetworkName } from '../../api/current.ts'
import type { MovedTransaction } from '../../api/evm/movements.ts'
import { latestQuery, type Latest } from '../../api/network/latest.ts'
import { usePrimaryStatus } from '../../api/network/overview.ts'
import { queryClient } from '../../api/query-client.ts'
import { moment } from '../../lib/connection.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { foldFeed, type FeedRow } from './fold.ts'

/** Blocks of each chain that runs of empty ones are folded from. */
const loadedBlocks = 50
/** Seconds between two requests for the rows while heads are announced, and where nothing announces them. */
const every = { announced: 5, polled: 15 } as const

/** The heads of chains by their ids, those of the primary network by their aliases. */
export type Heads = Readonly<Record<string, string | undefined>>

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

/** Asks for the rows again when a head has moved, and not more often than a reader can follow. */
export function useFollowHeads(heads: Heads): void {
  const asked = useRef({ heads: '', at: -Infinity })
  const now = JSON.stringify(heads)
  useEffect(() => {
    if (asked.current.heads === now) return undefined
    const wait = Math.max(0, asked.current.at + every.announced - moment())
    const later = setTimeout(() => {
      asked.current = { heads: now, at: moment() }
      void queryClient.invalidateQueries({ queryKey: ['latest'] }, { cancelRefetch: false })
    }, wait * 1_000)
    return () => clearTimeout(later)
  }, [now])
}

/** A run of blocks with its chain, or a transaction with its: one of an EVM chain or of the primary network. */
export type FeedBlocks =
  | { readonly kind: 'evm'; readonly chain: ChainFacts; readonly run: FeedRow<EvmBlock> }
  | { readonly kind: 'primary'; readonly chain: PrimaryChainAlias; readonly run: FeedRow<PrimaryBlock> }
export type FeedTransaction =
  | { readonly kind: 'evm'; readonly chain: ChainFacts; readonly tx: MovedTransaction }
  | { readonly kind: 'primary'; readonly chain: PrimaryChainAlias; readonly tx: PrimaryTransaction }

/** When a transaction of the primary network was accepted; the hosted X-Chain has another field for it. */
const timeOf = (tx: PrimaryTransaction): number => tx.blockTimestamp ?? tx.timestamp ?? 0

/** The latest rows of several chains in one order; rows of one second keep the order of the chains. */
const latest = <Row>(max: number, rows: { at: number; row: Row }[]): Row[] =>
  rows
    .sort((a, b) => b.at - a.at)
    .slice(0, max)
    .map(({ row }) => row)

const runsOf = <Block extends EvmBlock | PrimaryBlock>(
  chainId: string,
  blocks: readonly Block[],
  max: number,
) => foldFeed([{ chainId, blocks }], max).map((run) => ({ at: run.newest.blockTimestamp, run }))

function feedsOf({ chains, primary }: Latest, facts: readonly ChainFacts[], max: number) {
  const known = chains.flatMap((rows) => {
    const chain = facts.find(({ chainId }) => chainId === rows.chainId)
    return chain === undefined ? [] : [{ ...rows, chain }]
  })
  return {
    blocks: latest<FeedBlocks>(max, [
      ...known.flatMap(({ chain, blocks }) =>
        runsOf(chain.chainId, blocks, max).map(({ at, run }) => ({
          at,
          row: { kind: 'evm' as const, chain, run },
        })),
      ),
      ...primary.flatMap(({ chainName, blocks }) =>
        runsOf(chainName, blocks, max).map(({ at, run }) => ({
          at,
          row: { kind: 'primary' as const, chain: chainName, run },
        })),
      ),
    ]),
    transactions: latest<FeedTransaction>(max, [
      ...known.flatMap(({ chain, transactions }) =>
        transactions.map((tx) => ({ at: tx.blockTimestamp, row: { kind: 'evm' as const, chain, tx } })),
      ),
      ...primary.flatMap(({ chainName, transactions }) =>
        transactions.map((tx) => ({
          at: timeOf(tx),
          row: { kind: 'primary' as const, chain: chainName, tx },
        })),
      ),
    ]),
  }
}

/**
 * The newest blocks of all EVM chains and of the P- and X-Chain, with runs of empty ones as one row, and the newest
 * transactions of all of them with the atomic ones of the C-Chain; `max` rows each.
 */
export function useFeeds(network: NetworkName, chains: readonly ChainFacts[], max: number) {
  const announced = useOffers('listChainStatus')
  const chainIds = chains.map(({ chainId }) => chainId)
  const query = useQuery({
    ...latestQuery({ network, chainIds, blocks: loadedBlocks, transactions: max }),
    refetchInterval: announced ? false : every.polled * 1_000,
  })
  const feeds = useMemo(() => query.data && feedsOf(query.data, chains, max), [query.data, chains, max])
  return { query, feeds }
}
