import { z } from 'zod'
import type { NodeClient } from './client.ts'
import { isMachineError, isRevert, NodeUnavailable, type NodeFailure } from './failures.ts'
import { hexBytes, hexQuantity } from './hex-fields.ts'

/** One call of a transaction with the calls that it made. Bytes are 0x text, gas is in decimal digits. */
export type Frame = {
  readonly type: string
  readonly from: string
  /** Absent for a creation that failed before it had an address. */
  readonly to?: string | undefined
  /** The first four bytes of the input of a call. */
  readonly method?: string | undefined
  readonly gasLimit: string
  readonly gasUsed: string
  /** The error of this call itself; absent if it succeeded. */
  readonly error?: string | undefined
  /** What the call returned; absent if that is not known. */
  readonly output?: string | undefined
  readonly calls: readonly Frame[]
}

/** One call of a trace: it tells what went in and out, `0x` if that is nothing. */
type TracedFrame = Frame & {
  readonly input: string
  readonly output: string
  readonly calls: readonly TracedFrame[]
}

const bytes = hexBytes()
const gas = hexQuantity.transform(String)

/** A frame as the callTracer of geth writes it; `calls` as the node sent them. */
const tracedFrame = z
  .object({
    type: z.string().max(32),
    from: bytes,
    to: bytes.nullish(),
    gas,
    gasUsed: gas,
    input: bytes.nullish(),
    output: bytes.nullish(),
    error: z.string().nullish(),
    calls: z.array(z.unknown()).nullish(),
  })
  .transform(({ type, from, to, gas: gasLimit, gasUsed, input, output, error, calls }) => ({
    type,
    from,
    to: to ?? undefined,
    method: type.startsWith('CREATE') || !input || input.length < 10 ? undefined : input.slice(0, 10),
    input: input ?? '0x',
    gasLimit,
    gasUsed,
    error: error ? error.slice(0, 1_000) : undefined,
    output: output ?? '0x',
    calls: calls ?? [],
  }))

/**
 * The frames of a trace; undefined if one of them is malformed. Calls may be nested 1,024 deep, for which the stack
 * is too small if a schema contains itself.
 */
function readFrames(trace: unknown): TracedFrame | undefined {
  const top: TracedFrame[] = []
  const waiting: { value: unknown; siblings: TracedFrame[] }[] = [{ value: trace, siblings: top }]
  for (const { value, siblings } of waiting) {
    const { data } = tracedFrame.safeParse(value)
    if (!data) return undefined
    const calls: TracedFrame[] = []
    siblings.push({ ...data, calls })
    for (const call of data.calls) waiting.push({ value: call, siblings: calls })
  }
  return top[0]
}

/** How long the node may work on one trace. */
const tracer = { tracer: 'callTracer', timeout: '5s' }

/** The failures after which another way to the same knowledge may succeed: the node itself answers. */
const ownTrouble: ReadonlySet<NodeFailure> = new Set(['refused', 'malformed', 'tooLarge', 'timeout'])

/**
 * The calls of a transaction in its block (`debug_traceTransaction`); undefined if the node has no such method,
 * no longer has the state, or can't finish. Throws NodeUnavailable (502) if the node can't be reached.
 */
export async function traceTransaction(client: NodeClient, txHash: string): Promise<TracedFrame | undefined> {
  try {
    const answer = await client.call('debug_traceTransaction', [txHash, tracer])
    return readFrames(answer)
  } catch (error) {
    if (error instanceof NodeUnavailable && ownTrouble.has(error.kind)) return undefined
    throw error
  }
}

/** The call in which a transaction failed, and its place. */
export type FailingCall = {
  readonly frame: Frame
  /** 0 for the transaction's own call. */
  readonly depth: number
  /** The index among the calls inside the transaction, in execution order; -1 for the transaction's own call. */
  readonly index: number
}

/** How a call ended, and its depth. `error` is absent if it succeeded, `output` if it is not known. */
export type CallEnd = Pick<Frame, 'error' | 'output'> & { readonly depth: number }

/**
 * The deepest call from which the failure of a transaction spread to it: from the transaction's own call down, always
 * the last call made, as long as it failed and its caller then failed alike. A call whose failure was caught is
 * passed by, because its caller went on or failed with other data. `calls` are those inside the transaction in
 * execution order, with depths from 1. Returns an index among them; -1 for the transaction's own call.
 */
export function failingIndex(own: Pick<CallEnd, 'error' | 'output'>, calls: readonly CallEnd[]): number {
  const lastAt = new Map<number, number>()
  for (const [index, { depth }] of calls.entries()) lastAt.set(depth, index)
  let found = -1
  let outer = own
  for (let depth = 1; ; depth += 1) {
    const at = lastAt.get(depth) ?? -1
    const inner = calls[at]
    if (inner === undefined || at <= found || !spreads(inner, outer)) return found
    found = at
    outer = inner
  }
}

/** A call and all that it led to, in execution order, with their depths: 0 for the call itself. */
export function callsOf<F extends { readonly calls: readonly F[] }>(
  top: F,
): readonly { readonly frame: F; readonly depth: number }[] {
  const calls: { frame: F; depth: number }[] = []
  const waiting = [{ frame: top, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    calls.push(next)
    const { depth } = next
    waiting.push(...next.frame.calls.toReversed().map((frame) => ({ frame, depth: depth + 1 })))
  }
  return calls
}

/** The failing call of a transaction, by the rule of `failingIndex`. */
export function failingCall(top: Frame): FailingCall {
  const calls = callsOf(top)
  const ends = calls.slice(1).map(({ frame, depth }) => ({ error: frame.error, output: frame.output, depth }))
  const index = failingIndex(top, ends)
  const { frame, depth } = calls[index + 1] ?? { frame: top, depth: 0 }
  return { frame, depth, index }
}

function spreads(inner: Omit<CallEnd, 'depth'>, outer: Omit<CallEnd, 'depth'>): boolean {
  if (inner.error === undefined) return false
  if (outer.error === undefined) return true
  if (isRevert(outer.error) && inner.output !== undefined && outer.output !== undefined) {
    return inner.output === outer.output
  }
  // Some nodes write every revert as "Reverted", whatever its reason.
  return (
    inner.error === outer.error ||
    (inner.error === 'Reverted' && !isMachineError(outer.error)) ||
    /^(execution )?reverted$/i.test(outer.error)
  )
}
