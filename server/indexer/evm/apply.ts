import { queueUndone } from '../../store/tokens/announcements.ts'
import { type Database, liveChannel, type Queryable } from '../../store/database.ts'
import { type Bounds, ensurePartitions, readListed } from '../../store/partitions.ts'
import { FatalError, RetryableError } from '../../kernel/errors.ts'
import { lockChain, type StoreSession } from '../../store/session.ts'
import type { IndexerStats } from '../../kernel/indexer-stats.ts'
import { copyRows } from '../../store/copy.ts'
import { AddressPartitions } from './address-partitions.ts'
import { storeNodeNames } from './node-names.ts'
import { childTables, copyColumns, copyFormats, type DecodedBlock } from './decode.ts'
import { seenColumns, SeenTracker } from './seen.ts'
import { follows } from './links.ts'
import { deleteTokensAbove } from './tokens/token-suffix.ts'
import type { MovingBlock } from './tokens/token-state.ts'
import { TokenTracker } from './tokens/token-tracker.ts'
import { readTransfers } from './tokens/transfer-rows.ts'
import { Settlements, UnsettledError } from './settled-receipts.ts'
import { recordUntraced, deleteGapsAbove } from './trace-gaps.ts'
import { advance, blockColumns, blockLine, loadTip, type Tip } from './tip.ts'

export type TraceSource = 'debug' | 'trace' | 'none' | 'unknown'

/** What the indexer knows about the node; written together with the blocks. */
export type NodeView = {
  /** The head that the node last reported. */
  readonly headNumber: number
  /** The highest block that the node regards as final; undefined if it does not tell. */
  readonly finalizedNumber?: number | undefined
  readonly seenTs: number
  readonly traceSource: TraceSource
}

type WriterOptions = {
  session: StoreSession
  chain: number
  /** The deepest reorg that the indexer follows, in blocks. */
  reorgLimit: number
  stats: IndexerStats
  /** Fetches a block below the first indexed one from the node. */
  earlierBlock(number: number): Promise<DecodedBlock>
}

/**
 * Writes blocks strictly in height order. One transaction writes the rows, the metrics and the cursor (the
 * highest stored block). A reorg deletes the orphaned blocks in the transaction that applies their
 * replacement. Not safe for concurrent use.
 */
export class Writer {
  readonly #options: WriterOptions
  readonly #seen: SeenTracker
  readonly #tokens: TokenTracker
  readonly #settlements: Settlements
  readonly #addresses: AddressPartitions
  #current: Tip | undefined
  #finalized = -1
  #prunedTo = -1
  /** The partitions of the last blocks. */
  #parts: readonly Bounds[] = []
  #listed: readonly Bounds[] = []

  constructor(options: WriterOptions) {
    this.#options = options
    this.#seen = new SeenTracker(options.chain)
    this.#tokens = new TokenTracker(options.chain)
    this.#settlements = new Settlements(options)
    this.#addresses = new AddressPartitions(options.chain)
  }

  /** The highest applied block. */
  get tip(): Tip | undefined {
    return this.#current
  }

  /** Blocks up to this height are final: the writer follows no reorg below it. */
  get floor(): number {
    return this.#finalized
  }

  /** Reads the cursor from the store. Call it first, and again after any failed write. */
  async load(): Promise<void> {
    const { session, chain } = this.#options
    this.#discardCaches()
    this.#settlements.reset()
    // A server that crashed may have lost its last commits, including the creation of a partition.
    this.#parts = []
    const { tip, row } = await session.use(async (sql) => {
      const [row] = await sql<{ finalized_block: bigint | null }[]>`
        select finalized_block from chains where chain = ${chain}`
      return { tip: await loadTip(sql, chain), row }
    })
    this.#current = tip
    this.#finalized = Number(row?.finalized_block ?? -1n)
    if (this.#prunedTo < 0) this.#prunedTo = this.#finalized
    this.#options.stats.indexedNumber = this.#current?.number ?? 0
  }

  /**
   * Appends blocks that follow the tip. Throws RetryableError if they do not link to it. Also throws
   * RetryableError if they settle earlier blocks with receipts other than the stored ones; the earlier blocks
   * are then deleted.
   */
  async append(blocks: readonly DecodedBlock[], view: NodeView): Promise<void> {
    await this.#write(blocks, view, undefined)
  }

  /**
   * Replaces every block above `ancestor` with `blocks`, in one transaction. Throws FatalError if a block
   * above the ancestor is final.
   */
  async replace(ancestor: number, blocks: readonly DecodedBlock[], view: NodeView): Promise<void> {
    if (ancestor < this.#finalized) {
      throw new FatalError(`a reorg to block ${ancestor} would pass block ${this.#finalized}, which is final`)
    }
    await this.#write(blocks, view, ancestor)
    this.#options.stats.reorgs += 1
  }

  async #write(blocks: readonly DecodedBlock[], view: NodeView, ancestor: number | undefined): Promise<void> {
    const { session, chain, stats } = this.#options
    const last = blocks.at(-1)
    const first = blocks[0]
    if (!first || !last) return
    await this.#makePartitions(first.number, last.number)
    await this.#checkSettled(blocks)
    const before = this.#current
    const oldest = Math.min(view.headNumber - this.#options.reorgLimit, last.settlement?.height ?? Infinity)
    const floor = Math.max(this.#finalized, oldest)
    try {
      this.#current = await session.transaction(async (sql) => {
        const stored = await this.#checkTip(sql, before)
        if (ancestor !== undefined) {
          await deleteAbove(sql, chain, ancestor)
          this.#discardCaches()
        }
        const tip = ancestor === undefined ? stored : await loadTip(sql, chain)
        const next = await this.#copyBlocks(sql, blocks, tip, floor)
        await this.#finish(sql, blocks, view, Math.min(floor, next.number), before, ancestor)
        return next
      })
    } catch (error) {
      this.#discardCaches()
      this.#settlements.reset()
      throw error
    }
    this.#finalized = Math.max(this.#finalized, Math.min(floor, last.number))
    for (const block of blocks) {
      stats.blocksApplied += 1
      stats.transactionsApplied += block.txCount
      stats.logsApplied += block.logCount
      stats.malformedTransfers += block.malformedTransfers
    }
    stats.indexedNumber = last.number
    await this.#prune()
  }

