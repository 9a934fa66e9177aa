import type { ChainConfig } from '../../kernel/settings/config.ts'
import type { Database, Queryable } from '../../store/database.ts'
import { classify, RetryableError } from '../../kernel/errors.ts'
import { pause, defaultPace, type Pace, delayAfter } from '../../kernel/pause.ts'
import { lockChain } from '../../store/session.ts'
import type { IndexerStats } from '../../kernel/indexer-stats.ts'
import { copyRows } from '../../store/copy.ts'
import { noteAddressesAt } from './address-partitions.ts'
import { copyColumns } from './decode.ts'
import { InnerRows } from './inner-rows.ts'
import type { IndexerLogger } from './indexer.ts'
import { hex, object } from '../../kernel/json.ts'
import { RpcClient } from '../../node/rpc.ts'
import { roles } from './seen.ts'
import { closeGap, needsTraces, readGaps, type BlockSpan } from './trace-gaps.ts'
import { sumTraces } from './trace-sums.ts'
import { BlockTracer } from './tracer.ts'
import type { BlockTraces, TracedBlock } from './traces.ts'

type TraceFillOptions = {
  readonly database: Database
  readonly config: ChainConfig
  readonly logger: IndexerLogger
  readonly stats: IndexerStats
  readonly pace?: Pace
}

/** Blocks whose calls are written in one transaction, and number of concurrent trace requests. */
const batch = 16
const together = 4

/**
 * Fills the ranges of a chain that were stored without inner calls, until the signal aborts. It asks the node
 * for their traces, starting at the lowest block that the node can trace, then computes the prefix sums that
 * depend on them. It runs beside the chain's indexer on its own connections to node and store, and the two
 * take turns for each transaction, so a node that cannot trace or that fails does not delay the indexer.
 * Failures are logged and retried.
 */
export async function fillTraces(options: TraceFillOptions, signal: AbortSignal): Promise<void> {
  const { config, database, logger, stats, pace = defaultPace } = options
  const chain = config.evmChainId
  const rpc = new RpcClient({
    url: config.rpcUrl,
    timeout: config.requestSeconds * 1000,
    concurrency: together,
    stats,
    pace,
  })
  let failures = 0
  try {
    while (!signal.aborted) {
      try {
        // A node that keeps failing must not delay the sums of ranges that are already filled.
        if (failures > 0 && failures % 5 === 0) await sumTraces(database, chain, signal)
        const blocks = config.traces === 'off' ? 0 : await new Filler(options, rpc, signal).fill()
        if (blocks > 0) logger.info({ chain, blocks }, 'blocks were traced that had been stored without')
        if (await sumTraces(database, chain, signal)) {
          logger.info({ chain }, 'sums of contracts and deployers were recomputed')
        }
        failures = 0
        await pause(pace.traces, signal)
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        if (failures === 1 || failures % 20 === 0) {
          logger.warn(
            { chain, failures, reason: classify(error).message },
            'older blocks could not be traced',
          )
        }
        await pause(delayAfter(failures, pace), signal)
      }
    }
  } finally {
    rpc.close()
  }
}

/** A stored block that a trace may tell of. */
type StoredBlock = TracedBlock & { readonly senders: readonly string[] }
/** A block with its traces. */
type Filled = { readonly block: StoredBlock; readonly traces: BlockTraces }

/** One pass over the gaps of a chain. */
class Filler {
  readonly #options: TraceFillOptions
  readonly #rpc: RpcClient
  readonly #signal: AbortSignal
  readonly #chain: number
  readonly #tracer: BlockTracer

  constructor(options: TraceFillOptions, rpc: RpcClient, signal: AbortSignal) {
    this.#options = options
    this.#rpc = rpc
    this.#signal = signal
    this.#chain = options.config.evmChainId
    this.#tracer = new BlockTracer(rpc)
  }

