import type { Config } from '../config.ts'
import type { Database } from '../store/database.ts'
import { classify } from './errors.ts'
import { createEvmIndexer, type IndexerLogger } from './evm/indexer.ts'
import { IndexerLocks } from './locks.ts'
import type { Pace } from './pause.ts'
import { createStats, type IndexerStats } from './stats.ts'

export type IndexersOptions = {
  /** A migrated store. The indexers use one connection for their locks and one for each writing chain. */
  database: Database
  config: Pick<Config, 'chains'>
  logger: IndexerLogger
  signal: AbortSignal
  /** Filled while the indexers run; by chain id. */
  stats?: Map<number, IndexerStats>
  pace?: Pace
}

/**
 * Indexes every configured chain until the signal aborts. Throws LockedError at once when another process
 * indexes one of them into this database. Chains are independent: one that stops is marked and the others
 * go on.
 */
export async function runIndexers(options: IndexersOptions): Promise<void> {
  const { database, config, logger, signal } = options
  const chains = config.chains.map((chain) => chain.evmChainId)
  const locks = new IndexerLocks(database, chains)
  await locks.acquire()
  const stop = new AbortController()
  const both = AbortSignal.any([signal, stop.signal])
  try {
    await Promise.all(
      config.chains.map((chain) => {
        const stats = createStats()
        options.stats?.set(chain.evmChainId, stats)
        return createEvmIndexer({
          database,
          config: chain,
          logger,
          stats,
          locks,
          ...(options.pace && { pace: options.pace }),
        }).run(both)
      }),
    )
  } finally {
    stop.abort()
    await locks.release().catch((error: unknown) => {
      logger.warn({ reason: classify(error).message }, 'the locks went with the connection')
    })
  }
}
