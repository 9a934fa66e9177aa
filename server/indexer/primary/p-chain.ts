import { FatalError } from '../../kernel/errors.ts'
import type { IndexerStats } from '../../kernel/indexer-stats.ts'
import { decoding, type ProgressMeter } from '../../kernel/progress-meter.ts'
import type { StoreSession } from '../../store/session.ts'
import type { Prefetcher } from './prefetcher.ts'
import { Batch } from './batch/batch.ts'
import { decodePBlock, type PBlock } from '../../../protocol/primary/p-blocks.ts'
import { BlockIndex } from './containers.ts'
import { type ChainDriver, otherBlock } from './follower.ts'
import type { PrimaryNode } from './node.ts'
import { applyPBlock, type PBlockWithFacts } from './p-apply.ts'
import { applyPGenesis, type Genesis } from './p-genesis.ts'
import { confirmRewards, readPBlocks, sizeOf, type WaitingBlock, withRewards } from './p-reader.ts'
import { loadPState, type PRules, PState } from './p-state.ts'
import { keyOf } from './batch/rows.ts'
import { fillRun, type Run, writeBlocks, writeRun, writeRuns } from './batch/runs.ts'
import { countStrays, registerChain, type Identity } from './batch/store.ts'
import type { Strays } from './batch/utxos.ts'

type PChainOptions = {
  readonly node: PrimaryNode
  readonly session: StoreSession
  readonly stats: IndexerStats
  readonly concurrency: number
  readonly startOver: boolean
  /** Fetches the constants; called once the node answers. */
  readonly rules: (signal: AbortSignal) => Promise<PRules>
  /** Fetches the state before block 0; called once. */
  readonly genesis: (block: PBlock, rules: PRules, signal: AbortSignal) => Promise<Genesis>
}

/** The P-Chain: fetches its blocks from the index or by height and applies them. */
export class PChain implements ChainDriver {
  readonly name = 'P-Chain'
  readonly chain: number
  readonly #options: PChainOptions
  #state: PState | undefined
  #index: BlockIndex | undefined
  #genesisTime = 0
  /** Counts up while runs are written; read from the store again with each connection. */
  #strays: Strays = { next: 0 }

  constructor(chain: number, options: PChainOptions) {
    this.chain = chain
    this.#options = options
  }

  get height(): number {
    return this.#state?.height ?? -1
  }

  async connect(signal: AbortSignal): Promise<void> {
    const { node, session, startOver } = this.#options
    this.#state = undefined
    const rules = await this.#options.rules(signal)
    const block = decodePBlock(await node.block('P', 0, signal))
    this.#index = await BlockIndex.open(node, 'pBlocks', (bytes) => decodePBlock(bytes).height, signal)
    const identity: Identity = {
      chain: this.chain,
      name: this.name,
      blockchainId: new Uint8Array(32),
      genesis: block.id,
      avaxAsset: rules.avaxAsset,
      version: await node.version(signal),
      hasIndex: this.#index !== undefined,
    }
    const { minPrice, conversion } = rules.l1Fees
    const { helicon } = rules.upgrades
    await session.transaction(async (sql) => {
      await registerChain(sql, identity, startOver)
      await sql`
        update primary_chains set l1_min_price = ${minPrice.toString()}, l1_conversion = ${conversion.toString()},
          helicon_ts = ${Number.isFinite(helicon) ? helicon : null}
        where chain = ${this.chain}`
    })
    const state = await session.use((sql) => loadPState(sql, rules))
    if (state.height < 0) await this.#writeGenesis(block, rules, signal)
    else this.#state = state
    const [first] = await session.use(
      (sql) => sql<{ ts: bigint }[]>`
        select ts from primary_blocks where chain = ${this.chain} and height = 0`,
    )
    this.#genesisTime = Number(first?.ts ?? 0n)
    this.#strays = { next: await session.use((sql) => countStrays(sql, this.chain)) }
  }

