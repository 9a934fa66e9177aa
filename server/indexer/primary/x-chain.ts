import { bytesList } from '../../store/sql-literals.ts'
import type { Database } from '../../store/database.ts'
import { FatalError } from '../../kernel/errors.ts'
import { refuse } from '../../kernel/json.ts'
import type { StoreSession } from '../../store/session.ts'
import type { IndexerStats } from '../../kernel/indexer-stats.ts'
import { decoding, type ProgressMeter } from '../../kernel/progress-meter.ts'
import { Prefetcher } from './prefetcher.ts'
import { Batch } from './batch/batch.ts'
import type { ProposerWrapper } from '../../../protocol/primary/proposer.ts'
import { decodeVertex, decodeXBlock, type XBlock } from '../../../protocol/primary/x-blocks.ts'
import { BlockIndex, type Wrapped } from './containers.ts'
import { type ChainDriver, NotYetError, otherBlock } from './follower.ts'
import { type Container, containersAtOnce, type PrimaryNode } from './node.ts'
import { keyOf } from './batch/rows.ts'
import { type Cursor, fillRun, type Run, runBytes, writeRun, writeRuns } from './batch/runs.ts'
import { countStrays, registerChain } from './batch/store.ts'
import {
  applyVertex,
  applyXBlock,
  applyXGenesis,
  type KnownTransactions,
  type PlacedVertex,
  vertexHeight,
} from './x-apply.ts'
import type { XRules } from './x-effects.ts'
import type { Strays } from './batch/utxos.ts'
import { cb58 } from '../../../protocol/ids/text.ts'

type XChainOptions = {
  readonly node: PrimaryNode
  readonly session: StoreSession
  readonly stats: IndexerStats
  readonly concurrency: number
  readonly startOver: boolean
  /** Fetches the constants; called once the node answers. */
  readonly rules: (signal: AbortSignal) => Promise<XRules>
}

/**
 * Blocks and vertices wait as bytes: decoded ones are many times as large and would survive several garbage
 * collections.
 */
const sizeOf = ({ block }: Wrapped): number => block.length
type FetchedVertex = Container & { readonly index: number }

/** Vertices per transaction. Each one queries what was written before it. */
const runVertices = 1_024

/** The X-Chain: first its vertices, if the node has an index of them, then its blocks. */
export class XChain implements ChainDriver {
  readonly name = 'X-Chain'
  readonly chain: number
  readonly #options: XChainOptions
  #rules: XRules | undefined
  #index: BlockIndex | undefined
  /** The last applied block; after each connection, the last written one. */
  #cursor: Cursor = { height: -1, id: '', ts: 0 }
  #strays: Strays = { next: 0 }

  constructor(chain: number, options: XChainOptions) {
    this.chain = chain
    this.#options = options
  }

  get height(): number {
    return this.#cursor.height
  }

  async connect(signal: AbortSignal): Promise<void> {
    const { node, session, startOver } = this.#options
    const rules = await this.#options.rules(signal)
    const block = decodeXBlock(await node.block('X', 0, signal))
    this.#index = await BlockIndex.open(node, 'xBlocks', (bytes) => decodeXBlock(bytes).height, signal)
    const identity = {
      chain: this.chain,
      name: this.name,
      blockchainId: rules.xId,
      genesis: block.id,
      avaxAsset: rules.avaxAsset,
      version: await node.version(signal),
      hasIndex: this.#index !== undefined,
    }
    await session.transaction((sql) => registerChain(sql, identity, startOver))
    this.#rules = rules
    this.#strays = { next: await session.use((sql) => countStrays(sql, this.chain)) }
    const [last] = await session.use(
      (sql) => sql<{ height: bigint; id: Buffer; ts: bigint }[]>`
        select height, id, ts from primary_blocks where chain = ${this.chain} order by height desc limit 1`,
    )
    this.#cursor = last
      ? { height: Number(last.height), id: keyOf(last.id), ts: Number(last.ts) }
      : { height: -1, id: '', ts: 0 }
    if (!last) await this.#begin(block, signal)
  }

