import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { ChainStatus } from '../../../contract/evm/chains.ts'
import type { EvmBlock } from '../../../contract/evm/blocks.ts'
import { statusQuery } from '../../api/chains.ts'
import { useOffers, type ChainFacts } from '../../api/current.ts'
import { latestBlocksQuery } from '../../api/evm/blocks.ts'
import { useMovementsOfChains } from '../../api/evm/movements.ts'
import { latestTransactionsQuery } from '../../api/evm/transactions.ts'
import { queryClient } from '../../api/query-client.ts'
import { Link } from '../../components/link.tsx'
import { Section } from '../../components/section.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { ChainDot } from '../shared/chain-dot.tsx'
import { FeedActions, FeedList, useStill } from './feed-list.tsx'
import { foldFeed, type FeedRow } from './fold.ts'
import { BlockLine, TransactionLine } from './latest.tsx'

const shownRows = 8
/** Blocks of each chain that runs of empty ones are folded from. */
const loadedBlocks = 50
/** Without a status that announces heads, milliseconds between requests. */
const poll = 15_000

type Heads = Readonly<Record<string, string | undefined>>

const headsOf = (status: readonly ChainStatus[] | undefined): Heads =>
  Object.fromEntries((status ?? []).map(({ chainId, indexedBlock }) => [chainId, indexedBlock]))

/** How many blocks are between two states of the heads. */
function newBlocks(before: Heads, after: Heads): number {
  return Object.entries(after).reduce((sum, [chainId, head]) => {
    const known = before[chainId]
    return known === undefined || head === undefined
      ? sum
      : sum + Math.max(0, Number(BigInt(head) - BigInt(known)))
  }, 0)
}

/** The chain of a row: its dot, and its name where there is room. */
function ChainMark({ chain }: { chain: ChainFacts }) {
  return (
    <span
      className="flex w-20 shrink-0 items-center gap-2 text-xs text-muted max-md:w-auto"
      title={chain.name}
    >
      <ChainDot index={chain.index} />
      <span className="truncate max-md:sr-only">{chain.name}</span>
    </span>
  )
}

/** A run of empty blocks in one row. */
function RunLine({ run, chain }: { run: FeedRow<EvmBlock>; chain: ChainFacts }) {
  const { newest, oldest, count, open } = run
  return (
    <>
      <span className="flex min-w-0 flex-col">
        <Link to={paths.blocks(chain.chainId)} className="link w-fit truncate">
          {open ? `${formatInteger(count)} or more` : formatInteger(count)} empty blocks
        </Link>
        <span className="text-xs text-muted">
          <TimeAgo at={newest.blockTimestamp} />
        </span>
      </span>
      <span className="shrink-0 text-xs text-muted">
        {formatInteger(oldest.blockNumber)}–{formatInteger(newest.blockNumber)}
      </span>
    </>
  )
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

/** The newest blocks and transactions of all chains in one order, runs of empty blocks as one row. */
export function AllFeed({ chains }: { chains: readonly ChainFacts[] }) {
  const offered = useOffers('listChainStatus')
  const status = useQuery({ ...statusQuery(), enabled: offered }).data
  const heads = useMemo(() => headsOf(status), [status])
  const blocks = useQueries({
    queries: chains.map(({ chainId }) => ({
      ...latestBlocksQuery(chainId, loadedBlocks),
      refetchInterval: offered ? (false as const) : poll,
    })),
    combine: together,
  })
  const transactions = useQueries({
    queries: chains.map(({ chainId }) => ({
      ...latestTransactionsQuery(chainId, shownRows),
      refetchInterval: offered ? (false as const) : poll,
    })),
    combine: together,
  })
  const pages = useMemo(
    () => (transactions.rows ?? []).map((page, index) => ({ chainId: chains[index]?.chainId ?? '', page })),
    [transactions.rows, chains],
  )
  const moved = useMovementsOfChains(pages)
  const { still, paused, toggle, keep } = useStill()
  const [held, setHeld] = useState<Heads>(heads)
  if (!still && held !== heads) setHeld(heads)

  // Only the chains whose head moved are asked again.
  const [asked] = useState(() => new Map<string, string | undefined>())
  useEffect(() => {
    for (const [chainId, head] of Object.entries(held)) {
      if (asked.get(chainId) === head) continue
      asked.set(chainId, head)
      for (const key of ['latest-blocks', 'latest-transactions'])
        void queryClient.invalidateQueries({ queryKey: [key, chainId] }, { cancelRefetch: false })
    }
  }, [held, asked])

  const of = (chainId: string): ChainFacts | undefined => chains.find((one) => one.chainId === chainId)
  const runs =
    blocks.rows &&
    foldFeed(
      blocks.rows.map((rows, index) => ({ chainId: chains[index]?.chainId ?? '', blocks: rows })),
      shownRows,
    )
  const newest =
    transactions.rows &&
    moved
      .flatMap((rows, index) => rows.map((transaction) => ({ transaction, chain: chains[index] })))
      .sort((a, b) => b.transaction.blockTimestamp - a.transaction.blockTimestamp)
      .slice(0, shownRows)
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
      <Section
        title="Latest blocks"
        note="all chains"
        actions={
          <FeedActions
            waiting={still ? newBlocks(held, heads) : 0}
            onShow={() => setHeld(heads)}
            paused={paused}
            onToggle={toggle}
          />
        }
      >
        <FeedList
          shown={shownRows}
          label="Latest blocks"
          query={blocks}
          keep={keep}
          failed="The latest blocks could not be loaded."
          empty="No chain has an indexed block yet."
          rows={runs?.flatMap((run) => {
            const chain = of(run.chainId)
            if (chain === undefined) return []
            return [
              <div key={`${run.chainId} ${run.newest.blockNumber}`} className="contents">
                <ChainMark chain={chain} />
                <span className="flex min-w-0 flex-1 items-center justify-between gap-4">
                  {run.count > 1 ? (
                    <RunLine run={run} chain={chain} />
                  ) : (
                    <BlockLine block={run.newest} chain={chain} />
                  )}
                </span>
              </div>,
            ]
          })}
        />
      </Section>
      <Section title="Latest transactions" note="all chains">
        <FeedList
          shown={shownRows}
          label="Latest transactions"
          query={transactions}
          keep={keep}
          failed="The latest transactions could not be loaded."
          empty="No chain has an indexed transaction yet."
          rows={newest?.flatMap(({ transaction, chain }) =>
            chain === undefined
              ? []
              : [
                  <div key={transaction.txHash} className="contents">
                    <ChainMark chain={chain} />
                    <span className="flex min-w-0 flex-1 items-center justify-between gap-4">
                      <TransactionLine transaction={transaction} chain={chain} />
                    </span>
                  </div>,
                ],
          )}
        />
      </Section>
    </div>
  )
}
