import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type FocusEvent } from 'react'
import type { PrimaryBlock } from '../../../contract/primary/blocks.ts'
import type { NetworkName } from '../../api/current.ts'
import { latestPrimaryBlocksQuery } from '../../api/primary/blocks.ts'
import { usePrimaryFollowed } from '../../api/network/overview.ts'
import { queryClient } from '../../api/query-client.ts'
import { PauseIcon, PlayIcon } from '../../components/icons.ts'
import { Link } from '../../components/link.tsx'
import { NodeId } from '../../components/node-id.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { paths } from '../../lib/paths.ts'
import { Failed } from '../shared/failed.tsx'
import { Button } from '../../components/controls.tsx'
import { PrimaryBlockLine } from './block-line.tsx'

const shownRows = 8
const rowHeight = 52

/** A block with the node that proposed it, if that is known. */
function BlockLine({
  block,
  network,
  chain,
}: {
  block: PrimaryBlock
  network: NetworkName
  chain: PrimaryChainAlias
}) {
  const node = block.proposerDetails?.proposerNodeId
  const note = node === undefined ? undefined : <NodeId nodeId={node} network={network} />
  return <PrimaryBlockLine block={block} network={network} chain={chain} note={note} />
}

/** The newest blocks of one chain; with `still` the list does not follow the head. */
function Feed({ network, chain, still }: { network: NetworkName; chain: PrimaryChainAlias; still: boolean }) {
  const head = usePrimaryFollowed(network, chain)?.indexedBlock
  const [held, setHeld] = useState(head)
  if (!still && held !== head) setHeld(head)
  const query = useQuery(latestPrimaryBlocksQuery(network, chain, shownRows))
  useEffect(() => {
    if (held === undefined) return
    void queryClient.invalidateQueries(
      { queryKey: ['latest-primary-blocks', network, chain] },
      { cancelRefetch: false },
    )
  }, [held, network, chain])
  const label = chainLabel(chain) ?? chain
  const waiting = still && head !== undefined && held !== undefined ? Number(BigInt(head) - BigInt(held)) : 0
  return (
    <Section
      title={label}
      actions={
        waiting > 0 && (
          <button
            type="button"
            onClick={() => setHeld(head)}
            className="h-7 rounded-full bg-accent px-3 text-xs font-strong text-on-accent"
          >
            {formatInteger(waiting)} new
          </button>
        )
      }
    >
      <div style={{ minHeight: shownRows * rowHeight + 1 }} className="border-t border-line">
        {query.isPending ? (
          <SkeletonRows count={shownRows} height={rowHeight} />
        ) : query.data === undefined ? (
          <Failed title={`The latest blocks of the ${label} could not be loaded.`} query={query} />
        ) : query.data.length === 0 ? (
          <EmptyState title={`No blocks of the ${label} indexed yet`}>
            They appear here as soon as the node has sent them.
          </EmptyState>
        ) : (
          <ul aria-label={`Latest blocks of the ${label}`}>
            {query.data.map((block, place) => (
              // Each position keeps its element while the blocks move through it, so that nothing shifts.
              <li
                key={place}
                style={{ height: rowHeight }}
                className="flex items-center justify-between gap-4 overflow-hidden border-b border-line"
              >
                <BlockLine block={block} network={network} chain={chain} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <Link to={paths.primaryBlocks(network, chain)} className="link flex h-10 w-fit items-center">
        All blocks of the {label}
      </Link>
    </Section>
  )
}

/**
 * The newest blocks of the three chains. They follow the heads; while paused, hovered or focused, they stay still
 * and count the new blocks.
 */
export function LatestPrimaryBlocks({ network }: { network: NetworkName }) {
  const [paused, setPaused] = useState(false)
  const [touched, setTouched] = useState(false)
  const still = paused || touched
  return (
    <Section
      title="Latest blocks"
      actions={
        <Button
          small
          aria-pressed={paused}
          onClick={() => setPaused((now) => !now)}
          title={paused ? 'Resume updates' : 'Pause updates'}
        >
          {paused ? <PlayIcon size={14} /> : <PauseIcon size={14} />}
          {paused ? 'Paused' : 'Pause'}
        </Button>
      }
    >
      <div
        className="grid gap-x-10 gap-y-4 lg:grid-cols-3"
        onPointerEnter={() => setTouched(true)}
        onPointerLeave={() => setTouched(false)}
        onFocus={() => setTouched(true)}
        onBlur={(event: FocusEvent<HTMLElement>) =>
          setTouched(event.currentTarget.contains(event.relatedTarget))
        }
      >
        <Feed network={network} chain="p-chain" still={still} />
        <Feed network={network} chain="x-chain" still={still} />
        <Feed network={network} chain="c-chain" still={still} />
      </div>
    </Section>
  )
}
