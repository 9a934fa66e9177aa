import { RetryableError } from '../../kernel/errors.ts'
import { delayAfter, pause } from '../../kernel/pause.ts'
import type { WorkerOptions } from './node-calls.ts'

/** Milliseconds until a worker asks a failed node again: the first and the longest delay. */
const delay = { first: 1_000, longest: 60_000 }

/** How a worker waits for its node: longer with each failure in a row, of which the log has the first. */
export class NodeFailures {
  readonly #options: Pick<WorkerOptions, 'chain' | 'logger'>
  readonly #what: string
  #count = 0

  /** `what` says in the log what the node failed to give. */
  constructor(options: Pick<WorkerOptions, 'chain' | 'logger'>, what: string) {
    this.#options = options
    this.#what = what
  }

  /** The node answered. */
  end(): void {
    this.#count = 0
  }

  /** Waits after a failure of the node, at least as long as the node asks. Throws any other error; returns after the signal. */
  async wait(error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    if (!(error instanceof RetryableError) || error.kind === 'store') throw error
    const { chain, logger } = this.#options
    this.#count += 1
    if (this.#count === 1)
      logger.warn({ chain: chain.evmChainId, err: error }, `the node gives no ${this.#what}, asking later`)
    await pause(Math.max(delayAfter(this.#count, delay), error.retryAfter ?? 0), signal)
  }
}
