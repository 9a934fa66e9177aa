import { setTimeout as sleep } from 'node:timers/promises'
import { configFile, type ChainConfig } from '../../kernel/settings/config.ts'
import type { Database } from '../../store/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import type { IndexerLogger } from '../evm/indexer.ts'
import type { Pace } from '../../kernel/pause.ts'
import { runIndexers } from '../run.ts'
import type { IndexerStats, StatsByChain } from '../../kernel/indexer-stats.ts'

/** Short delays, because the test nodes are local. */
export const testPace: Pace = {
  first: 2,
  longest: 20,
  secondThought: 2,
  gather: 0,
  stopped: 20,
  traces: 30,
  finality: 30,
}

/** A chain's settings, with defaults. */
export function chainConfig(
  settings: { evmChainId: number; rpcUrl: string } & Partial<ChainConfig>,
): ChainConfig {
  const [chain] = configFile.parse({ chains: [{ name: 'Test', pollSeconds: 0.05, ...settings }] }).chains
  if (!chain) throw new Error('no chain')
  return chain
}

export type LogEntry = { readonly level: string; readonly message: string } & Record<string, unknown>

/** An indexer that runs in this process until it is stopped. */
export type RunningIndexer = {
  /** Undefined until the indexer holds its lock. */
  readonly stats: IndexerStats | undefined
  readonly log: readonly LogEntry[]
  /** Settles when the indexer ends by itself. */
  readonly ended: Promise<void>
  /** Aborts and waits; throws the indexer's error. */
  stop(): Promise<void>
}

/** Starts the indexer of one chain. */
export function startIndexer(database: Database, config: ChainConfig): RunningIndexer {
  const abort = new AbortController()
  const log: LogEntry[] = []
  const write = (level: string) => (fields: object, message: string) =>
    void log.push({ ...fields, level, message })
  const logger: IndexerLogger = { info: write('info'), warn: write('warn'), error: write('error') }
  const stats: StatsByChain = new Map()
  const running = runIndexers({
    database,
    config: { chains: [config] },
    logger,
    signal: abort.signal,
    stats,
    pace: testPace,
  })
  running.catch(() => undefined)
  return {
    log,
    ended: running,
    get stats() {
      return stats.get(String(config.evmChainId))
    },
    async stop() {
      abort.abort()
      await running
    },
  }
}

/** Waits until a condition is met; throws an error that contains `what` if that hangs: a busy machine may be slow. */
export async function until(
  what: string,
  condition: () => Promise<boolean>,
  within = 300_000,
): Promise<void> {
  const deadline = performance.now() + within
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`in ${within} ms it did not happen that ${what}`)
    await sleep(5)
  }
}

/** The highest stored block. */
export async function storedHead(
  database: Database,
  chain: number,
): Promise<{ number: number; hash: string } | undefined> {
  const [row] = await database<{ number: bigint; hash: string }[]>`
    select number, '0x' || encode(hash, 'hex') as hash from blocks where chain = ${chain} order by number desc limit 1`
  return row && { number: Number(row.number), hash: row.hash }
}

type ChainRow = {
  state: string
  reason: string | null
  trace_source: string
  finalized_block: bigint | null
}

/** The chain's row. */
export async function chainRow(database: Database, chain: number): Promise<ChainRow | undefined> {
  const [row] = await database<ChainRow[]>`
    select state, reason, trace_source, finalized_block from chains where chain = ${chain}`
  return row
}

const digested = [
  'blocks',
  'transactions',
  'logs',
  'calls',
  'contracts',
  'withdrawals',
  'cross_chain_messages',
  'node_names',
  'authorizations',
  'envelopes',
  'balances',
  'holders',
  'tokens',
  'token_blocks',
  'nfts',
  'nft_ranges',
  'trace_gaps',
] as const

/** The digest of a run on an empty database. `run` indexes into the given database to the end. */
export async function digestOfFresh(
  chain: number,
  run: (database: Database) => Promise<void>,
): Promise<Record<string, string>> {
  const fresh = await createTestDatabase()
  try {
    await run(fresh.database)
    return await digest(fresh.database, chain)
  } finally {
    await fresh.drop()
  }
}

/**
 * A digest of each table of a chain: equal digests mean equal rows. For `seen`, only the newest row of each
 * address counts, because older rows depend on how blocks were batched.
 */
export async function digest(database: Database, chain: number): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const table of digested) {
    const [row] = await database<{ digest: string | null; rows: bigint }[]>`
      select md5(string_agg(t::text, '|' order by t::text)) as digest, count(*) as rows
      from ${database(table)} t where chain = ${chain}`
    digests[table] = `${row?.rows} ${row?.digest}`
  }
  const [seen] = await database<{ digest: string | null; rows: bigint }[]>`
    select md5(string_agg(t::text, '|' order by t::text)) as digest, count(*) as rows
    from (select distinct on (role, address) * from seen where chain = ${chain}
      order by role, address, hour_ts desc) t`
  digests['seen'] = `${seen?.rows} ${seen?.digest}`
  return digests
}
