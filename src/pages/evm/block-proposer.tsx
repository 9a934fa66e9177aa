import { useQuery } from '@tanstack/react-query'
import type { EvmBlockDetails } from '../../../contract/evm/blocks.ts'
import { primaryBlockQuery } from '../../api/primary/blocks.ts'
import { type NetworkName, useOffers, useProfile } from '../../api/current.ts'
import { Link } from '../../components/link.tsx'
import { NodeId } from '../../components/node-id.tsx'
import { paths } from '../../lib/paths.ts'
import { cChainIds } from '../../lib/c-chains.ts'
import type { Fact } from '../shared/facts.tsx'

/** The proposer of a C-Chain block, from the primary network's record with the same hash. */
function BlockProposer({ network, block }: { network: NetworkName; block: EvmBlockDetails }) {
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

const cChains: ReadonlySet<string> = new Set(Object.values(cChainIds))

/**
 * The proposer of a C-Chain block; undefined on other chains. The line is present from the start, so that nothing
 * shifts when its value arrives.
 */
export function useBlockProposer(chainId: string, block: EvmBlockDetails): Fact | undefined {
  const network = useProfile()?.network
  const isOffered = useOffers('getPrimaryBlock', network)
  if (!cChains.has(chainId) || !isOffered || network === undefined) return undefined
  return {
    label: 'Proposed by',
    help: 'The validator that proposed this block, by the wrapper in which the C-Chain accepted it',
    value: <BlockProposer network={network} block={block} />,
  }
}
