import type { Findings } from './findings.ts'

type Json = { readonly [key: string]: unknown }

/** A call by the node's trace, and its place in the tree of calls; the transaction's own is at no path. */
export type TracedCall = {
  readonly path: readonly number[]
  readonly kind: 'call' | 'creation' | 'selfdestruct'
  readonly input: string
  readonly error?: string
  /** What it returned, of a creation its code; undefined if the node does not tell. */
  readonly output: string | undefined
}

/** The calls of each transaction of a block, by its index, in the order of execution. */
export type TracedCalls = ReadonlyMap<number, readonly TracedCall[]>

/** The calls in an answer to `trace_block`. */
export function callsOfFlat(traces: readonly Json[]): TracedCalls {
  const byTransaction = new Map<number, TracedCall[]>()
  for (const trace of traces) {
    if (trace['transactionHash'] == null) continue
    const at = Number(trace['transactionPosition'])
    const calls = byTransaction.get(at) ?? []
    byTransaction.set(at, calls)
    const action = trace['action'] as Json
    const result = (trace['result'] ?? {}) as Json
    const error = trace['error'] == null ? undefined : String(trace['error'])
    const told = (result['output'] ?? result['code']) as string | undefined
    calls.push({
      path: (trace['traceAddress'] ?? []) as number[],
      kind: trace['type'] === 'create' ? 'creation' : trace['type'] === 'call' ? 'call' : 'selfdestruct',
      input: String(action['input'] ?? '0x'),
      ...(error !== undefined && { error }),
      output: told ?? (error === undefined || isRevert(error) ? undefined : '0x'),
    })
  }
  return byTransaction
}

/** The calls in an answer of the callTracer: a frame a transaction. */
export function callsOfFrames(tops: readonly Json[]): TracedCalls {
  const byTransaction = new Map<number, TracedCall[]>()
  for (const [txIndex, top] of tops.entries()) {
    const calls: TracedCall[] = []
    const add = (frame: Json, path: readonly number[]): void => {
      const type = String(frame['type'])
      const error = frame['error'] == null || frame['error'] === '' ? undefined : String(frame['error'])
      calls.push({
        path,
        kind: type.startsWith('CREATE') ? 'creation' : type === 'SELFDESTRUCT' ? 'selfdestruct' : 'call',
        input: String(frame['input'] ?? '0x'),
        ...(error !== undefined && { error }),
        output: String(frame['output'] ?? '0x'),
      })
      for (const [index, inner] of ((frame['calls'] ?? []) as Json[]).entries()) add(inner, [...path, index])
    }
    add(top, [])
    byTransaction.set(txIndex, calls)
  }
  return byTransaction
}

/** Whether a call's error is a revert; nodes and trace methods word it differently. */
export const isRevert = (error: string): boolean => /\brevert(ed)?\b/i.test(error)

/** What is stored of a call's bytes; `ordinal` is -1 for the transaction's own, of which the input is not compared here. */
export type StoredCallData = {
  readonly number: bigint
  readonly index: number
  readonly ordinal: number
  readonly input: string | null
  readonly output: string | null
}

const longestStored = 2 + 2 * 1_024
const start = (bytes: string | undefined): string | null => bytes?.slice(0, longestStored) ?? null

/**
 * Compares what the calls of a block were given and what they returned with the node's trace. `hasInner`: whether those inside
 * of transactions are kept.
 */
export function compareCallData(
  name: string,
  stored: readonly StoredCallData[],
  expected: TracedCalls,
  hasInner: boolean,
  findings: Findings,
): void {
  const rows = new Map(stored.map((row) => [`${row.index} ${row.ordinal}`, row]))
  for (const [index, calls] of expected) {
    const own = calls.filter(({ path }) => path.length === 0)
    const inner = hasInner ? calls.filter(({ path }) => path.length > 0) : []
    for (const [place, { kind, input, error, output }] of [...own, ...inner].entries()) {
      const ordinal = place - own.length
      const of = `${name}: call ${ordinal} of transaction ${index}`
      const row = rows.get(`${index} ${ordinal}`)
      if (!row) {
        findings.add('I5', `${of} is not stored`)
        continue
      }
      const given = ordinal === -1 || kind !== 'call' ? null : start(input)
      const code = kind === 'selfdestruct' || (kind === 'creation' && error === undefined)
      // An own call that succeeded and returned nothing has no output in the store.
      const nothing = ordinal === -1 && error === undefined && output === '0x'
      const returned = code || nothing ? null : start(output)
      if (row.input !== given) findings.add('I5', `${of} was given ${row.input}, by the node ${given}`)
      // Trace methods do not tell equally what a failed call returned.
      const isUntold = error !== undefined && (row.output === null || returned === null)
      if (row.output !== returned && !isUntold)
        findings.add('I5', `${of} returned ${row.output}, by the node ${returned}`)
    }
  }
}
