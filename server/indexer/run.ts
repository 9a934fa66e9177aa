import { setMaxListeners } from 'node:events'
import type { Config } from '../kernel/settings/config.ts'
import type { Database } from '../store/database.ts'
import { createEvmIndexer, type IndexerLogger } from './evm/indexer.ts'
import { fillTraces } from './evm/trace-fill.ts'
import type { Pace } from '../kernel/pause.ts'
import { StoreSession } from '../store/session.ts'
import { createStats, type StatsByChain } from '../kernel/indexer-stats.ts'

type IndexersOptions = {
  /** A migrated store. The chains write on connections with this pool's settings (server/store/session.ts). */
  database: Database
  config: Pick<Config, 'chains'>
  logger: IndexerLogger
  signal: AbortSignal
  /** Filled while the indexers run. */
  stats?: StatsByChain
  pace?: Pace
}

/**
 * Indexes every configured chain until the signal aborts. Throws LockedError immediately if another process
 * indexes one of them into this database. Chains are independent: one that stops is marked and the others
 * continue.
 */
export async function runIndexers(options: IndexersOptions): Promise<void> {
  const { database, config, logger, signal } = options
  const stop = new AbortController()
  const both = AbortSignal.any([signal, stop.signal])
  // Every chain and every request adds a listener to this signal.
  setMaxListeners(0, both)
  const sessions = config.chains.map((chain) => new StoreSession(database, chain.evmChainId, both))
  try {
    for (const session of sessions) await session.open()
    await Promise.all(
      config.chains.map(async (chain, index) => {
        const session = sessions[index]
        if (!session) throw new Error('a chain has no session')
        const stats = createStats()
        options.stats?.set(String(chain.evmChainId), stats)
        const pace = options.pace && { pace: options.pace }
        await Promise.all([
          createEvmIndexer({ session, config: chain, logger, stats, ...pace }).run(both),
          fillTraces({ database, config: chain, logger, stats, ...pace }, both),
        ])
      }),
    )
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    stop.abort()
    await Promise.all(sessions.map((session) => session.close()))
  }
}
