import { RpcError } from '../../kernel/errors.ts'
import type { Outcome, RpcClient } from '../../node/rpc.ts'
import { readDebugTraces, readFlatTraces, type InnerCall } from './traces.ts'

/** The method by which a node traces a block. */
export type TraceMethod = 'debug' | 'trace'

/** A block that is to be traced, with the hashes of its transactions. */
export type TracedBlock = {
  readonly number: number
  readonly hash: string
  readonly hashes: readonly string[]
}

/** The inner calls of a block, or why the node can't give them. */
export type TraceAnswer =
  | { readonly calls: InnerCall[] }
  /** `lost`: the state of this block is gone, others may be there. `unsupported`: the node has no trace method. */
  | { readonly missing: 'lost' | 'unsupported'; readonly reason: string }

/** How nodes say that they no longer have the state that tracing an old block needs. */
const lostState = /state|trie|prun|archive|unavailable|not available/i

/**
 * Asks a node for the inner calls of blocks, by whichever method it has: the one that worked last comes first. A
 * node that loses old states may give one for old blocks and the other for new ones.
 */
export class BlockTracer {
  readonly #rpc: RpcClient
  #found: TraceMethod | undefined

  constructor(rpc: RpcClient, found?: TraceMethod) {
    this.#rpc = rpc
    this.#found = found
  }

  /** The method that worked last; undefined before the first. */
  get method(): TraceMethod | undefined {
    return this.#found
  }

  /** Throws RpcError when the node fails otherwise, and RetryableError for an answer about another block. */
  async trace(block: TracedBlock, signal: AbortSignal): Promise<TraceAnswer> {
    const order = this.#found === 'debug' ? (['debug', 'trace'] as const) : (['trace', 'debug'] as const)
    const failures: RpcError[] = []
    for (const method of order) {
      try {
        const calls = await this.#ask(method, block, signal)
        this.#found = method
        return { calls }
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        failures.push(error)
      }
    }
    const supported = failures.filter((error) => !error.unsupported)
    const lost = supported.find((error) => lostState.test(error.message))
    if (lost) return { missing: 'lost', reason: lost.message }
    const [failure] = supported
    if (failure) throw failure
    return { missing: 'unsupported', reason: 'the node has no trace method' }
  }

  /** The inner calls in an answer of `trace_block`; undefined where it is an error. */
  read(outcome: Outcome, block: TracedBlock): InnerCall[] | undefined {
    return 'error' in outcome ? undefined : readFlatTraces(outcome.result, block.hashes, block.hash)
  }

  async #ask(method: TraceMethod, block: TracedBlock, signal: AbortSignal): Promise<InnerCall[]> {
    const at = `0x${block.number.toString(16)}`
    if (method === 'trace') {
      return readFlatTraces(await this.#rpc.call('trace_block', [at], signal), block.hashes, block.hash)
    }
    const answer = await this.#rpc.call('debug_traceBlockByNumber', [at, { tracer: 'callTracer' }], signal)
    return readDebugTraces(answer, block.hashes)
  }
}

/** Of the distance to the head, the part that is passed over after a block whose state is gone. */
const stride = 128

/**
 * Decides which blocks are worth a question while a node can't trace. A node that prunes keeps the states of its
 * newest blocks only: below them a question now and then is enough, closer together towards the head, and each
 * block once it is within 128 of it. A node without any trace method is asked again after a while. What is passed
 * over is a gap, which the filler asks for later.
 */
export class TraceSchedule {
  readonly #askAgain: number
  #from = 0
  #notBefore = -Infinity

  /** `askAgain`: milliseconds until a node without a trace method is asked again. */
  constructor(askAgain: number) {
    this.#askAgain = askAgain
  }

  /** Whether to ask for a block. */
  allows(number: number): boolean {
    return number >= this.#from && performance.now() >= this.#notBefore
  }

  /** Takes note that the node could not trace a block; `head` is its newest one. */
  missing(kind: 'lost' | 'unsupported', number: number, head: number): void {
    if (kind === 'unsupported') this.#notBefore = performance.now() + this.#askAgain
    else this.#from = Math.max(this.#from, number + Math.max(1, Math.floor((head - number) / stride)))
  }
}
