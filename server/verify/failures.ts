import { isRevert, type TracedCall, type TracedCalls } from './calls.ts'
import type { Findings } from './findings.ts'

/** Why a transaction failed, by the node's trace: how its own call ended, and where that began. */
type NodeFailure = {
  readonly txIndex: number
  readonly error: string
  /** The position of the call in which it began among the inner calls; -1 for its own call. */
  readonly call: number
}

/** A stored failure; all but the index are null if none is stored. */
export type StoredFailure = {
  readonly number: bigint
  readonly index: number
  readonly error: string | null
  readonly call: number | null
}

/** The failures among the traced transactions of a block. */
export function failuresOf(traced: TracedCalls): NodeFailure[] {
  return [...traced].flatMap(([txIndex, calls]) => failureOf(txIndex, calls))
}

function failureOf(txIndex: number, calls: readonly TracedCall[]): NodeFailure[] {
  const own = calls.find(({ path }) => path.length === 0)
  if (own?.error === undefined) return []
  const inner = calls.filter((call) => call !== own)
  let place = own
  for (;;) {
    const { path } = place
    const children = inner.filter((call) => call.path.length === path.length + 1 && isBelow(call.path, path))
    const last = children.at(-1)
    if (!last || !passesOn(last, place)) break
    place = last
  }
  return [{ txIndex, error: own.error, call: inner.indexOf(place) }]
}

const isBelow = (path: readonly number[], above: readonly number[]): boolean =>
  above.every((part, index) => path[index] === part)

/** Whether a call failed because the last call that it made did. */
function passesOn(inner: TracedCall, outer: TracedCall): boolean {
  if (inner.error === undefined || outer.error === undefined) return false
  if (!isRevert(outer.error)) return inner.error === outer.error
  return inner.output === undefined || outer.output === undefined || inner.output === outer.output
}

/** Nodes and trace methods word the same error differently. */
const classOf = (error: string): string =>
  isRevert(error)
    ? 'reverted'
    : /out ?of ?gas/i.test(error)
      ? 'out of gas'
      : /opcode|instruction/i.test(error)
        ? 'invalid'
        : 'other'

/** Compares why the transactions of a block failed with the node's trace. `failed`: the indexes of those that did. */
export function compareFailures(
  name: string,
  stored: readonly StoredFailure[],
  expected: readonly NodeFailure[],
  findings: Findings,
): void {
  for (const row of stored) {
    const of = `${name}: the failure of transaction ${row.index}`
    const node = expected.find(({ txIndex }) => txIndex === row.index)
    if (row.error === null || !node) {
      if (node) findings.add('I5', `${of} is not stored, the node has ${node.error}`)
      else if (row.error !== null) findings.add('I5', `${of} is ${row.error}, the node knows of none`)
      continue
    }
    const is = `${classOf(row.error)} ${row.call}`
    const has = `${classOf(node.error)} ${node.call}`
    if (is !== has) findings.add('I5', `${of} is ${is}, the node has ${has}`)
  }
}
