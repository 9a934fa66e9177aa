import type { RunIndexers } from '../../service.ts'
import { runPrimaryIndexers } from './networks.ts'

/** Adds the configured primary networks to what the roles `all` and `indexer` run. They end together. */
export function withPrimaryNetworks(runIndexers: RunIndexers): RunIndexers {
  return async (options) => {
    const { config, database, logger, stats } = options
    const stop = new AbortController()
    const signal = AbortSignal.any([options.signal, stop.signal])
    const end = (error: unknown): never => {
      stop.abort()
      throw error
    }
    const running = [
      runIndexers({ ...options, signal }),
      runPrimaryIndexers({
        database,
        logger,
        signal,
        stats,
        networks: config.networks,
        chains: config.chains,
      }),
    ]
    await Promise.all(running.map((each) => each.catch(end)))
  }
}
