import type { Findings } from './findings.ts'

type Json = { readonly [key: string]: unknown }

/** Why a transaction failed, by the node's trace: how its own call ended, and where that began. */
export type NodeFailure = {
  readonly txIndex: number
  readonly error: string
  /** What its own call returned, in full; undefined if the node does not tell. */
  readonly output: string | undefined
  /** The position of the call in which it began among the inner calls; -1 for its own call. */
  readonly call: number
}

/** A stored failure; all but the index are null if none is stored. `output` is truncated to 1,024 bytes. */
export type StoredFailure = {
  readonly number: bigint
  readonly index: number
  readonly error: string | null
  readonly output: string | null
  readonly call: number | null
}

/** A call and its place in the tree of calls; the transaction's own is at no path. */
type Placed = {
  readonly path: readonly number[]
  readonly error?: string
  readonly output?: string | undefined
}

/** The failures in an answer to `trace_block`. */
export function failuresOfFlat(traces: readonly Json[]): NodeFailure[] {
  const byTransaction = new Map<number, Placed[]>()
  for (const trace of traces) {
    if (trace['transactionHash'] == null) continue
    const at = Number(trace['transactionPosition'])
    const placed = byTransaction.get(at) ?? []
    byTransaction.set(at, placed)
    const result = (trace['result'] ?? {}) as Json
    const error = trace['error'] == null ? undefined : String(trace['error'])
    const told = (result['output'] ?? result['code']) as string | undefined
    const path = (trace['traceAddress'] ?? []) as number[]
    placed.push({
      path,
      ...(error !== undefined && { error, output: told ?? (isRevert(error) ? undefined : '0x') }),
    })
  }
  return [...byTransaction].flatMap(([txIndex, calls]) => failureOf(txIndex, calls))
}

/** The failures in an answer of the callTracer: a frame a transaction. */
export function failuresOfFrames(tops: readonly Json[]): NodeFailure[] {
  return tops.flatMap((top, txIndex) => {
    const calls: Placed[] = []
    const add = (frame: Json, path: readonly number[]): void => {
      const error = frame['error'] == null || frame['error'] === '' ? undefined : String(frame['error'])
      const output = String(frame['output'] ?? '0x')
      calls.push({ path, ...(error !== undefined && { error, output }) })
      for (const [index, inner] of ((frame['calls'] ?? []) as Json[]).entries()) add(inner, [...path, index])
    }
    add(top, [])
    return failureOf(txIndex, calls)
  })
}

function failureOf(txIndex: number, calls: readonly Placed[]): NodeFailure[] {
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
  return [{ txIndex, error: own.error, output: own.output, call: inner.indexOf(place) }]
}

const isBelow = (path: readonly number[], above: readonly number[]): boolean =>
  above.every((part, index) => path[index] === part)

/** Whether a call failed because the last call that it made did. */
function passesOn(inner: Placed, outer: Placed): boolean {
  if (inner.error === undefined || outer.error === undefined) return false
  if (!isRevert(outer.error)) return inner.error === outer.error
  return inner.output === undefined || outer.output === undefined || inner.output === outer.output
}

const isRevert = (error: string): boolean => /\brevert(ed)?\b/i.test(error)

/** Nodes and trace methods word the same error differently. */
const classOf = (error: string): string =>
  isRevert(error)
    ? 'reverted'
    : /out ?of ?gas/i.test(error)
      ? 'out of gas'
      : /opcode|instruction/i.test(error)
        ? 'invalid'
        : 'other'

const longestStored = 2 + 2 * 1_024

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
    const [is, has] = [
      [classOf(row.error), row.call, row.output ?? node.output?.slice(0, longestStored)],
      [classOf(node.error), node.call, (node.output ?? row.output ?? undefined)?.slice(0, longestStored)],
    ].map((parts) => parts.join(' '))
    if (is !== has) findings.add('I5', `${of} is ${is?.slice(0, 160)}, the node has ${has?.slice(0, 160)}`)
  }
}
