import { RetryableError, RpcError } from '../../kernel/errors.ts'
import type { Outcome, RpcClient } from '../../node/rpc.ts'
import { readDebugTraces, readFlatTraces, type BlockTraces, type TracedBlock } from './traces.ts'

/** The method by which a node traces a block. */
export type TraceMethod = 'debug' | 'trace'

/** The traces of a block, or the reason why the node cannot provide them. */
type TraceAnswer =
  | BlockTraces
  /**
   * `lost`: the state of this block was pruned; other blocks may be traceable. `unsupported`: the node has no
   * trace method.
   */
  | { readonly missing: 'lost' | 'unsupported'; readonly reason: string }

/** Matches the errors that nodes return when they no longer have the state to trace an old block. */
const lostState = /state|trie|prun|archive|unavailable|not available/i

/**
 * Fetches the traces of blocks with whichever method the node supports, trying the last successful one
 * first. A node that prunes old states may support one method for old blocks and the other for new ones.
 */
export class BlockTracer {
  readonly #rpc: RpcClient
  readonly #only: TraceMethod | undefined
  #found: TraceMethod | undefined

  /** With `only`, no other method is tried: the answers of two methods differ in details. */
  constructor(rpc: RpcClient, found?: TraceMethod, only?: TraceMethod) {
    this.#rpc = rpc
    this.#found = only ?? found
    this.#only = only
  }

  /** The last successful method; undefined before the first success. */
  get method(): TraceMethod | undefined {
    return this.#found
  }

  /**
   * An answer that is about other transactions counts like an error: a node may know only one method for a block, such as
   * anvil for the block from which it was forked. Throws RpcError if the node fails for another reason, and RetryableError
   * if no method gives the traces of this block.
   */
  async trace(block: TracedBlock, signal: AbortSignal): Promise<TraceAnswer> {
    const order = this.#found === 'debug' ? (['debug', 'trace'] as const) : (['trace', 'debug'] as const)
    const failures: RpcError[] = []
    let refusal: RetryableError | undefined
    for (const method of this.#only ? [this.#only] : order) {
      try {
        const traces = await this.#ask(method, block, signal)
        this.#found = method
        return traces
      } catch (error) {
        if (error instanceof RpcError) failures.push(error)
        else if (error instanceof RetryableError && error.kind === 'refused') refusal ??= error
        else throw error
      }
    }
    if (refusal) throw refusal
    const supported = failures.filter((error) => !error.unsupported)
    const lost = supported.find((error) => lostState.test(error.message))
    if (lost) return { missing: 'lost', reason: lost.message }
    const [failure] = supported
    if (failure) throw failure
    return { missing: 'unsupported', reason: 'the node has no trace method' }
  }

  /** The traces in an answer to `trace_block`; undefined if it is an error, or about other transactions. */
  read(outcome: Outcome, block: TracedBlock): BlockTraces | undefined {
    if ('error' in outcome) return undefined
    try {
      return readFlatTraces(outcome.result, block)
    } catch (error) {
      if (error instanceof RetryableError && error.kind === 'refused') return undefined
      throw error
    }
  }

  async #ask(method: TraceMethod, block: TracedBlock, signal: AbortSignal): Promise<BlockTraces> {
    const at = `0x${block.number.toString(16)}`
    if (method === 'trace') {
      return readFlatTraces(await this.#rpc.call('trace_block', [at], signal), block)
    }
    const answer = await this.#rpc.call('debug_traceBlockByNumber', [at, { tracer: 'callTracer' }], signal)
    return readDebugTraces(answer, block)
  }
}

/** After a block whose state is gone, 1/128 of the distance to the head is skipped. */
const stride = 128

/**
 * Decides which blocks to ask for while a node cannot trace. A pruning node keeps only the states of its
 * newest blocks: far below the head it is asked only occasionally, more often towards the head, and for every
 * block within 128 of it. A node without any trace method is asked again after a while. Skipped blocks become
 * a gap, which the trace filler fills later.
 */
export class TraceSchedule {
  readonly #askAgain: number
  #from = 0
  #notBefore = -Infinity

  /** `askAgain`: milliseconds until a node without a trace method is asked again. */
  constructor(askAgain: number) {
    this.#askAgain = askAgain
  }

  /** Whether to request the traces of a block. */
  allows(number: number): boolean {
    return number >= this.#from && performance.now() >= this.#notBefore
  }

  /** Records that the node could not trace a block. `head` is the node's newest block. */
  missing(kind: 'lost' | 'unsupported', number: number, head: number): void {
    if (kind === 'unsupported') this.#notBefore = performance.now() + this.#askAgain
    else this.#from = Math.max(this.#from, number + Math.max(1, Math.floor((head - number) / stride)))
  }
}
