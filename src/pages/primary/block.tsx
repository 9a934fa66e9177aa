import { useQuery } from '@tanstack/react-query'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import { titleOf } from '../../../contract/pages.ts'
import type { PrimaryBlock } from '../../../contract/primary/blocks.ts'
import { isUnknown } from '../../api/errors.ts'
import { primaryBlockQuery } from '../../api/primary/blocks.ts'
import { usePrimaryFollowed } from '../../api/network/overview.ts'
import { queryClient } from '../../api/query-client.ts'
import type { NetworkName } from '../../api/current.ts'
import { Figures, loadingFigures, type Figure } from '../../components/figures.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '../../components/icons.ts'
import { Link } from '../../components/link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Boundary } from '../../components/part.tsx'
import { Pill } from '../../components/pill.tsx'
import { PrimaryBlockLink } from '../../components/primary-link.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { paths } from '../../lib/paths.ts'
import { blockTypeLabel } from './block-columns.tsx'
import { PrimaryBlockFacts } from './block-facts.tsx'
import { OddNote } from './odd-note.tsx'
import { NodeNote } from '../shared/node-note.tsx'
import { NetworkCrumb } from '../shared/network-crumb.tsx'
import { primaryPlaceOf, usePrimaryPlace } from '../shared/network-gates.tsx'
import { Failed } from '../shared/failed.tsx'
import { useRemember } from '../shared/use-remember.ts'
import { TransactionIds } from './transaction-ids.tsx'

/** Requests the block. */
export function loader({ params }: LoaderFunctionArgs): null {
  const place = primaryPlaceOf(params)
  if (place)
    void queryClient.prefetchQuery(primaryBlockQuery(place.network, place.chain, params['blockId'] ?? ''))
  return null
}

const ofEvery = ['Age', 'Transactions', 'Proposer'] as const
const waitingFigures: Readonly<Record<PrimaryChainAlias, readonly Figure[]>> = {
  'p-chain': loadingFigures(...ofEvery, 'Active L1 validators', 'Supply', 'Size'),
  'x-chain': loadingFigures(...ofEvery, 'Size'),
  'c-chain': loadingFigures(...ofEvery, 'Size'),
}

type Place = { network: NetworkName; chain: PrimaryChainAlias }

function Neighbours({
  block,
  head,
  network,
  chain,
}: Place & { block: PrimaryBlock; head?: string | undefined }) {
  const height = BigInt(block.blockNumber)
  const steps = [
    { name: 'Parent block', Shape: ChevronLeftIcon, to: height > 0n ? height - 1n : undefined },
    {
      name: 'Child block',
      Shape: ChevronRightIcon,
      to: head !== undefined && BigInt(head) > height ? height + 1n : undefined,
    },
  ]
  const arrow = 'control size-8 px-0'
  return (
    <nav aria-label="Neighbouring blocks" className="flex items-center gap-1">
      {steps.map(({ name, Shape, to }) =>
        to === undefined ? (
          <span
            key={name}
            className={`${arrow} pointer-events-none text-muted opacity-60`}
            aria-hidden="true"
          >
            <Shape />
          </span>
        ) : (
          <Link
            key={name}
            to={paths.primaryBlock(network, chain, to.toString())}
            aria-label={name}
            title={name}
            className={arrow}
          >
            <Shape />
          </Link>
        ),
      )}
    </nav>
  )
}

/** One block of the P-, X- or C-Chain: its header, proposer, neighbours and transactions. */
export function Component() {
  const { blockId = '' } = useParams()
  const { network, chain } = usePrimaryPlace()
  const query = useQuery(primaryBlockQuery(network, chain, blockId))
  const head = usePrimaryFollowed(network, chain)?.indexedBlock
  const label = chainLabel(chain) ?? chain
  const block = query.data
  const height = block
    ? formatInteger(block.blockNumber)
    : /^\d+$/.test(blockId)
      ? formatInteger(blockId)
      : blockId
  const title = titleOf('primaryBlock', { blockId: height, chain: label })
  useRemember(
    paths.primaryBlock(network, chain, block?.blockNumber ?? blockId),
    block ? title : undefined,
    'block',
  )

  if (query.error && !block)
    return (
      <>
        <NetworkCrumb network={network} chain={chain} />
        {isUnknown(query.error) ? (
          <>
            <PageTitle document="Block not found" heading="Block not found" />
            <EmptyState title={`Block “${blockId}” not found on the ${label}`}>
              {head === undefined ? (
                <p>
                  No block of this chain is indexed yet, and its node has no such block or does not answer.
                </p>
              ) : (
                <p>
                  The newest indexed block is{' '}
                  <PrimaryBlockLink network={network} chain={chain} height={head} />.
                </p>
              )}
            </EmptyState>
          </>
        ) : (
          <>
            <PageTitle document={title} heading={`Block ${height}`} />
            <Failed title="The block could not be loaded." query={query} />
          </>
        )}
      </>
    )
  return (
    <>
      <NetworkCrumb network={network} chain={chain} />
      <PageTitle
        document={title}
        heading={`Block ${height}`}
        beside={block ? <Pill state="neutral">{blockTypeLabel(block.blockType)}</Pill> : null}
        identity={block ? { value: block.blockHash, name: 'block ID' } : 'loading'}
        actions={block ? <Neighbours block={block} head={head} network={network} chain={chain} /> : null}
      />
      <div className="flex flex-col gap-8">
        {block ? (
          <>
            <NodeNote isIndexed={block.isIndexed} />
            <OddNote of="block" history={block.oddHistory} />
            <PrimaryBlockFacts block={block} head={head} network={network} chain={chain} />
          </>
        ) : (
          <div className="flex flex-col gap-2">
            <Figures figures={waitingFigures[chain]} />
            <SkeletonRows count={3} />
          </div>
        )}
        {block && (
          <Section title={chain === 'c-chain' ? 'Atomic transactions' : 'Transactions'}>
            <Boundary title="The transactions">
              <TransactionIds
                key={blockId}
                ids={block.transactions}
                network={network}
                chain={chain}
                name={`block-${block.blockNumber}-transactions`}
                empty={
                  <EmptyState title="This block is empty">
                    {chain === 'p-chain'
                      ? 'Contains no transactions (option or time-advance block).'
                      : chain === 'c-chain'
                        ? 'It holds no import or export. Its EVM transactions are on the page of the EVM chain.'
                        : 'It holds no transaction.'}
                  </EmptyState>
                }
              />
            </Boundary>
          </Section>
        )}
      </div>
    </>
  )
}
