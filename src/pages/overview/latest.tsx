import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { EvmBlock } from '../../../contract/evm/blocks.ts'
import { latestBlocksQuery } from '../../api/evm/blocks.ts'
import { useFollowed, useOffers, type ChainFacts } from '../../api/current.ts'
import { queryClient } from '../../api/query-client.ts'
import { useMovements, type MovedTransaction } from '../../api/evm/movements.ts'
import { latestTransactionsQuery } from '../../api/evm/transactions.ts'
import { Address } from '../../components/address.tsx'
import { Hash } from '../../components/hash.tsx'
import { Link } from '../../components/link.tsx'
import { Section } from '../../components/section.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { TxStatus } from '../../components/tx-status.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { MethodLabel } from '../evm/method-label.tsx'
import { MovedCell } from '../evm/moved-cell.tsx'
import { OfferedPart } from '../shared/offered-part.tsx'
import { FeedActions, FeedList, useStill } from './feed-list.tsx'

const shownRows = 8

/** A block of the feed: height, age, transactions and gas. */
export function BlockLine({ block, chain }: { block: EvmBlock; chain: ChainFacts }) {
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

/** A transaction of the feed: hash, method, age, what moved, and the sender. */
export function TransactionLine({
  transaction,
  chain,
}: {
  transaction: MovedTransaction
  chain: ChainFacts
}) {
  return (
    <>
      <span className="flex min-w-0 flex-col">
        <span className="flex min-w-0 items-center gap-1.5">
          <TxStatus status={transaction.txStatus} compact />
          <span className="min-w-0 xl:shrink-0">
            <Hash
              value={transaction.txHash}
              name="transaction hash"
              to={paths.transaction(chain.chainId, transaction.txHash)}
            />
          </span>
          <span className="min-w-0 max-xl:hidden">
            <MethodLabel transaction={transaction} />
          </span>
        </span>
        <span className="text-xs text-muted">
          <TimeAgo at={transaction.blockTimestamp} />
        </span>
      </span>
      <span className="flex min-w-0 flex-col items-end">
        <span className="min-h-lh max-w-full min-w-0 truncate [&_.no-value]:hidden">
          <MovedCell tx={transaction} chain={chain} plain />
        </span>
        <span className="flex items-center gap-1 text-xs text-muted">
          from <Address {...transaction.from} chainId={chain.chainId} />
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
export function LatestFeed({ chain }: { chain: ChainFacts }) {
  const { chainId } = chain
  const head = useFollowed(chainId)?.indexedBlock
  const blocks = useQuery(latestBlocksQuery(chainId, shownRows))
  const transactions = useQuery(latestTransactionsQuery(chainId, shownRows))
  const pages = useMemo(() => (transactions.data ? [transactions.data] : []), [transactions.data])
  const [moved] = useMovements(chainId, pages)
  const hasBlocks = useOffers('listBlocks')
  const { still, paused, toggle, keep } = useStill()
  const [held, setHeld] = useState<Held>({ head })
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
    <FeedActions waiting={waiting} onShow={() => setHeld({ head })} paused={paused} onToggle={toggle} />
  )
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
      <Section title="Latest blocks" actions={hasBlocks && actions}>
        <OfferedPart name="blocks">
          <FeedList
            shown={shownRows}
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
        </OfferedPart>
      </Section>
      <Section title="Latest transactions">
        <OfferedPart name="transactions">
          <FeedList
            shown={shownRows}
            label="Latest transactions"
            query={transactions}
            keep={keep}
            failed="The latest transactions could not be loaded."
            empty="This chain has no indexed transaction yet."
            rows={moved?.map((transaction) => (
              <TransactionLine key={transaction.txHash} transaction={transaction} chain={chain} />
            ))}
          />
          <Link to={paths.transactions(chainId)} className="link flex h-10 w-fit items-center">
            All transactions
          </Link>
        </OfferedPart>
      </Section>
    </div>
  )
}
