import type { WatchStateName } from '../../contract/watch/fields.ts'

/**
 * What a round found for one subject of a rule. `known`: measured in the sample with this number; `isBreach` beyond
 * the threshold, `isClear` back from it by the hysteresis, neither in between. `unknown`: nothing recent to go by.
 * `gone`: there is no subject any more, such as a validation that ended.
 */
export type Evaluation =
  | {
      readonly kind: 'known'
      readonly sample: number
      readonly isBreach: boolean
      readonly isClear: boolean
      readonly value: number | undefined
      readonly text: string
    }
  | { readonly kind: 'unknown'; readonly text: string }
  | { readonly kind: 'gone'; readonly text: string }

/** The state of a rule for one subject. */
export type SubjectState = {
  readonly state: WatchStateName
  /** Unix seconds of the round in which it took this state. */
  readonly since: number
  /** The number of the newest sample that was evaluated: none counts twice. */
  readonly sample: number
  /** Samples in a row beyond the threshold, and back from it while an alarm is open. */
  readonly breaches: number
  readonly clears: number
  readonly isOpen: boolean
  readonly value: number | undefined
  readonly text: string
}

/** What a step did to the alarm of a subject. */
type Transition = 'opened' | 'resolved' | 'gone' | undefined

type Step = { readonly state: SubjectState; readonly transition: Transition }

/** The state before the first round. */
export const firstState: SubjectState = {
  state: 'unknown',
  since: 0,
  sample: -1,
  breaches: 0,
  clears: 0,
  isOpen: false,
  value: undefined,
  text: '',
}

/**
 * One step of the evaluation: pure, and the only place in which alarms open and close. The runner and the dry run both
 * use it. Durations are counted in samples, never by the clock, so a jump of the clock opens and resolves nothing.
 *
 * - An alarm opens after `samples` samples in a row beyond the threshold, and resolves after as many back from it.
 * - A sample between the threshold and the hysteresis changes neither an open alarm nor an `ok`, and ends `pending`.
 * - `unknown` neither opens nor resolves, and does not interrupt the row: it is not evidence for either.
 * - A sample that was evaluated already changes no count; it only ends `unknown`.
 */
export function step(before: SubjectState, evaluation: Evaluation, samples: number, ts: number): Step {
  const to = (state: WatchStateName, change: Partial<SubjectState>): SubjectState => ({
    ...before,
    ...change,
    state,
    since: state === before.state && before.since !== 0 ? before.since : ts,
  })
  if (evaluation.kind === 'unknown') {
    return { state: to('unknown', { text: evaluation.text }), transition: undefined }
  }
  if (evaluation.kind === 'gone') {
    const state = to('ok', { isOpen: false, breaches: 0, clears: 0, value: undefined, text: evaluation.text })
    return { state, transition: before.isOpen ? 'gone' : undefined }
  }
  const { value, text, sample, isBreach, isClear } = evaluation
  if (sample <= before.sample) return { state: to(resting(before), {}), transition: undefined }
  const measured = { value, text, sample }
  if (isBreach) {
    const breaches = before.breaches + 1
    if (before.isOpen)
      return { state: to('firing', { ...measured, breaches, clears: 0 }), transition: undefined }
    if (breaches < samples) return { state: to('pending', { ...measured, breaches }), transition: undefined }
    return { state: to('firing', { ...measured, breaches, clears: 0, isOpen: true }), transition: 'opened' }
  }
  if (!before.isOpen) {
    return {
      state: to(before.state === 'resolved' ? 'resolved' : 'ok', { ...measured, breaches: 0 }),
      transition: undefined,
    }
  }
  if (!isClear) return { state: to('firing', { ...measured, clears: 0 }), transition: undefined }
  const clears = before.clears + 1
  if (clears < samples) return { state: to('firing', { ...measured, clears }), transition: undefined }
  return {
    state: to('resolved', { ...measured, breaches: 0, clears: 0, isOpen: false }),
    transition: 'resolved',
  }
}

/** The state that the counts stand for, after `unknown`. */
function resting({ state, isOpen, breaches }: SubjectState): WatchStateName {
  if (isOpen) return 'firing'
  if (breaches > 0) return 'pending'
  return state === 'resolved' ? 'resolved' : 'ok'
}
