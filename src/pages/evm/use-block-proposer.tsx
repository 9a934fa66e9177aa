import type { EvmBlockDetails } from '../../../contract/evm/blocks.ts'
import { useOffers, useProfile } from '../../api/current.ts'
import { cChainIds } from '../../lib/c-chains.ts'
import type { Fact } from '../shared/facts.tsx'
import { BlockProposer } from './block-proposer.tsx'

const cChains: ReadonlySet<string> = new Set(Object.values(cChainIds))

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
    value: <BlockProposer network={network} block={block} />,
  }
}