  /**
   * Deletes the unsettled blocks if the chain settles other receipts: it is unknown which of them had a wrong
   * answer.
   */
  async #checkSettled(blocks: readonly DecodedBlock[]): Promise<void> {
    try {
      await this.#settlements.check(blocks)
    } catch (error) {
      this.#settlements.reset()
      if (error instanceof UnsettledError) await this.#rollBack(error)
      throw error
    }
  }

  async #rollBack({ settled, message }: UnsettledError): Promise<void> {
    const { session, chain, stats } = this.#options
    stats.refusedAnswers += 1
    stats.rpcErrors.refused += 1
    const before = this.#current
    // Final blocks are settled, even if the branch that settled them has been replaced since.
    const ancestor = Math.max(settled, this.#finalized)
    if (!before || before.number <= ancestor) return
    this.#current = await session.transaction(async (sql) => {
      await this.#checkTip(sql, before)
      await deleteAbove(sql, chain, ancestor)
      await sql`update chains set state = 'waiting', reason = ${message} where chain = ${chain}`
      await announceReorg(sql, chain, ancestor, before.number)
      return loadTip(sql, chain)
    })
    this.#discardCaches()
    stats.reorgs += 1
    stats.indexedNumber = this.#current?.number ?? 0
  }

  /** Discards the in-memory state that mirrors the store. */
  #discardCaches(): void {
    this.#seen.reset()
    this.#tokens.reset()
    this.#addresses.reset()
  }

  /**
   * Throws RetryableError if the stored tip is not the expected one: another writer or a rewind changed the
   * store, and it has to be read again. The sums of contracts and deployers may differ, because the trace
   * filler adds traces of older blocks; the returned tip contains the stored sums.
   */
  async #checkTip(sql: Database, expected: Tip | undefined): Promise<Tip | undefined> {
    const { chain } = this.#options
    await lockChain(sql, chain)
    const [row] = await sql<
      {
        number: bigint
        hash: Buffer
        cum_contracts: bigint
        cum_deployers: bigint
        cum_day_deployers: bigint
      }[]
    >`
      select number, hash, cum_contracts, cum_deployers, cum_day_deployers
      from blocks where chain = ${chain} order by number desc limit 1`
    const same = row
      ? Number(row.number) === expected?.number && `0x${row.hash.toString('hex')}` === expected.hash
      : expected === undefined
    if (!same) throw new RetryableError('disagreement', 'the store changed under the indexer')
    if (!row || !expected) return undefined
    const { cum_contracts, cum_deployers, cum_day_deployers } = row
    return { ...expected, sums: { ...expected.sums, cum_contracts, cum_deployers, cum_day_deployers } }
  }

  async #copyBlocks(
    sql: Database,
    blocks: readonly DecodedBlock[],
    start: Tip | undefined,
    floor: number,
  ): Promise<Tip> {
    const { chain } = this.#options
    await this.#seen.load(sql, blocks)
    await this.#tokens.load(sql, movingBlocks(blocks))
    let tip = start
    const lines: string[] = []
    for (const block of blocks) {
      if (tip && (block.number !== tip.number + 1 || !follows(block, tip.hash))) {
        throw new RetryableError('disagreement', `block ${block.number} does not follow block ${tip.number}`)
      }
      if (tip && block.ts < tip.ts) {
        throw new RetryableError('refused', `block ${block.number} is older than its parent`)
      }
      tip = advance(tip, block, this.#seen.count(block, floor))
      this.#tokens.apply(block)
      lines.push(blockLine(chain, block, tip))
    }
    if (!tip) throw new Error('no block to apply')
    await copyRows(sql, 'blocks', blockColumns, [Buffer.from(lines.join(''))])
    for (const table of childTables) {
      const rows = blocks.map((block) => block.rows[table])
      await copyRows(sql, table, copyColumns[table], rows, copyFormats[table])
    }
    await storeNodeNames(sql, chain, blocks)
    await copyRows(sql, 'seen', seenColumns, [this.#seen.takeRows()])
    await this.#tokens.write(sql)
    await this.#addresses.write(sql, blocks, this.#listed)
    await recordUntraced(sql, chain, blocks)
    return tip
  }

  /**
   * Updates the chain's row and announces the head. Because this statement follows the COPYs, it also
   * surfaces their errors.
   */
  async #finish(
    sql: Database,
    blocks: readonly DecodedBlock[],
    view: NodeView,
    finalized: number,
    before: Tip | undefined,
    ancestor: number | undefined,
  ): Promise<void> {
    const { chain } = this.#options
    const last = blocks.at(-1)
    if (!last) return
    const state = last.number >= view.headNumber ? 'live' : 'syncing'
    const txs = blocks.reduce((sum, block) => sum + block.txCount, 0)
    const head = {
      kind: 'head',
      chain: `${chain}`,
      number: `${last.number}`,
      hash: last.hash,
      ts: last.ts,
      txs,
      node: `${view.headNumber}`,
    }
    await sql`
      update chains set state = ${state}, reason = null, node_block = ${view.headNumber},
        node_seen_ts = ${view.seenTs}, node_finalized = ${finalOf(view, last.number)}, trace_source = ${view.traceSource},
        finalized_block = greatest(finalized_block, ${finalized})
      where chain = ${chain}`
    if (ancestor !== undefined) await announceReorg(sql, chain, ancestor, before?.number ?? ancestor)
    await sql`select pg_notify(${liveChannel}, ${JSON.stringify(head)})`
  }

  async #makePartitions(from: number, to: number): Promise<void> {
    const isKnown = (block: number) => this.#parts.some((part) => part.from <= block && block < part.before)
    if (isKnown(from) && isKnown(to)) return
    const { session, chain } = this.#options
    await session.use(async (sql) => {
      const [low, high] = [BigInt(from), BigInt(to)]
      this.#parts = await ensurePartitions(sql, BigInt(chain), low, high, { listed: true })
      this.#listed = await readListed(sql, BigInt(chain), low, high)
    })
  }

  /** Deletes hours that newer ones have replaced once both are final, because no reorg can restore them. */
  async #prune(): Promise<void> {
    if (this.#finalized < this.#prunedTo + pruneEvery) return
    const { session, chain } = this.#options
    await session.use(
      (sql) => sql`
      delete from seen old using seen new
      where old.chain = ${chain} and new.chain = ${chain}
        and new.first_block > ${this.#prunedTo} and new.first_block <= ${this.#finalized}
        and old.role = new.role and old.address = new.address and old.hour_ts < new.hour_ts`,
    )
    this.#prunedTo = this.#finalized
  }
}

