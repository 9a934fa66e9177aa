import { RetryableError, RpcError } from '../../kernel/errors.ts'
import type { IndexerStats } from '../../kernel/indexer-stats.ts'
import { decoding } from '../../kernel/progress-meter.ts'
import type { TraceSource } from './apply.ts'
import { decodeBlock, hasFailed, type DecodedBlock } from './decode.ts'
import { hex, integer, list, object, refuse, type JsonObject } from '../../kernel/json.ts'
import type { Call, Outcome, RpcClient } from '../../node/rpc.ts'
import type { JoinedBatches } from '../../node/joined-batches.ts'
import { BlockTracer, TraceSchedule, type TraceMethod } from './tracer.ts'
import { needsTraces, type BlockTraces } from './traces.ts'
import { verifyBlock, type CheckedBlock } from './verify/verify-block.ts'

/** The node's newest block; `ts` in Unix seconds. */
export type Head = {
  readonly number: number
  readonly hash: string
  readonly ts: number
  /** The highest block that the node regards as final; undefined if it does not tell. */
  readonly finalized: number | undefined
}

type FetcherOptions = {
  rpc: RpcClient
  /** Sends the batches that ask for a block; `rpc` if it is omitted. */
  batches?: JoinedBatches
  chain: number
  stats: IndexerStats
  /** The client version that the node reports. */
  clientVersion?: string | undefined
  /**
   * Whether to ask for inner calls. With `off`, every block that may contain inner calls is stored without
   * them. `auto` finds out which method the node supports; with a method, only that one is used.
   */
  traces: 'auto' | 'off' | TraceMethod
  /** The method that last returned traces. */
  traceSource: TraceSource
  /** Milliseconds until a node without a trace method is asked for traces again. */
  traceAgain: number
  /** Milliseconds until the node is asked again what is final, although its head is the same or it refused to tell. */
  finalityAgain: number
  /** Called when the node turns out not to trace a block, and when it traces again. */
  onTraces(change: { number: number; missing?: string }): void
}

/** A block's answer after all checks. */
export type FetchedBlock = {
  readonly checked: CheckedBlock
  /** Undefined if the node could not trace the block. */
  readonly traces: BlockTraces | undefined
}

/** Attempts to fetch a block before the failure is thrown. */
const attempts = 4

/** Fetches blocks from a node and returns only those that pass every check. */
export class BlockFetcher {
  readonly #options: FetcherOptions
  readonly #rpc: RpcClient
  readonly #tracer: BlockTracer
  readonly #schedule: TraceSchedule
  #source: TraceSource
  #isMissing = false
  #reportedAt = 0
  #newest = 0
  #blockReceipts = true
  #knowsLatest = true
  /** The final height, when and at which head the node told it; `hash` is undefined if the node refused to tell. */
  #finality: { hash: string | undefined; at: number; number: number | undefined } | undefined

