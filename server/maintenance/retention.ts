import type { FastifyBaseLogger } from 'fastify'
import type { ChainConfig, Config } from '../kernel/settings/config.ts'
import { pause } from '../kernel/pause.ts'
import type { Database } from '../store/database.ts'
import { readLoad } from '../store/lake-loads.ts'
import { type Part, readParts, truncatePartition } from '../store/partitions.ts'

/** What a chain may keep less of: its table, the column of `chains` with the lowest kept block, and the setting. */
const kinds = [
  { table: 'calls', column: 'traces_from', setting: 'keepTraces' },
  { table: 'logs', column: 'logs_from', setting: 'keepLogs' },
] as const
type Kind = (typeof kinds)[number]

/** Seconds between rounds, and rows that one statement deletes. */
const every = 60
const batchRows = 5_000

export type RetentionOptions = {
  readonly database: Database
  readonly chain: Pick<ChainConfig, 'evmChainId' | 'keepTraces' | 'keepLogs'>
  /** The height below which the lake has every block of the chain; undefined if blocks may be dropped unsealed. */
  readonly sealedBelow?: () => Promise<number>
  readonly signal: AbortSignal
  readonly batch?: number
}

/**
 * Drops the internal calls and the logs of a chain that are older than `keepTraces` and `keepLogs`. The order makes it
 * safe to stop anywhere: the lowest kept block is raised first, in a transaction of its own, so that answers say that
 * rows below it are gone before any is; then the rows below it are deleted, a few blocks at a time. What an interrupted
 * round left is below the stored height, so the next one deletes it. Only final blocks are concerned, which the indexer
 * does not write: the two never wait for each other.
 */
export class Retention {
  readonly #options: RetentionOptions
  /** The block up to which a table was found empty, so that rounds do not pass the dead rows again. */
  readonly #emptyBelow = new Map<Kind['table'], bigint>()
  /** The server's time at which a whole partition was first found below the height, by table and first block. */
  readonly #whole = new Map<string, string>()

  constructor(options: RetentionOptions) {
    this.#options = options
  }

  /** Raises the heights and deletes what is below them. Returns the kinds whose height was raised. */
  async round(): Promise<{ readonly kind: Kind['setting']; readonly from: bigint }[]> {
    const { database, chain, signal } = this.#options
    // A bulk load replaces whole partitions.
    if (await readLoad(database, chain.evmChainId)) return []
    const raised = []
    for (const kind of kinds) {
      // A rewind lowers the height: what was dropped may have been stored again.
      const known = await this.#heights(kind)
      if (known && known.from < (this.#emptyBelow.get(kind.table) ?? 0n)) this.#emptyBelow.delete(kind.table)
      const from = await this.#raise(kind)
      if (from !== undefined) raised.push({ kind: kind.setting, from })
    }
    for (const kind of kinds) if (!signal.aborted) await this.#drop(kind)
    return raised
  }

  /** The lowest kept block, and the first of the chain. */
  async #heights({ column }: Kind): Promise<{ from: bigint; start: bigint } | undefined> {
    const { database, chain } = this.#options
    const [row] = await database<{ from: bigint; start: bigint }[]>`
      select ${database(column)} as from, start_block as start from chains where chain = ${chain.evmChainId}`
    return row
  }

  /** Raises the lowest kept block to the first of the last days. Returns it if it was raised. */
  async #raise({ column, setting }: Kind): Promise<bigint | undefined> {
    const { database, chain, sealedBelow } = this.#options
    const days = chain[setting]
    if (days === undefined) return undefined
    const max = (await sealedBelow?.()) ?? null
    const [row] = await database<{ from: bigint }[]>`
      update chains c set ${database(column)} = cut.number
      from (
        select least(final.number, ${max}::bigint, (
            select number from blocks
            where chain = ${chain.evmChainId} and ts >= final.ts - ${days}::bigint * 86400 order by ts, number limit 1)) as number
        from chains known join blocks final on final.chain = known.chain and final.number = known.finalized_block
        where known.chain = ${chain.evmChainId}) cut
      where c.chain = ${chain.evmChainId} and cut.number > greatest(c.${database(column)}, c.start_block)
      returning cut.number as from`
    return row?.from
  }

  /** Deletes what is below the height. */
  async #drop(kind: Kind): Promise<void> {
    const { chain, signal } = this.#options
    const { table } = kind
    const heights = await this.#heights(kind)
    if (!heights) return
    const { from, start } = heights
    let at = this.#emptyBelow.get(table) ?? start
    if (at >= from) return
    const parts = await readParts(this.#options.database, BigInt(chain.evmChainId))
    while (at < from && !signal.aborted) {
      const next = at
      const part = parts.find((each) => each.from <= next && next < each.before)
      if (!part || part.before > from) at = await this.#deleteSome(table, at, from)
      else if (await this.#truncate(table, part)) at = part.before
      else return
      this.#emptyBelow.set(table, at)
    }
  }

  /**
   * Empties a whole partition, which gives its disk back at once. A snapshot that is older than the height would see it
   * empty without being told, so it waits for the next round, and until every transaction is gone that had begun when it
   * was found. Returns whether it is empty.
   */
  async #truncate(table: Kind['table'], part: Part): Promise<boolean> {
    const { database } = this.#options
    const name = `${table} ${part.from}`
    const found = this.#whole.get(name)
    if (found === undefined) {
      const [now] = await database<{ at: string }[]>`select clock_timestamp()::text as at`
      if (now) this.#whole.set(name, now.at)
      return false
    }
    const [older] = await database`
      select from pg_stat_activity
      where datname = current_database() and xact_start < ${found}::text::timestamptz limit 1`
    if (older || !(await truncatePartition(database, table, part))) return false
    this.#whole.delete(name)
    return true
  }

  /** Deletes the rows of the next blocks, whole blocks and few rows. Returns the block up to which there are none. */
  async #deleteSome(table: Kind['table'], at: bigint, from: bigint): Promise<bigint> {
    const { database, chain, batch = batchRows } = this.#options
    const [row] = await database<{ number: bigint }[]>`
      select number from ${database(table)}
      where chain = ${chain.evmChainId} and number >= ${at} and number < ${from}
      order by number offset ${batch - 1} limit 1`
    const to = row ? row.number + 1n : from
    await database`
      delete from ${database(table)} where chain = ${chain.evmChainId} and number >= ${at} and number < ${to}`
    return to
  }
}

/** Drops what each chain does not keep, every minute until the signal. A failure is logged and tried again. */
export async function runRetention({
  database,
  config,
  logger,
  signal,
  sealedBelow,
}: {
  readonly database: Database
  readonly config: Pick<Config, 'chains' | 'lake'>
  readonly logger: FastifyBaseLogger
  readonly signal: AbortSignal
  readonly sealedBelow: (chain: ChainConfig) => Promise<number>
}): Promise<void> {
  await Promise.all(
    config.chains.map(async (chain) => {
      const retention = new Retention({
        database,
        chain,
        signal,
        ...(config.lake.seal && { sealedBelow: () => sealedBelow(chain) }),
      })
      while (!signal.aborted) {
        try {
          for (const { kind, from } of await retention.round())
            logger.info(
              { chain: chain.evmChainId, [kind]: chain[kind], from: String(from) },
              'older rows are dropped',
            )
        } catch (error) {
          if (signal.aborted) return
          logger.warn({ chain: chain.evmChainId, err: error }, 'older rows were not dropped')
        }
        await pause(every * 1000, signal)
      }
    }),
  )
}