/** A generator, because the transfers of a whole run would stay in memory for several garbage collections. */
function* movingBlocks(blocks: readonly DecodedBlock[]): Generator<MovingBlock> {
  for (const { number, rows } of blocks) yield { number, transfers: readTransfers(rows) }
}

/**
 * Blocks between two prunings of `seen`. Each pruning reads the rows that were written since the last one.
 */
const pruneEvery = 512

/** What the node regards as final of the stored blocks; null if it does not tell. */
export const finalOf = ({ finalizedNumber }: NodeView, tip: number): number | null =>
  finalizedNumber === undefined ? null : Math.min(finalizedNumber, tip)

async function announceReorg(sql: Queryable, chain: number, ancestor: number, top: number): Promise<void> {
  const [row] = await sql<{ reorgs: bigint }[]>`select reorgs from chains where chain = ${chain}`
  const event = {
    kind: 'reorg',
    chain: `${chain}`,
    ancestor: `${ancestor}`,
    depth: top - ancestor,
    count: Number(row?.reorgs ?? 0n),
  }
  await sql`select pg_notify(${liveChannel}, ${JSON.stringify(event)})`
}

/** Deletes every row above a block, as a reorg requires, and counts that. */
export async function deleteAbove(sql: Queryable, chain: number, number: number): Promise<void> {
  await sql`update chains set reorgs = reorgs + 1 where chain = ${chain}`
  await queueUndone(sql, chain, number)
  for (const table of ['blocks', ...childTables, 'node_names'] as const) {
    await sql`delete from ${sql(table)} where chain = ${chain} and number > ${number}`
  }
  await sql`delete from seen where chain = ${chain} and first_block > ${number}`
  await deleteTokensAbove(sql, chain, number)
  await deleteGapsAbove(sql, chain, number)
}
