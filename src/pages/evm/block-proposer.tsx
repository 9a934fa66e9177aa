import { useQuery } from '@tanstack/react-query'
import type { EvmBlockDetails } from '../../../contract/evm/blocks.ts'
import { primaryBlockQuery } from '../../api/primary/blocks.ts'
import type { NetworkName } from '../../api/current.ts'
import { Link } from '../../components/link.tsx'
import { NodeId } from '../../components/node-id.tsx'
import { paths } from '../../lib/paths.ts'

/** The proposer of a C-chain block, from the primary network's record with the same hash. */
export function BlockProposer({ network, block }: { network: NetworkName; block: EvmBlockDetails }) {
  const query = useQuery(primaryBlockQuery(network, 'c-chain', block.blockHash))
  const proposer = query.data?.proposerDetails
  if (query.isPending) return <span className="text-muted">…</span>
  return (
    <>
      {proposer?.proposerNodeId === undefined ? (
        <span className="text-muted">
          {proposer ? 'No validator signed this block' : 'Not known for this block'}
        </span>
      ) : (
        <NodeId nodeId={proposer.proposerNodeId} network={network} copy />
      )}
      {proposer && (
        <Link to={paths.primaryBlock(network, 'c-chain', block.blockNumber)} className="link">
          Proposal details
        </Link>
      )}
    </>
  )
}
