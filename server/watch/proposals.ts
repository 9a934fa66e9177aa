import type { ProposerFacts } from './facts.ts'

/**
 * How many blocks a validator was expected to propose since its last one, by its share of the stake now: proposers are
 * drawn by weight. Blocks whose proposer is not known are left out by their share among the latest ones.
 */
export function expectedProposals(
  { stake, height }: ProposerFacts,
  network: { readonly height: number; readonly stake: bigint; readonly proposedShare: number },
): { readonly blocks: number; readonly expected: number; readonly chance: number } {
  const blocks = Math.max(0, network.height - height)
  const share = network.stake === 0n ? 0 : Number(stake) / Number(network.stake)
  const known = blocks * network.proposedShare
  // The probability that a validator which misses no turn proposed none of them: the binomial distribution at 0.
  return { blocks, expected: known * share, chance: (1 - Math.min(1, share)) ** known }
}
