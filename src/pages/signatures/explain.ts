import { groupBy } from '../../lib/group-by.ts'
import type { Run } from './run.ts'
import { byWeight, reachedPercentage, requiredWeight, sumOfWeights, type Signer } from './weights.ts'

/** The outcome of a signer as reported by the service, or none yet. */
type Outcome = string

/** The names and meanings of outcomes. */
export const outcomeWords: Readonly<Record<string, { word: string; meaning: string }>> = {
  signed: { word: 'signed', meaning: 'gave a signature that verifies' },
  refused: { word: 'refused', meaning: 'answered that it will not sign' },
  silent: { word: 'silent', meaning: 'was asked and did not answer in time' },
  unreachable: { word: 'unreachable', meaning: 'could not be connected to' },
  wrong: { word: 'wrong', meaning: 'gave a signature that does not verify, which does not count' },
  waiting: { word: 'waiting', meaning: 'has not answered yet' },
  'not asked': { word: 'not asked', meaning: 'was not needed' },
  keyless: { word: 'no key', meaning: 'has no BLS key: counts in the total and never signs' },
}

/** The known outcome of one signer in a run. */
export function outcomeOf(run: Run, index: number): Outcome {
  const told = run.results.get(index)?.outcome
  if (told !== undefined) return told
  if (run.signers?.includes(index)) return 'signed'
  return run.state === 'running' ? 'waiting' : 'not asked'
}

export type Group = { outcome: Outcome; signers: readonly Signer[]; weight: bigint }

/** The order of outcomes in the bar: signed, pending, failed. */
const order: readonly string[] = [
  'signed',
  'waiting',
  'not asked',
  'refused',
  'silent',
  'unreachable',
  'wrong',
]

/** The signers of a run by outcome, each group ordered by weight. */
export function groupsOf(run: Run): Group[] {
  const groups = groupBy(byWeight(run.begun?.set.signers ?? []), ({ index }) => outcomeOf(run, index))
  const place = (outcome: Outcome): number => {
    const at = order.indexOf(outcome)
    // Unknown outcomes come last.
    return at === -1 ? order.length : at
  }
  return [...groups]
    .map(([outcome, signers]) => ({ outcome, signers, weight: sumOfWeights(signers) }))
    .toSorted((a, b) => place(a.outcome) - place(b.outcome))
}

/** The reasons of refusals, ordered by weight. */
export function reasonsOf(run: Run): { outcome: Outcome; reason: string; count: number; weight: bigint }[] {
  const found = new Map<string, { outcome: Outcome; reason: string; count: number; weight: bigint }>()
  for (const signer of run.begun?.set.signers ?? []) {
    const result = run.results.get(signer.index)
    if (result?.reason === undefined || result.outcome === 'signed') continue
    const key = `${result.outcome} ${result.reason}`
    const before = found.get(key) ?? { outcome: result.outcome, reason: result.reason, count: 0, weight: 0n }
    found.set(key, {
      ...before,
      count: before.count + 1,
      weight: before.weight + BigInt(signer.weight),
    })
  }
  return [...found.values()].toSorted((a, b) => (b.weight > a.weight ? 1 : b.weight < a.weight ? -1 : 0))
}

/** What may help after a missed quorum. */
export type Advice =
  | { kind: 'lower'; quorum: number }
  | { kind: 'again'; weight: bigint }
  | { kind: 'height'; weight: bigint }
  | { kind: 'content'; weight: bigint }
  | { kind: 'never'; max: number }

export type Shortfall = {
  signed: bigint
  total: bigint
  required: bigint
  missing: bigint
  /** The highest integer quorum that was reached. */
  reached: number
  advice: readonly Advice[]
}

/** The weight that a run lacks for its quorum; undefined if weights are unknown or the quorum was reached. */
export function shortfallOf(run: Run): Shortfall | undefined {
  if (run.signedWeight === undefined || run.totalWeight === undefined) return undefined
  const signed = BigInt(run.signedWeight)
  const total = BigInt(run.totalWeight)
  const required =
    run.requiredWeight === undefined
      ? requiredWeight(total, run.asked.body.quorumPercentage ?? 67)
      : BigInt(run.requiredWeight)
  if (signed >= required) return undefined
  const weightOf = (...outcomes: readonly Outcome[]): bigint =>
    groupsOf(run)
      .filter(({ outcome }) => outcomes.includes(outcome))
      .reduce((sum, { weight }) => sum + weight, 0n)
  const late = weightOf('silent', 'unreachable')
  const refused = weightOf('refused')
  const able = total - BigInt(run.begun?.set.keylessWeight ?? 0)
  const reached = reachedPercentage(signed, total)
  const advice: Advice[] = []
  if (able < required) advice.push({ kind: 'never', max: reachedPercentage(able, total) })
  if (late > 0n) advice.push({ kind: 'again', weight: late })
  if (refused > 0n) advice.push({ kind: 'content', weight: refused })
  if (late + refused > 0n) advice.push({ kind: 'height', weight: late + refused })
  if (reached > 0) advice.push({ kind: 'lower', quorum: reached })
  return { signed, total, required, missing: required - signed, reached, advice }
}