  async head(signal: AbortSignal): Promise<number> {
    return this.#options.node.height('P', signal)
  }

  async idAt(height: number, signal: AbortSignal): Promise<Uint8Array> {
    return decodePBlock(await this.#options.node.block('P', height, signal)).id
  }

  close(): void {
    this.#options.node.close()
  }

  async advance(head: number, progress: ProgressMeter, signal: AbortSignal): Promise<void> {
    const { node, concurrency, stats } = this.#options
    const onDepth = (depth: number): void => {
      stats.queueDepth = depth
    }
    const source = { node, index: this.#index, concurrency, onDepth }
    const reading = await readPBlocks(source, this.height + 1, head, signal)
    try {
      await writeRuns(
        () => (signal.aborted ? Promise.resolve(undefined) : this.#gather(reading.blocks, progress, signal)),
        (run) => writeRun(this.#options, this.chain, run, head),
        progress,
      )
    } catch (error) {
      // The state in memory is ahead of the store and must be read again.
      this.#state = undefined
      throw error
    } finally {
      reading.close()
    }
  }

  /** Applies the blocks of a run as they arrive; undefined if there are no more. */
  async #gather(
    prefetcher: Prefetcher<WaitingBlock>,
    progress: ProgressMeter,
    signal: AbortSignal,
  ): Promise<Run | undefined> {
    const { node, stats } = this.#options
    const state = this.#current()
    const before = { height: state.height, id: state.id }
    const batch = new Batch(this.chain)
    const strays = this.#strays
    let transactions = 0
    const blocks = await fillRun(
      (limit, bytes) => progress.time('waitedMs', prefetcher.take(limit, bytes)),
      sizeOf,
      async (waiting) => {
        const taken = decoding(stats, () =>
          waiting.map(({ block, ...facts }) => ({ ...facts, block: decodePBlock(block) })),
        )
        this.#checkLinks(state, taken)
        const effects = { state, batch, genesisTime: this.#genesisTime, strays }
        const proposal = state.proposal?.tx
        const rewarded = withRewards(node, proposal, taken, signal)
        const blocks = await progress.time('waitedMs', rewarded)
        const odd = batch.oddCount
        decoding(stats, () => {
          for (const block of blocks) applyPBlock(effects, block)
        })
        if (batch.oddCount > odd) await confirmRewards(node, proposal, blocks, signal)
        for (const { block } of blocks) transactions += block.transactions.length
      },
    )
    if (blocks === 0) return undefined
    decoding(stats, () => batch.freeze())
    return { batch, before, cursor: cursorOf(state), blocks, transactions }
  }

  #current(): PState {
    if (!this.#state) throw new FatalError('the P-Chain is not connected')
    return this.#state
  }

  #checkLinks(state: PState, blocks: readonly PBlockWithFacts[]): void {
    let parent = state.id
    for (const [offset, { block }] of blocks.entries()) {
      const wanted = state.height + 1 + offset
      if (block.height !== wanted) {
        throw new FatalError(`the node gave P-Chain block ${block.height} for ${wanted}`)
      }
      if (keyOf(block.parentId) !== parent)
        throw otherBlock(this.name, block.height - 1, keyOf(block.parentId))
      parent = keyOf(block.id)
    }
  }

  async #writeGenesis(block: PBlock, rules: PRules, signal: AbortSignal): Promise<void> {
    const genesis = await this.#options.genesis(block, rules, signal)
    const state = new PState(rules)
    const batch = new Batch(this.chain)
    applyPGenesis({ state, batch, genesisTime: genesis.time, strays: { next: 0 } }, genesis, block)
    const rows = { batch, before: { height: -1, id: '' }, cursor: cursorOf(state) }
    // With the node's head, so that nobody takes a chain of which only the genesis is stored for complete.
    await writeBlocks(this.#options.session, this.chain, rows, await this.head(signal))
    this.#state = state
  }
}

const cursorOf = ({ height, id, time }: PState) => ({ height, id, ts: time })