  /** Fills the blocks that the node can trace and returns their number. */
  async fill(): Promise<number> {
    let filled = 0
    for (const gap of await readGaps(this.#options.database, this.#chain)) {
      const first = await this.#lowestTraceable(gap)
      if (first === 'unsupported') break
      if (first !== undefined) filled += await this.#fillFrom(first, gap.last)
    }
    return filled
  }

  /**
   * The lowest block of a gap that the node can trace; undefined if it cannot trace any. Nodes prune the
   * oldest state first, so a binary search between a block that cannot be traced and one that can finds the
   * limit.
   */
  async #lowestTraceable(gap: BlockSpan): Promise<number | 'unsupported' | undefined> {
    const [lowest] = await this.#stored(gap.first, gap.last, 1)
    // No block of the gap may contain inner calls any more, because a reorg removed those that did.
    if (!lowest) return gap.first
    const answer = await this.#ask(lowest)
    if ('calls' in answer) return gap.first
    if (answer.missing === 'unsupported') return 'unsupported'
    const [highest] = await this.#stored(gap.first, gap.last, 1, 'desc')
    if (!highest || !(await this.#canTrace(highest))) return undefined
    let best = highest.number
    let low = lowest.number + 1
    let high = best - 1
    while (low <= high) {
      const middle = Math.floor((low + high) / 2)
      const [block] = await this.#stored(middle, high, 1)
      if (block && !(await this.#canTrace(block))) low = block.number + 1
      else {
        best = block?.number ?? best
        high = middle - 1
      }
    }
    return best
  }

  async #canTrace(block: StoredBlock): Promise<boolean> {
    return 'calls' in (await this.#ask(block))
  }

  /** Fills the blocks of a gap from `first` up to the next block that the node cannot trace. */
  async #fillFrom(first: number, last: number): Promise<number> {
    let filled = 0
    let from = first
    while (from <= last && !this.#signal.aborted) {
      const blocks = await this.#stored(from, last, batch)
      const traced = await this.#traceAll(blocks)
      const reached =
        traced.length < batch && traced.length === blocks.length ? last : traced.at(-1)?.block.number
      if (reached === undefined) break
      await this.#write({ first: from, last: reached }, traced)
      filled += traced.length
      if (traced.length < blocks.length) break
      from = reached + 1
    }
    return filled
  }

  /** The traces of the given blocks, up to the first one that the node cannot trace. */
  async #traceAll(blocks: readonly StoredBlock[]): Promise<Filled[]> {
    const traced: Filled[] = []
    for (let start = 0; start < blocks.length; start += together) {
      const some = blocks.slice(start, start + together)
      const answers = await Promise.all(some.map((block) => this.#ask(block)))
      for (const [index, block] of some.entries()) {
        const answer = answers[index]
        if (!answer || !('calls' in answer)) return traced
        traced.push({ block, traces: answer })
      }
    }
    return traced
  }

  /** The trace of a block, provided that the node has the stored block at its height. */
  async #ask(block: StoredBlock) {
    const answer = await this.#tracer.trace(block, this.#signal).catch((error: unknown) => {
      // An odd answer about one block must not keep the others from being filled.
      if (!(error instanceof RetryableError) || error.kind !== 'refused') throw error
      return { missing: 'lost', reason: error.message } as const
    })
    if ('missing' in answer) return answer
    const at = `0x${block.number.toString(16)}`
    const header = await this.#rpc.call('eth_getBlockByNumber', [at, false], this.#signal)
    const hash = header === null ? undefined : hex(object(header, 'a block')['hash'], 'the hash', 32)
    if (hash !== block.hash) {
      throw new RetryableError('disagreement', `the node has another block ${block.number} than the store`)
    }
    return answer
  }

  /** Stored blocks that may contain inner calls: the first or the last ones of a range. */
  async #stored(
    from: number,
    to: number,
    limit: number,
    order: 'asc' | 'desc' = 'asc',
  ): Promise<StoredBlock[]> {
    const { database } = this.#options
    const rows = await database<{ number: bigint; hash: string; hashes: string[]; senders: string[] }[]>`
      select asked.number, asked.hash, t.hashes, t.senders
      from (
        select b.number, '0x' || encode(b.hash, 'hex') as hash
        from blocks b
        cross join lateral (
          select from transactions t
          where t.chain = ${this.#chain} and t.number = b.number and ${needsTraces(database)} limit 1) holds
        where b.chain = ${this.#chain} and b.number between ${from} and ${to} and b.tx_count > 0
        order by b.number ${database.unsafe(order)} limit ${limit}) asked
      cross join lateral (
        select json_agg('0x' || encode(hash, 'hex') order by index) as hashes,
          json_agg('0x' || encode(sender, 'hex') order by index) as senders
        from transactions where chain = ${this.#chain} and number = asked.number) t
      order by asked.number`
    return rows.map((row) => ({ ...row, number: Number(row.number) }))
  }

