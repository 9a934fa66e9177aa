import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type FocusEvent, type ReactNode } from 'react'
import type { EvmBlock } from '../../../contract/evm/blocks.ts'
import type { EvmTransaction } from '../../../contract/evm/transactions.ts'
import { latestBlocksQuery } from '../../api/evm/blocks.ts'
import type { ChainFacts } from '../../api/current.ts'
import { useFollowed } from '../../api/current.ts'
import { queryClient } from '../../api/query-client.ts'
import { latestTransactionsQuery } from '../../api/evm/transactions.ts'
import { Address } from '../../components/address.tsx'
import { Amount } from '../../components/amount.tsx'
import { Hash } from '../../components/hash.tsx'
import { PauseIcon, PlayIcon } from '../../components/icons.ts'
import { Link } from '../../components/link.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { TxStatus } from '../../components/tx-status.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { Failed } from '../shared/failed.tsx'
import { MethodLabel } from './method-label.tsx'

const shownRows = 8
const rowHeight = 52

function BlockLine({ block, chain }: { block: EvmBlock; chain: ChainFacts }) {
  return (
    <>
      <span className="flex min-w-0 flex-col">
        <Link to={paths.block(chain.chainId, block.blockNumber)} className="link w-fit font-strong">
          {formatInteger(block.blockNumber)}
        </Link>
        <span className="text-xs text-muted">
          <TimeAgo at={block.blockTimestamp} />
        </span>
      </span>
      <span className="flex min-w-0 flex-col items-end">
        <span>
          {formatInteger(block.txCount)}{' '}
          <span className="text-muted">{plural(block.txCount, 'transaction')}</span>
        </span>
        <span className="text-xs text-muted">{formatInteger(block.gasUsed)} gas</span>
      </span>
    </>
  )
}

function TransactionLine({ transaction, chain }: { transaction: EvmTransaction; chain: ChainFacts }) {
  return (
    <>
      <span className="flex min-w-0 flex-col">
        <span className="flex min-w-0 items-center gap-1.5">
          <TxStatus status={transaction.txStatus} compact />
          <Hash
            value={transaction.txHash}
            name="transaction hash"
            to={paths.transaction(chain.chainId, transaction.txHash)}
          />
          <span className="min-w-0 max-xl:hidden">
            <MethodLabel transaction={transaction} />
          </span>
        </span>
        <span className="text-xs text-muted">
          <TimeAgo at={transaction.blockTimestamp} />
        </span>
      </span>
      <span className="flex min-w-0 flex-col items-end">
        <Amount value={transaction.value} decimals={chain.decimals} symbol={chain.symbol} most={4} />
        <span className="flex items-center gap-1 text-xs text-muted">
          from{' '}
          <Address address={transaction.from.address} name={transaction.from.name} chainId={chain.chainId} />
        </span>
      </span>
    </>
  )
}

type Held = { head: string | undefined }

/**
 * The newest blocks and transactions of a chain. They follow the head; while paused, hovered or focused, they stay
 * still and count the new blocks.
 */
export function LatestFeed({ chain, beside }: { chain: ChainFacts; beside?: ReactNode }) {
  const { chainId } = chain
  const head = useFollowed(chainId)?.indexedBlock
  const blocks = useQuery(latestBlocksQuery(chainId, shownRows))
  const transactions = useQuery(latestTransactionsQuery(chainId, shownRows))
  const [paused, setPaused] = useState(false)
  const [touched, setTouched] = useState(false)
  const [held, setHeld] = useState<Held>({ head })
  const still = paused || touched
  if (!still && held.head !== head) setHeld({ head })

  useEffect(() => {
    if (held.head === undefined) return
    void queryClient.invalidateQueries({ queryKey: ['latest-blocks', chainId] }, { cancelRefetch: false })
    void queryClient.invalidateQueries(
      { queryKey: ['latest-transactions', chainId] },
      { cancelRefetch: false },
    )
  }, [held.head, chainId])

  const waiting =
    still && head !== undefined && held.head !== undefined
      ? Math.max(0, Number(BigInt(head) - BigInt(held.head)))
      : 0
  const actions = (
    <>
      {waiting > 0 && (
        <button
          type="button"
          onClick={() => setHeld({ head })}
          className="h-7 rounded-full bg-accent px-3 text-xs font-strong text-on-accent"
        >
          {formatInteger(waiting)} new
        </button>
      )}
      <button
        type="button"
        className="control control-small"
        aria-pressed={paused}
        onClick={() => setPaused((now) => !now)}
        title={paused ? 'Follow the head again' : 'Hold the feed still'}
      >
        {paused ? <PlayIcon size={14} /> : <PauseIcon size={14} />}
        {paused ? 'Paused' : 'Pause'}
      </button>
    </>
  )
  const keep = {
    onPointerEnter: () => setTouched(true),
    onPointerLeave: () => setTouched(false),
    onFocus: () => setTouched(true),
    // Moving the focus from row to row does not leave the list.
    onBlur: (event: FocusEvent<HTMLElement>) => setTouched(event.currentTarget.contains(event.relatedTarget)),
  }
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
      <Section title="Latest blocks" note={beside} actions={actions}>
        <FeedList
          label="Latest blocks"
          query={blocks}
          keep={keep}
          failed="The latest blocks could not be loaded."
          empty="This chain has no indexed block yet."
          rows={blocks.data?.map((block) => (
            <BlockLine key={block.blockHash} block={block} chain={chain} />
          ))}
        />
        <Link to={paths.blocks(chainId)} className="link flex h-10 w-fit items-center">
          All blocks
        </Link>
      </Section>
      <Section title="Latest transactions">
        <FeedList
          label="Latest transactions"
          query={transactions}
          keep={keep}
          failed="The latest transactions could not be loaded."
          empty="This chain has no indexed transaction yet."
          rows={transactions.data?.map((transaction) => (
            <TransactionLine key={transaction.txHash} transaction={transaction} chain={chain} />
          ))}
        />
        <Link to={paths.transactions(chainId)} className="link flex h-10 w-fit items-center">
          All transactions
        </Link>
      </Section>
    </div>
  )
}

type FeedProps = {
  label: string
  query: { isPending: boolean; error: unknown; refetch: () => unknown }
  keep: Record<'onPointerEnter' | 'onPointerLeave' | 'onFocus', () => void> & {
    onBlur: (event: FocusEvent<HTMLElement>) => void
  }
  failed: string
  empty: string
  rows: ReactNode[] | undefined
}

function FeedList({ label, query, keep, failed, empty, rows }: FeedProps) {
  // Eight rows before, while and after they load, so that nothing below them shifts.
  return (
    <div style={{ minHeight: shownRows * rowHeight + 1 }} className="border-t border-line">
      {rows === undefined ? (
        query.isPending ? (
          <SkeletonRows count={shownRows} height={rowHeight} />
        ) : (
          <Failed title={failed} error={query.error} onRetry={() => void query.refetch()} />
        )
      ) : rows.length === 0 ? (
        <EmptyState title={empty}>It appears here as soon as the node has sent it.</EmptyState>
      ) : (
        <ul aria-label={label} {...keep}>
          {rows.map((line, place) => (
            // Each position keeps its element while the blocks move through it, so that nothing shifts.
            <li
              key={place}
              style={{ height: rowHeight }}
              className="flex items-center justify-between gap-4 overflow-hidden border-b border-line"
            >
              {line}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
