import type { EvmBlockDetails } from '../../../contract/evm/blocks.ts'
import { useOffers, useProfile } from '../../api/current.ts'
import { lazy } from '../../components/lazy.ts'
import { LazyExtra } from '../../components/part.tsx'
import type { Fact } from '../shared/facts.tsx'

// Loaded on demand: pages of EVM chains do not include the primary network's requests.
const BlockProposer = lazy(() => import('./block-proposer.tsx'), 'BlockProposer')

/** The C-chains of mainnet, Fuji and local networks. */
const cChains = new Set(['43114', '43113', '43112'])

/**
 * The proposer of a C-chain block; undefined on other chains. The line is present from the start, so that nothing
 * shifts when its value arrives.
 */
export function useBlockProposer(chainId: string, block: EvmBlockDetails): Fact | undefined {
  const network = useProfile()?.network
  const isOffered = useOffers('getPrimaryBlock', network)
  if (!cChains.has(chainId) || !isOffered || network === undefined) return undefined
  return {
    label: 'Proposed by',
    help: 'The validator that proposed this block, by the wrapper in which the C-Chain accepted it',
    value: (
      <LazyExtra fallback={<span className="text-muted">…</span>}>
        <BlockProposer network={network} block={block} />
      </LazyExtra>
    ),
  }
}
