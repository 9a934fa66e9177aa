import type { Call } from '../../../api/node/node-request.ts'

/** What became of one call of a batch; `silent` has no answer, as a notification has none. */
export type CallResult = {
  readonly method: string
  readonly outcome: 'answered' | 'refused' | 'silent'
  /** The node's or the gateway's words and code, of a refused call. */
  readonly reason: string
}

type Answer = {
  readonly id?: unknown
  readonly error?: { readonly message?: unknown; readonly code?: unknown }
}

const isAnswer = (value: unknown): value is Answer => typeof value === 'object' && value !== null

/** Whether an answer is an error. */
export const isRefused = (value: unknown): boolean => isAnswer(value) && value.error != null

/**
 * The calls of a batch with what became of each. Answers may come in any order (JSON-RPC 2.0), so that the id
 * decides; of equal ids, and for errors without one, the order does.
 */
export function resultsOf(calls: readonly Call[], answers: readonly unknown[]): CallResult[] {
  const left = answers.filter(isAnswer)
  const take = (fits: (answer: Answer) => boolean): Answer | undefined => {
    const at = left.findIndex(fits)
    return at < 0 ? undefined : left.splice(at, 1)[0]
  }
  const own = calls.map(({ id }) => take((answer) => String(answer.id) === String(id) && answer.id !== null))
  return calls.map(({ method }, at) => {
    const answer = own[at] ?? take(({ id }) => id === null)
    if (!answer) return { method, outcome: 'silent', reason: '' }
    if (!isRefused(answer)) return { method, outcome: 'answered', reason: '' }
    const { message, code } = answer.error ?? {}
    const words = typeof message === 'string' ? message : 'no reason given'
    return { method, outcome: 'refused', reason: code === undefined ? words : `${words} (${String(code)})` }
  })
}