  async head(signal: AbortSignal): Promise<number> {
    return this.#options.node.height('X', signal)
  }

  async idAt(height: number, signal: AbortSignal): Promise<Uint8Array> {
    return decodeXBlock(await this.#options.node.block('X', height, signal)).id
  }

  close(): void {
    this.#options.node.close()
  }

  /** Stores the genesis assets, the vertices and block 0, from which on the chain is linear. */
  async #begin(block: XBlock, signal: AbortSignal): Promise<void> {
    const { session, node } = this.#options
    const rules = this.#current()
    const [stored] = await session.use(
      (sql) => sql<{ assets: bigint }[]>`select count(*) as assets from assets where chain = ${this.chain}`,
    )
    if (stored?.assets === 0n) await this.#writeGenesis(rules, signal)
    const count = (await node.containerCount('xVertices', signal)) ?? 0
    if (count > 0) await this.#takeVertices(count, signal)
    const batch = new Batch(this.chain)
    const before = this.#cursor
    const transactions = this.#applyPTx(batch, block, undefined)
    const run = { batch, before, cursor: this.#cursor, blocks: 1, transactions }
    await writeRun(this.#options, this.chain, run, 0)
  }

  async #writeGenesis(rules: XRules, signal: AbortSignal): Promise<void> {
    const { session, node } = this.#options
    const [first] = await session.use(
      (sql) => sql<{ ts: bigint }[]>`
        select ts from primary_blocks where chain = ${rules.pChain} and height = 0`,
    )
    if (!first) throw new NotYetError('waits for the genesis of the P-Chain')
    const { unsigned } = await node.pTx(rules.xId, signal)
    if (unsigned.type !== 'CreateChainTx') throw new FatalError('the X-Chain was made by another transaction')
    const batch = new Batch(this.chain)
    applyXGenesis({ rules, batch, strays: { next: 0 } }, unsigned.genesis, Number(first.ts))
    await session.transaction((sql) => batch.write(sql))
  }

  async #takeVertices(count: number, signal: AbortSignal): Promise<void> {
    const { session, node, stats } = this.#options
    const [row] = await session.use(
      (sql) => sql<{ next: bigint }[]>`
        select coalesce(max(index) + 1, 0) as next from vertices where chain = ${this.chain}`,
    )
    const from = Number(row?.next ?? 0n)
    const stop = new AbortController()
    const both = AbortSignal.any([signal, stop.signal])
    const prefetcher = new Prefetcher<FetchedVertex>({
      from,
      to: count - 1,
      chunk: containersAtOnce,
      concurrency: 2,
      fetch: async (start, size) =>
        (await node.containers('xVertices', start, size, both)).map((container, offset) => ({
          ...container,
          index: start + offset,
        })),
      sizeOf: ({ bytes }) => bytes.length,
      onDepth: (depth) => {
        stats.queueDepth = depth
      },
    })
    try {
      while (!signal.aborted) {
        const vertices = await prefetcher.take(runVertices, runBytes)
        if (vertices.length === 0) return
        await this.#applyVertices(vertices.map(readVertex))
      }
    } finally {
      prefetcher.close()
      stop.abort()
    }
    throw refuse('the vertices were not read to their end')
  }

  /** Applies vertices in one transaction. */
  async #applyVertices(vertices: readonly PlacedVertex[]): Promise<void> {
    const { session, stats } = this.#options
    const rules = this.#current()
    const ids = vertices.flatMap(({ vertex }) => vertex.transactions.map(({ id }) => id))
    const known = await session.use((sql) => this.#knownTransactions(sql, ids))
    const batch = new Batch(this.chain)
    const effects = { rules, batch, strays: this.#strays }
    for (const vertex of vertices) applyVertex(effects, vertex, known)
    await session.transaction((sql) => batch.write(sql))
    stats.transactionsApplied += ids.length
  }

  /** Finds transactions that an earlier vertex contained, and the next free index. */
  async #knownTransactions(sql: Database, ids: readonly Uint8Array[]): Promise<KnownTransactions> {
    const rows = await sql<{ id: Buffer }[]>`
      select id from primary_transactions
      where id in (select unnest(${bytesList(ids)}::text::bytea[])) and chain = ${this.chain}`
    const [last] = await sql<{ next: number }[]>`
      select coalesce(max(index) + 1, 0) as next from primary_transactions
      where chain = ${this.chain} and height = ${vertexHeight}`
    return { ids: new Set(rows.map((row) => keyOf(row.id))), next: Number(last?.next ?? 0) }
  }

