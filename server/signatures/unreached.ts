import { HttpError } from '../kernel/http-errors.ts'
import { requiredWeight, type CanonicalSet, type RoundOutcome, type SignerResult } from './round.ts'

/** Signers that an answer names; the stream tells of all of them. */
const maxNamed = 20

const words: Record<SignerResult['outcome'], string> = {
  signed: 'signed',
  refused: 'refused',
  silent: 'did not answer',
  unreachable: 'cannot be reached',
  wrong: 'answered with a signature that is not valid',
}

/** 503: a round ended below its quorum. The message says what was collected, then who did not sign and why. */
export class QuorumUnreached extends HttpError {
  readonly outcome: RoundOutcome
  constructor(outcome: RoundOutcome, set: CanonicalSet, quorumPercentage: number) {
    super(503, linesOf(outcome, set, quorumPercentage))
    this.outcome = outcome
  }
}

function linesOf(
  { results, signedWeight }: RoundOutcome,
  { signers, totalWeight, keylessWeight }: CanonicalSet,
  quorumPercentage: number,
): string[] {
  const missing = results
    .filter(({ outcome }) => outcome !== 'signed')
    .map((result) => ({ result, signer: signers[result.index] }))
    // The heaviest are those that the quorum lacks most.
    .toSorted((left, right) => Number((right.signer?.weight ?? 0n) - (left.signer?.weight ?? 0n)))
  const named = missing.slice(0, maxNamed).map(({ result: { outcome, reason }, signer }) => {
    const nodes = signer?.nodeIds.join(', ') ?? 'an unknown signer'
    return `${nodes} of weight ${signer?.weight ?? 0n} ${words[outcome]}${reason === undefined ? '' : `: ${reason}`}`
  })
  const required = requiredWeight(totalWeight, quorumPercentage)
  return [
    `the quorum is not reached: signatures of weight ${signedWeight} of ${totalWeight} were collected, ${required} are needed for ${quorumPercentage} %`,
    ...named,
    ...(missing.length > maxNamed ? [`${missing.length - maxNamed} more did not sign`] : []),
    ...(keylessWeight > 0n
      ? [`weight ${keylessWeight} belongs to validators without a key, which never sign`]
      : []),
  ]
}
