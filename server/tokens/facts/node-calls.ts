import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../store/database.ts'
import type { ChainConfig } from '../../kernel/settings/config.ts'
import { RetryableError, RpcError, type FailureKind } from '../../kernel/errors.ts'
import { RpcClient, type Call, type Outcome } from '../../node/rpc.ts'
import { defaultPace } from '../../kernel/pause.ts'
import { createStats } from '../../kernel/indexer-stats.ts'

/**
 * The result of a contract call: the answer's hex text, or the reason why there is none: the contract
 * reverted (`reverted`), the answer is too large (`tooLarge`) or too slow (`late`).
 */
export type Answer = { readonly result: unknown } | { readonly failed: 'reverted' | 'tooLarge' | 'late' }

/** Failures of a batch that may be caused by one of its calls. */
const brokenByOne: ReadonlySet<FailureKind> = new Set(['malformed', 'tooLarge', 'timeout', 'rpc'])

/** What a worker that asks a chain's node needs. */
export type WorkerOptions = {
  readonly database: Database
  readonly chain: ChainConfig
  readonly logger: Pick<FastifyBaseLogger, 'warn'>
  /** Unix seconds. */
  readonly clock: () => number
  /** Milliseconds between two looks for work. */
  readonly tick?: number
}

/** Calls per batch: public nodes accept 40. */
const largestBatch = 40

/**
 * The workers' client of a chain's node. It is separate from the indexer's, so a token cannot delay blocks.
 * It does not slow down after failures, so one contract's failures do not delay the next; the worker pauses
 * if the node itself fails.
 */
export class NodeCalls {
  readonly #rpc: RpcClient

  /** The gas of a call is left to the node's limit: some nodes refuse a call with more gas than a block. */
  constructor(config: ChainConfig, options: { maxBytes: number; concurrency: number }) {
    this.#rpc = new RpcClient({
      url: config.rpcUrl,
      timeout: config.requestSeconds * 1000,
      stats: createStats(),
      concurrency: options.concurrency,
      maxBytes: options.maxBytes,
      pace: { ...defaultPace, first: 0, longest: 0 },
    })
  }

  /** Any other method; throws the errors of RpcClient. */
  ask(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    return this.#rpc.call(method, params, signal)
  }

  /** The height of the node's head. */
  async blockNumber(signal: AbortSignal): Promise<bigint> {
    const answer = await this.ask('eth_blockNumber', [], signal)
    if (typeof answer === 'string' && /^0x[0-9a-f]{1,16}$/i.test(answer)) return BigInt(answer)
    throw new RetryableError('malformed', 'the node answers no block number')
  }

  /**
   * Calls a contract at a block. Throws RetryableError if the node did not answer, or failed for a reason of
   * its own such as missing state (kind `rpc`).
   */
  call(to: string, data: string, block: unknown, signal: AbortSignal): Promise<Answer> {
    return this.#alone(callOf({ to, data }, block), signal)
  }

  /**
   * Calls contracts in as few requests as the node accepts. If a batch fails as a whole, because one answer
   * is too large or slow, its calls are repeated individually.
   */
  batch(
    calls: readonly { readonly to: string; readonly data: string }[],
    block: unknown,
    signal: AbortSignal,
  ): Promise<Answer[]> {
    return this.#all(
      calls.map((each) => callOf(each, block)),
      signal,
    )
  }

  /** The codes at addresses, at the node's latest block, in as few requests as `batch`. */
  codes(addresses: readonly string[], signal: AbortSignal): Promise<Answer[]> {
    return this.#all(
      addresses.map((address) => ['eth_getCode', [address, 'latest']]),
      signal,
    )
  }

  async #all(calls: readonly Call[], signal: AbortSignal): Promise<Answer[]> {
    const answers: Answer[] = []
    for (let start = 0; start < calls.length; start += largestBatch) {
      const part = calls.slice(start, start + largestBatch)
      const outcomes = await this.#together(part, signal)
      if (outcomes) answers.push(...outcomes)
      else for (const call of part) answers.push(await this.#alone(call, signal))
    }
    return answers
  }

  async #alone([method, params]: Call, signal: AbortSignal): Promise<Answer> {
    try {
      return { result: await this.#rpc.call(method, params, signal) }
    } catch (error) {
      return failureOf(error, signal)
    }
  }

  async #together(calls: readonly Call[], signal: AbortSignal): Promise<Answer[] | undefined> {
    let outcomes: Outcome[]
    try {
      outcomes = await this.#rpc.batch(calls, signal)
    } catch (error) {
      if (signal.aborted || !(error instanceof RetryableError)) throw error
      if (brokenByOne.has(error.kind)) return undefined
      throw error
    }
    return outcomes.map((outcome) => ('error' in outcome ? failureOf(outcome.error, signal) : outcome))
  }

  close(): void {
    this.#rpc.close()
  }
}

const callOf = ({ to, data }: { readonly to: string; readonly data: string }, block: unknown): Call => [
  'eth_call',
  [{ to, data }, block],
]

/** Returns a contract's own failure, and throws a failure of the node. */
function failureOf(error: unknown, signal: AbortSignal): Answer {
  if (error instanceof RpcError) {
    if (isContractFailure(error)) return { failed: 'reverted' }
    throw new RetryableError('rpc', error.message, { cause: error })
  }
  if (error instanceof RetryableError && !signal.aborted) {
    if (error.kind === 'tooLarge') return { failed: 'tooLarge' }
    if (error.kind === 'timeout') return { failed: 'late' }
  }
  throw error
}

/**
 * Code 3 is a revert with data; the messages are those of geth, coreth, erigon, nethermind, besu, reth and
 * anvil.
 */
function isContractFailure({ code, message }: RpcError): boolean {
  return (
    code === 3 ||
    /revert|opcode|out of gas|outofgas|gas required|stack (under|over)|invalid jump|invalidjump|execution (error|aborted|failed)|evm error|vm execution|exceeds (block )?gas/i.test(
      message,
    )
  )
}