  constructor(options: FetcherOptions) {
    this.#options = options
    this.#rpc = options.rpc
    const { traceSource } = options
    this.#source = options.traces === 'off' ? 'none' : traceSource
    this.#tracer = new BlockTracer(
      options.rpc,
      traceSource === 'debug' || traceSource === 'trace' ? traceSource : undefined,
      options.traces === 'debug' || options.traces === 'trace' ? options.traces : undefined,
    )
    this.#schedule = new TraceSchedule(options.traceAgain)
  }

  /** The node's trace method; `none` also if tracing is off. */
  get traceSource(): TraceSource {
    return this.#source
  }

  /** The node's latest block. */
  async head(signal: AbortSignal): Promise<Head> {
    const block = object(await this.#latest(signal), 'the latest block')
    this.#newest = integer(block['number'], 'the number')
    const hash = hex(block['hash'], 'the hash', 32)
    const ts = integer(block['timestamp'], 'the timestamp')
    const finalized = await this.#finalized(hash, signal)
    return {
      number: this.#newest,
      hash,
      ts,
      finalized: finalized === undefined ? undefined : Math.min(finalized, this.#newest),
    }
  }

  /**
   * The height of the tag `finalized`; undefined for a node that does not know it, or has no such block yet. Most polls
   * find no new head and need no request; but what is final may advance without one.
   */
  async #finalized(head: string, signal: AbortSignal): Promise<number | undefined> {
    const now = performance.now()
    const known = this.#finality
    if (
      known &&
      (known.hash === undefined || known.hash === head) &&
      now - known.at < this.#options.finalityAgain
    )
      return known.number
    const finality = { hash: head as string | undefined, at: now, number: undefined as number | undefined }
    try {
      const block = await this.#rpc.call('eth_getBlockByNumber', ['finalized', false], signal)
      if (block !== null && block !== undefined)
        finality.number = integer(object(block, 'the finalized block')['number'], 'the number')
    } catch (error) {
      // What else fails is reported by the request for the head beside it.
      if (error instanceof RpcError) finality.hash = undefined
    }
    this.#finality = finality
    return finality.number
  }

  /** The latest block by tag, or by height if the node does not know the tag. */
  async #latest(signal: AbortSignal): Promise<unknown> {
    try {
      if (this.#knowsLatest) return await this.#rpc.call('eth_getBlockByNumber', ['latest', false], signal)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
    }
    const height = integer(await this.#rpc.call('eth_blockNumber', [], signal), 'the height')
    const block = await this.#rpc.call('eth_getBlockByNumber', [quantityText(height), false], signal)
    this.#knowsLatest = false
    return block
  }

  /** The node's block hashes at the given heights; undefined for blocks that it does not have. */
  async hashes(numbers: readonly number[], signal: AbortSignal): Promise<(string | undefined)[]> {
    const calls = numbers.map((number): Call => ['eth_getBlockByNumber', [quantityText(number), false]])
    const outcomes = await this.#rpc.batch(calls, signal)
    return outcomes.map((outcome) => {
      const block = resultOf(outcome)
      return block === null || block === undefined
        ? undefined
        : hex(object(block, 'a block')['hash'], 'the hash', 32)
    })
  }

  /**
   * Fetches one block with receipts and inner calls, checks it and decodes it. A refused or failed answer is
   * requested again a few times; then RetryableError is thrown.
   */
  async block(number: number, signal: AbortSignal): Promise<DecodedBlock> {
    const { chain } = this.#options
    return this.read(number, signal, ({ checked, traces }) => decodeBlock(chain, checked, traces))
  }

  /** Like `block`, with another way to decode it, whose refusals are treated alike. */
  async read<Decoded>(
    number: number,
    signal: AbortSignal,
    decode: (block: FetchedBlock) => Decoded,
  ): Promise<Decoded> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const isLast = attempt >= attempts
        const { block, traces: asked } = await this.#ask(number, isLast, signal)
        const traces = await this.#traces(block, asked, isLast, signal)
        return decoding(this.#options.stats, () => decode({ checked: block, traces }))
      } catch (error) {
        const again = error instanceof RetryableError || error instanceof RpcError
        if (error instanceof RetryableError && error.kind === 'refused') {
          this.#options.stats.refusedAnswers += 1
          this.#options.stats.rpcErrors.refused += 1
          this.#rpc.slowDown()
        } else if (error instanceof RpcError) {
          this.#options.stats.rpcErrors.rpc += 1
          this.#rpc.slowDown()
        }
        if (!again || attempt >= attempts || signal.aborted) throw error
      }
    }
  }

  /**
   * Requests the block together with the traces of its transactions if the node supports `trace_block`. If it gives no
   * receipt for some transactions again and again, the last attempt asks for each alone.
   */
  async #ask(
    number: number,
    isLast: boolean,
    signal: AbortSignal,
  ): Promise<{ block: CheckedBlock; traces?: Outcome }> {
    if (!this.#blockReceipts) return { block: await this.#withSingleReceipts(number, signal) }
    const at = quantityText(number)
    const calls: Call[] = [
      ['eth_getBlockByNumber', [at, true]],
      ['eth_getBlockReceipts', [at]],
    ]
    if (this.#source === 'trace' && this.#schedule.allows(number)) calls.push(['trace_block', [at]])
    const [first, second, traces] = await (this.#options.batches ?? this.#rpc).batch(calls, signal)
    if (!first || !second) throw refuse(`block ${number}: no answer`)
    if ('error' in second && second.error.unsupported) {
      this.#blockReceipts = false
      return { block: await this.#withSingleReceipts(number, signal) }
    }
    const header = resultOf(first)
    const receipts = resultOf(second)
    if (header === null) throw refuse(`block ${number} is not there`)
    if (isLast && lacksReceipts(header, receipts))
      return { block: await this.#withSingleReceipts(number, signal) }
    if (receipts === null) throw refuse(`block ${number} is not there`)
    const block = decoding(this.#options.stats, () =>
      verifyBlock(header, receipts, { ...this.#options, number }),
    )
    return traces ? { block, traces } : { block }
  }

  /** Fetches receipts one by one, for nodes without `eth_getBlockReceipts`. */
  async #withSingleReceipts(number: number, signal: AbortSignal): Promise<CheckedBlock> {
    const answer = await this.#rpc.call('eth_getBlockByNumber', [quantityText(number), true], signal)
    if (answer === null) throw refuse(`block ${number} is not there`)
    const hashes = list(object(answer, 'a block')['transactions'], 'the transactions').map(
      (transaction) => object(transaction, 'a transaction')['hash'],
    )
    const receipts: unknown[] = []
    for (let start = 0; start < hashes.length; start += 100) {
      const calls = hashes
        .slice(start, start + 100)
        .map((hash): Call => ['eth_getTransactionReceipt', [hash]])
      receipts.push(...(await this.#rpc.batch(calls, signal)).map(resultOf))
    }
    return decoding(this.#options.stats, () => verifyBlock(answer, receipts, { ...this.#options, number }))
  }

  /**
   * The traces of a block; undefined if the node cannot trace it now, or if all its answers were refused: a block can be
   * stored without them, and the gap is filled later.
   */
  async #traces(
    block: CheckedBlock,
    traces: Outcome | undefined,
    isLast: boolean,
    signal: AbortSignal,
  ): Promise<BlockTraces | undefined> {
    if (!needsTraces(outcomesOf(block))) return { calls: [], ownCalls: [] }
    if (this.#options.traces === 'off' || !this.#schedule.allows(block.number)) return undefined
    const listed = traces && this.#tracer.read(traces, block)
    const answer =
      listed ??
      (await this.#tracer.trace(block, signal).catch((error: unknown) => {
        if (!isLast || !(error instanceof RetryableError) || error.kind !== 'refused') throw error
        return { missing: 'lost', reason: error.message } as const
      }))
    if ('calls' in answer) {
      this.#source = this.#tracer.method ?? 'unknown'
      this.#reportTracing(block.number)
      return answer
    }
    this.#schedule.missing(answer.missing, block.number, this.#newest)
    if (answer.missing === 'unsupported') this.#source = 'none'
    this.#reportTracing(block.number, answer.reason)
    return undefined
  }

  /**
   * Reports when the node stops or resumes tracing. Blocks are requested in parallel, so answers for earlier
   * blocks are ignored.
   */
  #reportTracing(number: number, missing?: string): void {
    if (this.#isMissing === (missing !== undefined) || number < this.#reportedAt) return
    this.#isMissing = missing !== undefined
    this.#reportedAt = number
    this.#options.onTraces(missing === undefined ? { number } : { number, missing })
  }
}

function lacksReceipts(header: unknown, receipts: unknown): boolean {
  const given = Array.isArray(receipts) ? receipts.length : 0
  return given < list(object(header, 'a block')['transactions'], 'the transactions').length
}

function outcomesOf(block: CheckedBlock) {
  return block.transactions.map((transaction, index) => {
    const receipt = receiptAt(block, index)
    return {
      input: String(transaction['input']),
      gasUsed: integer(receipt['gasUsed'], 'gas used'),
      hasFailed: hasFailed(receipt),
    }
  })
}

function receiptAt(block: CheckedBlock, index: number): JsonObject {
  return object(block.receipts[index], 'a receipt')
}

function resultOf(outcome: Outcome): unknown {
  if ('error' in outcome) throw outcome.error
  return outcome.result
}

/** A height in JSON-RPC's hex encoding. */
export function quantityText(number: number): string {
  return `0x${number.toString(16)}`
}