  async advance(head: number, progress: ProgressMeter, signal: AbortSignal): Promise<void> {
    const { concurrency, stats } = this.#options
    const from = this.height + 1
    const index = this.#index
    const indexed = (await index?.headAt(from, signal)) ?? -1
    const byIndex = indexed >= from
    const stop = new AbortController()
    const both = AbortSignal.any([signal, stop.signal])
    const prefetcher = new Prefetcher<Wrapped>({
      from,
      to: byIndex ? Math.min(head, indexed) : head,
      chunk: byIndex ? containersAtOnce : 1,
      concurrency: byIndex ? 2 : concurrency,
      fetch: (start, count) => this.#fetch(start, count, byIndex, both),
      sizeOf,
      onDepth: (depth) => {
        stats.queueDepth = depth
      },
    })
    try {
      await writeRuns(
        () => (signal.aborted ? Promise.resolve(undefined) : this.#gather(prefetcher, progress)),
        (run) => writeRun(this.#options, this.chain, run, head),
        progress,
      )
    } finally {
      prefetcher.close()
      stop.abort()
    }
  }

  async #fetch(from: number, count: number, byIndex: boolean, signal: AbortSignal): Promise<Wrapped[]> {
    return byIndex && this.#index
      ? this.#index.blocks(from, count, signal)
      : [{ block: await this.#options.node.block('X', from, signal), wrapper: undefined }]
  }

  /** Applies the blocks of a run as they arrive; undefined if there are no more. */
  async #gather(prefetcher: Prefetcher<Wrapped>, progress: ProgressMeter): Promise<Run | undefined> {
    const batch = new Batch(this.chain)
    const before = this.#cursor
    let transactions = 0
    const blocks = await fillRun(
      (limit, bytes) => progress.time('waitedMs', prefetcher.take(limit, bytes)),
      sizeOf,
      async (taken) => {
        decoding(this.#options.stats, () => {
          for (const { block, wrapper } of taken)
            transactions += this.#applyPTx(batch, this.#decodeNext(block), wrapper)
        })
      },
    )
    return blocks === 0 ? undefined : { batch, before, cursor: this.#cursor, blocks, transactions }
  }

  #decodeNext(bytes: Uint8Array): XBlock {
    const block = decodeXBlock(bytes)
    const wanted = this.height + 1
    if (block.height !== wanted) throw refuse(`the node gave X-Chain block ${block.height} for ${wanted}`)
    return block
  }

  /** Adds the rows of a block and advances to it. Returns its number of transactions. */
  #applyPTx(batch: Batch, block: XBlock, wrapper: ProposerWrapper | undefined): number {
    const cursor = this.#cursor
    if (cursor.height >= 0 && keyOf(block.parentId) !== cursor.id) {
      throw otherBlock(this.name, cursor.height, keyOf(block.parentId))
    }
    applyXBlock({ rules: this.#current(), batch, strays: this.#strays }, block, wrapper)
    this.#cursor = { height: block.height, id: keyOf(block.id), ts: block.time }
    return block.transactions.length
  }

  #current(): XRules {
    if (!this.#rules) throw new FatalError('the X-Chain is not connected')
    return this.#rules
  }
}

/** Decodes a vertex and checks it against its id. */
function readVertex({ id, bytes, index, ts }: FetchedVertex): PlacedVertex {
  const vertex = decodeVertex(bytes)
  if (cb58(vertex.id) !== id) throw refuse(`a vertex has another id than ${id}`)
  return { vertex, index, ts }
}
