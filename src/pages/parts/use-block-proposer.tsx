import { useQuery } from '@tanstack/react-query'
import { primaryBlockQuery } from '../../api/primary-blocks.ts'
import { useOffers, useProfile } from '../../api/current.ts'
import { NodeId } from '../../components/node-id.tsx'
import { Link } from '../../components/link.tsx'
import { paths } from '../../paths.ts'
import type { EvmBlockDetails } from './block-facts.tsx'
import type { Fact } from './facts.tsx'

/** The C-chains of mainnet, fuji, and every network of one's own. */
const cChains = new Set(['43114', '43113', '43112'])

/**
 * Who proposed a block of the C-chain, as the primary network has it under the same hash; undefined on other
 * chains. The line is there from the start, so that nothing moves when it is filled.
 */
export function useBlockProposer(chainId: string, block: EvmBlockDetails): Fact | undefined {
  const network = useProfile()?.network
  const isOffered = useOffers('getPrimaryBlock')
  const isC = cChains.has(chainId) && isOffered && network !== undefined
  const query = useQuery({
    ...primaryBlockQuery(network ?? 'mainnet', 'c-chain', block.blockHash),
    enabled: isC,
  })
  if (!isC) return undefined
  const proposer = query.data?.proposerDetails
  return {
    label: 'Proposed by',
    help: 'The validator that proposed this block, by the wrapper in which the C-Chain accepted it',
    value: query.isPending ? (
      <span className="text-muted">…</span>
    ) : (
      <>
        {proposer?.proposerNodeId === undefined ? (
          <span className="text-muted">
            {proposer ? 'Nobody signed the proposal' : 'Not known for this block'}
          </span>
        ) : (
          <NodeId nodeId={proposer.proposerNodeId} network={network} copy />
        )}
        {proposer && (
          <Link to={paths.primaryBlock(network, 'c-chain', block.blockNumber)} className="link">
            The proposal
          </Link>
        )}
      </>
    ),
  }
}
