import type { Run } from './run.ts'
import { byWeight, reachedPercentage, requiredWeight, sumOfWeights, type Signer } from './weights.ts'

/** What became of a signer: the outcome that the service told, or none so far. */
export type Outcome = string

/** How outcomes are called, and what each means. */
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

/** What became of one signer, as far as the run knows. */
export function outcomeOf(run: Run, index: number): Outcome {
  const told = run.results.get(index)?.outcome
  if (told !== undefined) return told
  if (run.signers?.includes(index)) return 'signed'
  return run.state === 'running' ? 'waiting' : 'not asked'
}

export type Group = { outcome: Outcome; signers: readonly Signer[]; weight: bigint }

/** What fills the bar from its left end, what may still come, and what is lost. */
const order: readonly string[] = [
  'signed',
  'waiting',
  'not asked',
  'refused',
  'silent',
  'unreachable',
  'wrong',
]

/** The signers of a run by what became of them, the heaviest first within each. */
export function groupsOf(run: Run): Group[] {
  const groups = new Map<Outcome, Signer[]>()
  for (const signer of byWeight(run.begun?.set.signers ?? [])) {
    const outcome = outcomeOf(run, signer.index)
    const group = groups.get(outcome)
    if (group) group.push(signer)
    else groups.set(outcome, [signer])
  }
  const place = (outcome: Outcome): number => {
    const at = order.indexOf(outcome)
    // An outcome that is newer than this page comes last.
    return at === -1 ? order.length : at
  }
  return [...groups]
    .map(([outcome, signers]) => ({ outcome, signers, weight: sumOfWeights(signers) }))
    .toSorted((a, b) => place(a.outcome) - place(b.outcome))
}

/** Why signers said no, the reason of the most weight first. */
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

/** What might help after a quorum was missed. */
export type Advice =
  | { kind: 'lower'; quorum: number }
  | { kind: 'again'; weight: bigint }
  | { kind: 'height'; weight: bigint }
  | { kind: 'content'; weight: bigint }
  | { kind: 'never'; most: number }

export type Shortfall = {
  signed: bigint
  total: bigint
  required: bigint
  missing: bigint
  /** The highest whole quorum that was reached. */
  reached: number
  advice: readonly Advice[]
}

/** How far a run fell short of its quorum; undefined while its weights are not known, or when it did not. */
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
  if (able < required) advice.push({ kind: 'never', most: reachedPercentage(able, total) })
  if (late > 0n) advice.push({ kind: 'again', weight: late })
  if (refused > 0n) advice.push({ kind: 'content', weight: refused })
  if (late + refused > 0n) advice.push({ kind: 'height', weight: late + refused })
  if (reached > 0) advice.push({ kind: 'lower', quorum: reached })
  return { signed, total, required, missing: required - signed, reached, advice }
}
