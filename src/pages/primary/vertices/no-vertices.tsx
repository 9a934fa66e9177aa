import { useQuery } from '@tanstack/react-query'
import type { NetworkName } from '../../../api/current.ts'
import { primaryBlockQuery } from '../../../api/primary/blocks.ts'
import { usePrimaryStatus } from '../../../api/network/overview.ts'
import { useZone } from '../../../components/hooks.ts'
import { PrimaryBlockLink } from '../../../components/primary-link.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { formatTime } from '../../../lib/time.ts'

/** Why there are no vertices: the node has no index of them, or the chain had blocks from its start. */
export function NoVertices({ network }: { network: NetworkName }) {
  const status = usePrimaryStatus(network)?.find((one) => one.chainName === 'x-chain')
  const first = useQuery({
    ...primaryBlockQuery(network, 'x-chain', '0'),
    enabled: status?.indexedHeight !== undefined,
  }).data
  const zone = useZone()
  if (status?.hasProposers === false && status.vertexCount === undefined)
    return (
      <EmptyState title="Vertices not available">
        The node behind this service keeps no index of them. A node with <code>--index-enabled</code> does,
        when it had it from its first start.
      </EmptyState>
    )
  return (
    <EmptyState title="This chain has no vertices">
      <p>
        It was linearised at height 0: from block{' '}
        <PrimaryBlockLink network={network} chain="x-chain" height="0" />
        {first && ` of ${formatTime(first.blockTimestamp, zone)}`} on it is a chain of blocks, and before that
        nothing was accepted.
      </p>
    </EmptyState>
  )
}