  /** Writes the traces of some blocks and removes their range from the gap, in one transaction. */
  async #write(range: BlockSpan, traced: readonly Filled[]): Promise<void> {
    const chain = this.#chain
    await this.#options.database.begin(async (sql) => {
      await lockChain(sql, chain)
      const hashes = traced.map(({ block }) => block.hash.slice(2))
      const [row] = await sql<{ same: bigint }[]>`
        select count(*) as same from blocks
        where chain = ${chain} and number between ${range.first} and ${range.last}
          and encode(hash, 'hex') = any(${`{${hashes.join(',')}}`}::text::text[])`
      const rows = traced.map(({ block, traces }) => {
        const inner = new InnerRows(chain, block.number, [...block.senders])
        for (const call of traces.calls) inner.add(call)
        return inner
      })
      const sumsChange = rows.some(({ contractCount }) => contractCount > 0)
      if (Number(row?.same) !== traced.length || !(await closeGap(sql, chain, range, sumsChange))) {
        throw new RetryableError('disagreement', 'the chain changed while older blocks were traced')
      }
      // Locked, so that the height is not raised past calls that are not committed yet.
      const [kept] = await sql<{ from: bigint }[]>`
        select traces_from as from from chains where chain = ${chain} for share`
      const keptRows = rows.filter(
        (_, index) => (traced[index]?.block.number ?? 0) >= Number(kept?.from ?? 0n),
      )
      for (const [table, blocks] of [
        ['calls', keptRows],
        ['contracts', rows],
      ] as const) {
        await copyRows(
          sql,
          table,
          copyColumns[table],
          blocks.map((inner) => inner.rows()[table]),
        )
      }
      await noteOwnCalls(sql, chain, range, traced)
      await noteAddressesAt(
        sql,
        chain,
        rows.map(({ addresses }, index) => ({ number: traced[index]?.block.number ?? 0, addresses })),
      )
      if (sumsChange) await noteDeployers(sql as unknown as Database, chain, range)
    })
  }
}

/** Adds to the transactions of some blocks what they returned, and why they failed. */
async function noteOwnCalls(
  sql: Queryable,
  chain: number,
  { first, last }: BlockSpan,
  traced: readonly Filled[],
): Promise<void> {
  const ends = traced.flatMap(({ block, traces }) =>
    traces.ownCalls.map(({ txIndex, output, failure }) => ({
      number: block.number,
      index: txIndex,
      output: output?.slice(2),
      ...failure,
    })),
  )
  if (ends.length === 0) return
  await sql`
    update transactions t set error = e.error, output = decode(e.output, 'hex'), failing_call = e.call
    from json_to_recordset(${JSON.stringify(ends)}::text::json)
      as e (number bigint, index integer, error text, output text, call integer)
    where t.chain = ${chain} and t.number between ${first} and ${last} and t.number = e.number
      and t.index = e.index and (t.status = 0) = (e.error is not null)`
}

/**
 * Adds the hours in which contracts were created in some blocks to `seen`, as if they had been indexed in
 * order.
 */
async function noteDeployers(sql: Database, chain: number, { first, last }: BlockSpan): Promise<void> {
  await sql`
    insert into seen (chain, role, address, hour_ts, first_block)
    select c.chain, ${roles.deployers}::smallint, c.deployer, b.ts - b.ts % 3600, min(c.number)
    from contracts c join blocks b on b.chain = c.chain and b.number = c.number
    where c.chain = ${chain} and c.number between ${first} and ${last} and c.deployer <> ${Buffer.alloc(20)}
    group by 1, 2, 3, 4
    on conflict (chain, role, address, hour_ts)
      do update set first_block = least(seen.first_block, excluded.first_block)`
  // For final blocks, only the newest hour of an address is kept.
  await sql`
    delete from seen old using seen new
    where old.chain = ${chain} and old.role = ${roles.deployers} and old.first_block between ${first} and ${last}
      and new.chain = ${chain} and new.role = ${roles.deployers} and new.address = old.address
      and new.hour_ts > old.hour_ts
      and new.first_block <= (select finalized_block from chains where chain = ${chain})`
}
