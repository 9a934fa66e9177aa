import type { ChainConfig } from '../../kernel/config.ts'
import { RetryableError, RpcError, type FailureKind } from '../../kernel/errors.ts'
import { RpcClient, type Call, type Outcome } from '../../node/rpc.ts'
import { usualPace } from '../../kernel/pause.ts'
import { createStats } from '../../kernel/indexer-stats.ts'

/**
 * What a call of a contract came to: the answer's hex text, or nothing usable because the contract refused
 * (`reverted`), answered more than is read (`tooLarge`), or took too long (`late`).
 */
export type Answer = { readonly result: unknown } | { readonly failed: 'reverted' | 'tooLarge' | 'late' }

/** Failures of a batch that one of its calls may be the cause of. */
const brokenByOne: ReadonlySet<FailureKind> = new Set(['malformed', 'tooLarge', 'timeout', 'rpc'])

/** Calls of one batch: public nodes take 40. */
const largestBatch = 40

/**
 * A client of a chain's node for the workers, apart from the indexer's: what a token does to it holds up no
 * block. It keeps no pace of its own, so that one contract's bad answers do not slow the next; the worker
 * pauses when the node itself fails.
 */
export class NodeCalls {
  readonly #rpc: RpcClient

  /** The gas of a call is left to the node's own bound: some refuse a call that asks for more than a block has. */
  constructor(config: ChainConfig, options: { maxBytes: number; concurrency: number }) {
    this.#rpc = new RpcClient({
      url: config.rpcUrl,
      timeout: config.requestSeconds * 1000,
      stats: createStats(),
      concurrency: options.concurrency,
      maxBytes: options.maxBytes,
      pace: { ...usualPace, first: 0, longest: 0 },
    })
  }

  /** Any other method, with the errors of RpcClient. */
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
   * Calls a contract at a block. Throws RetryableError when the node did not answer, or has an error of its
   * own such as missing state (kind `rpc`).
   */
  async call(to: string, data: string, block: unknown, signal: AbortSignal): Promise<Answer> {
    try {
      return { result: await this.#rpc.call('eth_call', [{ to, data }, block], signal) }
    } catch (error) {
      return judge(error, signal)
    }
  }

  /**
   * Calls contracts in as few requests as the node takes. A batch that fails as a whole, because one answer is
   * huge or slow, is asked again call by call.
   */
  async batch(
    calls: readonly { readonly to: string; readonly data: string }[],
    block: unknown,
    signal: AbortSignal,
  ): Promise<Answer[]> {
    const answers: Answer[] = []
    for (let start = 0; start < calls.length; start += largestBatch) {
      const part = calls.slice(start, start + largestBatch)
      const outcomes = await this.#together(
        part.map(({ to, data }) => ['eth_call', [{ to, data }, block]] as const),
        signal,
      )
      if (outcomes) answers.push(...outcomes)
      else for (const { to, data } of part) answers.push(await this.call(to, data, block, signal))
    }
    return answers
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
    return outcomes.map((outcome) => ('error' in outcome ? judge(outcome.error, signal) : outcome))
  }

  close(): void {
    this.#rpc.close()
  }
}

/** Tells a contract's own failure from the node's, which is thrown. */
function judge(error: unknown, signal: AbortSignal): Answer {
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

/** Code 3 is a revert with data; the words are those of geth, coreth, erigon, nethermind, besu, reth and anvil. */
function isContractFailure({ code, message }: RpcError): boolean {
  return (
    code === 3 ||
    /revert|opcode|out of gas|outofgas|gas required|stack (under|over)|invalid jump|invalidjump|execution (error|aborted|failed)|evm error|vm execution|exceeds (block )?gas/i.test(
      message,
    )
  )
}
