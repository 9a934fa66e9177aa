import { z } from 'zod'
import type { NodeClient } from './client.ts'
import { isMachineError, NodeRefusal, NodeUnavailable, StateNotKept } from './failures.ts'
import { hexBytes, hexQuantity } from './hex-fields.ts'
import { askState, readBytes } from './state.ts'

/** A call as JSON-RPC has it; `value` and `gas` are 0x quantities. */
type Call = {
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value: string
  readonly gas: string
}

/** One call that was made, and its own logs; the native token moves by `value` if the type of the call does that. */
type Step = {
  readonly type: string
  readonly from: string
  readonly to: string
  readonly value: bigint
  readonly logs: readonly { readonly address: string; readonly topics: string[]; readonly data: string }[]
}

/** What a call does after a block, without being sent. */
export type Simulated = {
  /** Absent if it succeeds; else as the node says it. */
  readonly error?: string
  readonly output: `0x${string}`
  /** In decimal digits; absent if the node does not tell. */
  readonly gasUsed?: string
  /** The calls that last, the outermost first; absent if the node can't trace. */
  readonly steps?: readonly Step[]
  /** Every address that was called, also by calls that failed; empty if the node can't trace. */
  readonly called: readonly string[]
}

const bytes = hexBytes()

const tracedCall = z.object({
  type: z.string().max(32),
  from: bytes,
  to: bytes.nullish(),
  value: hexQuantity.nullish(),
  gasUsed: hexQuantity.nullish(),
  output: bytes.nullish(),
  error: z.string().nullish(),
  logs: z.array(z.object({ address: bytes, topics: z.array(bytes).max(4), data: bytes })).nullish(),
  calls: z.array(z.unknown()).nullish(),
})

const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true }, timeout: '5s' }

/**
 * Tries a call on the state after a block: by a trace, or if the node has none, by `eth_call`, which tells the result but
 * not what moved. Throws like `askState`, except for what the call itself did wrong, such as spending more than its sender
 * has: that is its error.
 */
export async function simulate(
  client: NodeClient,
  call: Call,
  block: bigint,
  mayTrace: boolean,
): Promise<Simulated> {
  const traced = mayTrace ? await trace(client, call, block) : undefined
  return traced ?? (await execute(client, call, block))
}

async function trace(client: NodeClient, call: Call, block: bigint): Promise<Simulated | undefined> {
  try {
    const tag = `0x${block.toString(16)}`
    return readTrace(await client.call('debug_traceCall', [call, tag, tracer]))
  } catch (error) {
    // It has no such method, or could not finish: the plain call may tell.
    if (error instanceof NodeUnavailable && error.kind !== 'network') return undefined
    throw error
  }
}

function readTrace(answer: unknown): Simulated | undefined {
  const top = tracedCall.safeParse(answer).data
  if (!top) return undefined
  const steps: Step[] = []
  const called = new Set<string>()
  // Calls may be nested deeper than the stack.
  const waiting: { call: unknown; isUndone: boolean }[] = [{ call: answer, isUndone: false }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const frame = tracedCall.safeParse(next.call).data
    if (!frame) return undefined
    const { type, from, to, value, logs, error, calls } = frame
    if (to) called.add(to)
    // What a call that failed did is undone, with all that it called.
    const isUndone = next.isUndone || Boolean(error)
    if (!isUndone) steps.push({ type, from, to: to ?? '', value: value ?? 0n, logs: logs ?? [] })
    waiting.push(...(calls ?? []).toReversed().map((call) => ({ call, isUndone })))
  }
  const { error, output, gasUsed } = top
  return {
    ...(error && { error: error.slice(0, 1_000) }),
    output: output ?? '0x',
    ...(gasUsed !== undefined && gasUsed !== null && { gasUsed: gasUsed.toString() }),
    steps,
    called: [...called],
  }
}

async function execute(client: NodeClient, call: Call, block: bigint): Promise<Simulated> {
  const method = 'eth_call'
  try {
    return {
      output: readBytes(client, method, await askState(client, method, [call], block)),
      called: [],
    }
  } catch (error) {
    if (error instanceof StateNotKept || !(error instanceof NodeRefusal)) throw error
    if (error.reverted || error.data !== undefined)
      return { error: 'execution reverted', output: error.data ?? '0x', called: [] }
    if (isMachineError(error.reason) || /insufficient|fund|balance/i.test(error.reason))
      return { error: error.reason, output: '0x', called: [] }
    throw error
  }
}
