import { FatalError, RetryableError } from '../kernel/errors.ts'
import { createStats, type IndexerStats } from '../kernel/indexer-stats.ts'
import { BlockFetcher, type FetchedBlock } from '../indexer/evm/fetch.ts'
import { askIdentity, type Identity } from '../indexer/evm/ask-identity.ts'
import { follows } from '../indexer/evm/links.ts'
import { Prefetcher, type TakeLimits } from '../indexer/evm/prefetcher.ts'
import { Settlements } from '../indexer/evm/settled-receipts.ts'
import { JoinedBatches, maxJoined } from '../node/joined-batches.ts'
import { RpcClient } from '../node/rpc.ts'
import type { LakeEngine } from './engine.ts'
import type { BlockRange, Manifest, WantedRange } from './manifest.ts'
import { RangeWriter } from './range-writer.ts'
import { bytesOfRows, rowsOfBlock, type LakeBlock } from './rows.ts'
import type { LakeTable } from './tables.ts'

/** Where a lake's blocks come from, and where its files go. */
export type ExtractSource = {
  /** The EVM chain id. */
  readonly chain: number
  readonly rpcUrl: string
  readonly root: string
  readonly traces: Manifest['traces']
  /** Requests under way at once. */
  readonly concurrency: number
}

/** Milliseconds until a request fails. */
const timeout = 30_000
const batch: TakeLimits = { blocks: 64, bytes: 8 * 1024 * 1024, wait: 0 }

/**
 * A block as it waits to be written. Its rows are bytes, because text that is put together from parts of an answer keeps
 * these in memory.
 */
type Waiting = Omit<LakeBlock, 'rows'> & { readonly rows: Readonly<Record<LakeTable, Buffer>> }

/** A range that was written, and how long that took, without waiting for others. */
type Written = { readonly manifest: Manifest; readonly milliseconds: number }

/**
 * Reads ranges from one node and writes them. Every block passes the indexer's checks: hashes, roots, counts,
 * and the link to the one before it. Of several ranges, one is read at a time, while the one before becomes Parquet and
 * reaches the disk.
 */
export class Extractor {
  readonly #source: ExtractSource
  readonly #engine: LakeEngine
  readonly #rpc: RpcClient
  readonly #batches: JoinedBatches
  readonly #stats: IndexerStats = createStats()
  #node: { readonly identity: Identity; readonly fetcher: BlockFetcher } | undefined
  #reading: Promise<unknown> = Promise.resolve()
  #writing: Promise<void> = Promise.resolve()

  constructor(source: ExtractSource, engine: LakeEngine) {
    this.#source = source
    this.#engine = engine
    const { rpcUrl, concurrency } = source
    this.#rpc = new RpcClient({ url: rpcUrl, timeout, stats: this.#stats, concurrency })
    this.#batches = new JoinedBatches({ rpc: this.#rpc, exchanges: concurrency })
  }

  /**
   * Writes one range. Throws FatalError if the node can't trace a block although traces are wanted, or serves
   * another chain than expected, and RetryableError if the node failed or changed its mind.
   */
  async write(range: WantedRange, signal: AbortSignal): Promise<Written> {
    const before = this.#writing
    const written = this.#write(range, signal)
    this.#writing = Promise.allSettled([before, written]).then(() => undefined)
    try {
      return await written
    } catch (error) {
      // Who hears of a failure may end the process, and with it the range before.
      await before
      throw error
    }
  }

