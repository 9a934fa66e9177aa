import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../kernel/settings/config.ts'
import { pause } from '../kernel/pause.ts'
import { followMetadata } from './nft/metadata-worker.ts'
import type { Database } from '../store/database.ts'
import { withFactsLock } from './facts/chain-lock.ts'
import { followFacts } from './facts/facts-worker.ts'

export type WorkersOptions = {
  /** A migrated, writable store. */
  readonly database: Database
  readonly config: Config
  readonly logger: FastifyBaseLogger
  readonly signal: AbortSignal
}

/** Milliseconds until a failed worker restarts: the first and the longest delay. */
const restart = { first: 1_000, longest: 60_000 }

/**
 * Runs the workers that learn about tokens beyond their logs, until the signal. A failed worker logs the
 * reason and restarts: its failures neither end the service nor delay blocks.
 */
export async function runTokenWorkers({ database, config, logger, signal }: WorkersOptions): Promise<void> {
  const clock = (): number => Math.floor(Date.now() / 1000)
  await Promise.all([
    keepRunning('NFT metadata', logger, signal, () =>
      followMetadata({ database, config, logger, clock }, signal),
    ),
    ...config.chains.map((chain) =>
      keepRunning(`token facts of chain ${chain.evmChainId}`, logger, signal, () =>
        withFactsLock(database, chain.evmChainId, signal, (held) =>
          followFacts({ database, settings: config, chain, logger, clock }, held),
        ),
      ),
    ),
  ])
}

async function keepRunning(
  what: string,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const started = performance.now()
    try {
      await work()
    } catch (error) {
      if (signal.aborted) return
      if (performance.now() - started > restart.longest) failures = 0
      logger.error({ err: error, what }, 'a worker failed and starts again')
      await pause(Math.min(restart.longest, restart.first * 2 ** Math.min(10, failures)), signal)
      failures += 1
    }
  }
}
