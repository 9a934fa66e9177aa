import type { Call } from '../../../api/node/node-request.ts'

/** The result of one call of a batch; `silent` means no answer, as for a notification. */
export type CallResult = {
  readonly method: string
  readonly outcome: 'answered' | 'refused' | 'silent'
  /** Message and code of the node or the gateway for a refused call. */
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
 * The calls of a batch with their results. Answers may arrive in any order (JSON-RPC 2.0), so they are assigned by
 * id; equal ids, and errors without one, by order.
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