  async #write({ lastHash, ...range }: WantedRange, signal: AbortSignal): Promise<Written> {
    const { chain, root, traces } = this.#source
    const read = this.#reading.then(async () => {
      const began = performance.now()
      const { identity, fetcher } = await this.#connect(signal)
      const writer = await RangeWriter.create({ root, chain, range, engine: this.#engine })
      const ends = this.#copy(range, fetcher, writer, signal)
      await ends.catch(() => undefined)
      return { began, identity, writer, ends }
    })
    this.#reading = read.catch(() => undefined)
    const { began, identity, writer, ends } = await read
    try {
      const [first, last] = await ends
      if (lastHash !== undefined && last.hash !== lastHash)
        throw new FatalError(
          `block ${last.number} of the node is ${last.hash}, that of the store ${lastHash}`,
        )
      const manifest = await writer.finish({
        chain,
        genesisHash: identity.genesisHash,
        client: identity.clientVersion?.split('/')[0] ?? '',
        traces,
        first: { hash: first.hash, parentHash: first.parentHash, ts: first.ts },
        last: { hash: last.hash, ts: last.ts },
      })
      return { manifest, milliseconds: performance.now() - began }
    } catch (error) {
      await writer.discard()
      throw error
    }
  }

  close(): void {
    this.#rpc.close()
  }

  async #connect(signal: AbortSignal): Promise<{ identity: Identity; fetcher: BlockFetcher }> {
    if (this.#node) return this.#node
    const { chain, traces } = this.#source
    const identity = await askIdentity(this.#rpc, chain, signal)
    const fetcher = new BlockFetcher({
      rpc: this.#rpc,
      batches: this.#batches,
      chain,
      stats: this.#stats,
      clientVersion: identity.clientVersion,
      traces,
      traceSource: traces === 'off' ? 'none' : traces,
      traceAgain: 0,
      finalityAgain: 0,
      onTraces: () => undefined,
    })
    this.#node = { identity, fetcher }
    return this.#node
  }

  /** Fetches, checks and adds the blocks of a range. Returns the first and the last. */
  async #copy(
    range: BlockRange,
    fetcher: BlockFetcher,
    writer: RangeWriter,
    signal: AbortSignal,
  ): Promise<[Waiting, Waiting]> {
    const stop = new AbortController()
    const both = AbortSignal.any([signal, stop.signal])
    const queue = new Prefetcher<Waiting>({
      ...range,
      // So many blocks are awaited, but no more requests than `concurrency` are under way.
      concurrency: this.#source.concurrency * maxJoined,
      fetch: (number) => fetcher.read(number, both, (block) => this.#toRows(block)),
      onDepth: () => undefined,
    })
    const { chain } = this.#source
    const settlements = new Settlements({
      session: undefined,
      chain,
      earlierBlock: (number) => fetcher.block(number, both),
    })
    let first: Waiting | undefined
    let last: Waiting | undefined
    try {
      for (;;) {
        const blocks = await queue.take(batch)
        if (blocks.length === 0) break
        for (const block of blocks) {
          if (last) checkLink(last, block)
          first ??= block
          last = block
          await writer.add(block.rows, block.counts)
        }
        await settlements.check(blocks)
      }
      if (!first || !last || last.number !== range.to) throw new Error('a range ended early')
      await settleAll(last, settlements, fetcher, both)
      return [first, last]
    } finally {
      queue.close()
      stop.abort()
    }
  }

  #toRows(block: FetchedBlock): Waiting {
    const { chain, traces } = this.#source
    const decoded = rowsOfBlock(chain, block)
    if (!decoded.traced && traces !== 'off') {
      throw new FatalError(
        `the node can't trace block ${decoded.number}: use a node that keeps its state, or --traces off`,
      )
    }
    return { ...decoded, rows: bytesOfRows(decoded.rows) }
  }
}

function checkLink(parent: Waiting, block: Waiting): void {
  if (!follows(block, parent.hash))
    throw new RetryableError('disagreement', `block ${block.number} does not follow block ${parent.number}`)
  if (block.ts < parent.ts)
    throw new RetryableError('refused', `block ${block.number} is older than its parent`)
}

/**
 * The receipts of the last blocks may only be proven by later blocks, which settle them: follows the chain
 * until it has settled `last`.
 */
async function settleAll(
  last: Waiting,
  settlements: Settlements,
  fetcher: BlockFetcher,
  signal: AbortSignal,
): Promise<void> {
  let { hash } = last
  for (let number = last.number + 1; (settlements.settled ?? last.number) < last.number; number += 1) {
    const block = await fetcher.block(number, signal)
    if (!follows(block, hash))
      throw new RetryableError('disagreement', `block ${number} does not follow block ${number - 1}`)
    await settlements.check([block])
    hash = block.hash
  }
}
