import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import type { EvmBlockDetails } from '../../../contract/evm/blocks.ts'
import { blockQuery, blockTransactionsQuery } from '../../api/evm/blocks.ts'
import { useChainFacts, useFollowed, useOffers, type ChainFacts } from '../../api/current.ts'
import { useMovements, withMovements, type MovedTransaction } from '../../api/evm/movements.ts'
import { isUnknown } from '../../api/errors.ts'
import { queryClient } from '../../api/query-client.ts'
import { ChevronLeftIcon, ChevronRightIcon } from '../../components/icons.ts'
import { lazy } from '../../components/lazy.ts'
import { Link } from '../../components/link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { LazyPart } from '../../components/part.tsx'
import { Pill } from '../../components/pill.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { pagedRows } from '../../lib/paging.ts'
import { paths } from '../../lib/paths.ts'
import { BlockFacts } from './block-facts.tsx'
import { ChainCrumb } from '../shared/crumbs.tsx'
import { Failed } from '../shared/failed.tsx'
import { InfiniteTable } from '../shared/infinite-table.tsx'
import { transactionColumns } from './transaction-columns.tsx'
import { useRemember } from '../shared/use-remember.ts'

const NoBlock = lazy(() => import('./no-block.tsx'), 'NoBlock')

const BlockWithdrawals = lazy(() => import('./block-withdrawals.tsx'), 'BlockWithdrawals')

/** Requests the block and its transactions. */
export function loader({ params: { chainId = '', blockId = '' } }: LoaderFunctionArgs): null {
  void queryClient.prefetchQuery(blockQuery(chainId, blockId))
  void queryClient.prefetchInfiniteQuery(blockTransactionsQuery(chainId, blockId))
  return null
}

const rowKey = (tx: MovedTransaction): string => tx.txHash

const arrow = 'control size-8 px-0'

/** An arrow to a block beside the page's; without a height it leads nowhere. */
function Neighbour({ name, to, children }: { name: string; to: string | undefined; children: ReactNode }) {
  const { chainId = '' } = useParams()
  return to === undefined ? (
    <span className={`${arrow} pointer-events-none text-muted opacity-60`} aria-hidden="true">
      {children}
    </span>
  ) : (
    <Link to={paths.block(chainId, to)} aria-label={name} title={name} className={arrow}>
      {children}
    </Link>
  )
}

function Neighbours({ block, head }: { block: EvmBlockDetails; head: string | undefined }) {
  const height = BigInt(block.blockNumber)
  const isBelow = head !== undefined && BigInt(head) > height
  return (
    <nav aria-label="Neighbouring blocks" className="flex items-center gap-1">
      <Neighbour name="Previous block" to={height > 0n ? String(height - 1n) : undefined}>
        <ChevronLeftIcon />
      </Neighbour>
      <Neighbour name="Next block" to={block.nextBlockNumber ?? (isBelow ? String(height + 1n) : undefined)}>
        <ChevronRightIcon />
      </Neighbour>
    </nav>
  )
}

type TransactionsProps = { chain: ChainFacts; blockId: string; count: number }

function BlockTransactions({ chain, blockId, count }: TransactionsProps) {
  const list = blockTransactionsQuery(chain.chainId, blockId)
  const query = useInfiniteQuery(list)
  const columns = useMemo(() => transactionColumns(chain, { inBlock: true }), [chain])
  const pages = useMemo(() => query.data?.pages.map((page) => page.transactions) ?? [], [query.data])
  const moved = useMovements(chain.chainId, pages)
  const rows = useMemo(() => pagedRows(moved), [moved])
  const offered = useOffers('listTransactionMovements')
  return (
    <InfiniteTable
      id="block-transactions"
      label="Transactions of the block"
      noun="transaction"
      nouns="transactions"
      query={query}
      skeletonRows={Math.min(count, 20)}
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      rowHref={(tx) => paths.transaction(chain.chainId, tx.txHash)}
      source={{
        name: `block-${blockId}-transactions`,
        pages: (signal) => withMovements(chain.chainId, list.all(signal), offered, signal),
      }}
      empty={null}
    />
  )
}

/** One block: its header, its neighbours and its transactions. */
export function Component() {
  const { chainId = '', blockId = '' } = useParams()
  const chain = useChainFacts(chainId)
  const query = useQuery(blockQuery(chainId, blockId))
  const head = useFollowed(chain.chainId)?.indexedBlock
  const block = query.data
  const height = block
    ? formatInteger(block.blockNumber)
    : /^\d+$/.test(blockId)
      ? formatInteger(blockId)
      : blockId
  const heading = `Block ${height}`
  const title = `${heading} · ${chain.name}`
  useRemember(paths.block(chain.chainId, block?.blockNumber ?? blockId), block && title, 'block')

  if (query.error && !block)
    return (
      <>
        <ChainCrumb chain={chain} />
        {isUnknown(query.error) ? (
          <LazyPart title="The page">
            <NoBlock chain={chain} id={blockId} head={head} />
          </LazyPart>
        ) : (
          <>
            <PageTitle document={title} heading={heading} />
            <Failed title="The block could not be loaded." query={query} />
          </>
        )}
      </>
    )
  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle
        document={title}
        heading={heading}
        beside={
          block?.isFinalized !== undefined &&
          (block.isFinalized ? <Pill state="ok">Final</Pill> : <Pill state="pending">Not final yet</Pill>)
        }
        identity={block ? { value: block.blockHash, name: 'block hash' } : 'loading'}
        actions={block ? <Neighbours block={block} head={head} /> : null}
      />
      <div className="flex flex-col gap-8">
        {block ? <BlockFacts block={block} chain={chain} /> : <SkeletonRows count={14} />}
        {/* The parts above have their full height by then, so this does not shift. */}
        {block && (
          <Section title="Transactions" note={formatInteger(block.txCount)}>
            {block.txCount > 0 ? (
              <BlockTransactions key={blockId} chain={chain} blockId={blockId} count={block.txCount} />
            ) : (
              <EmptyState title="This block is empty">It holds no transaction.</EmptyState>
            )}
          </Section>
        )}
        {block?.withdrawals && block.withdrawals.length > 0 && (
          <LazyPart title="The withdrawals">
            <BlockWithdrawals chain={chain} blockNumber={block.blockNumber} withdrawals={block.withdrawals} />
          </LazyPart>
        )}
      </div>
    </>
  )
}
