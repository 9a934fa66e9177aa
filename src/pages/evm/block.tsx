import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import { titleOf } from '../../../contract/pages.ts'
import type { EvmBlockDetails } from '../../../contract/evm/blocks.ts'
import { blockQuery, blockTransactionsQuery } from '../../api/evm/blocks.ts'
import { useChainFacts, useFollowed, type ChainFacts } from '../../api/current.ts'
import { isUnknown } from '../../api/errors.ts'
import { queryClient } from '../../api/query-client.ts'
import { Figures, loadingFigures } from '../../components/figures.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '../../components/icons.ts'
import { Link } from '../../components/link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Boundary } from '../../components/part.tsx'
import { Pill } from '../../components/pill.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { BlockFacts, BlockHeader } from './block-facts.tsx'
import { ChainCrumb } from '../shared/crumbs.tsx'
import { SubstituteNote } from '../shared/offered-part.tsx'
import { UnindexedNote } from './unindexed-note.tsx'
import { Failed } from '../shared/failed.tsx'
import { useRemember } from '../shared/use-remember.ts'
import { BlockTransactions } from './block-transactions.tsx'
import { BlockWithdrawals } from './block-withdrawals.tsx'

/** Requests the block and its transactions, and loads the code of their table. */
export function loader({ params: { chainId = '', blockId = '' } }: LoaderFunctionArgs): null {
  void queryClient.prefetchQuery(blockQuery(chainId, blockId))
  void queryClient.prefetchInfiniteQuery(blockTransactionsQuery(chainId, blockId))
  return null
}

const waitingFigures = loadingFigures('Age', 'Transactions', 'Gas used', 'Base fee', 'Fees')

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
  const title = titleOf('block', { blockId: height, chainId: chain.name })
  useRemember(paths.block(chain.chainId, block?.blockNumber ?? blockId), block && title, 'block')

  if (query.error && !block)
    return (
      <>
        <ChainCrumb chain={chain} />
        {isUnknown(query.error) ? (
          <Boundary title="The page">
            <NoBlock chain={chain} id={blockId} head={head} />
          </Boundary>
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
      {block && (
        <SubstituteNote name="block">
          This service does not show one block: its header is what the node says.
        </SubstituteNote>
      )}
      <UnindexedNote chain={chain} isIndexed={block?.isIndexed} />
      <div className="flex flex-col gap-8">
        {block ? (
          <div className="flex flex-col gap-2">
            <BlockFacts block={block} chain={chain} />
            <BlockHeader block={block} chain={chain} />
          </div>
        ) : (
          <div className="flex flex-col gap-2">
            <Figures figures={waitingFigures} />
            <SkeletonRows count={3} />
          </div>
        )}
        {/* The parts above have their full height by then, so this does not shift. */}
        {block && (
          <Section title="Transactions">
            {block.txCount > 0 ? (
              <Boundary title="The table">
                <BlockTransactions key={blockId} chain={chain} blockId={blockId} count={block.txCount} />
              </Boundary>
            ) : (
              <EmptyState title="This block is empty">It holds no transaction.</EmptyState>
            )}
          </Section>
        )}
        {block?.withdrawals && block.withdrawals.length > 0 && (
          <Boundary title="The withdrawals">
            <BlockWithdrawals chain={chain} blockNumber={block.blockNumber} withdrawals={block.withdrawals} />
          </Boundary>
        )}
      </div>
    </>
  )
}

/** The page of an unknown block; `head` is the newest known one. */
function NoBlock({ chain, id, head }: { chain: ChainFacts; id: string; head: string | undefined }) {
  return (
    <>
      <PageTitle document="Block not found" heading="Block not found" />
      <EmptyState title={`Block “${id}” not found on ${chain.name}`}>
        {head === undefined ? (
          <p>No block of this chain is indexed yet, and its node has no such block or does not answer.</p>
        ) : (
          <p>
            The newest indexed block is{' '}
            <Link to={paths.block(chain.chainId, head)} className="link">
              {formatInteger(head)}
            </Link>
            . A hash that was reverted by a reorganisation is not kept.
          </p>
        )}
      </EmptyState>
    </>
  )
}
