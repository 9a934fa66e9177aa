import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../kernel/settings/config.ts'
import { keepRunning } from '../kernel/keep-running.ts'
import { followMetadata } from './nft/metadata-worker.ts'
import type { Database } from '../store/database.ts'
import { withChainLock } from '../store/chain-lock.ts'
import { followFacts } from './facts/facts-worker.ts'

export type WorkersOptions = {
  /** A migrated, writable store. */
  readonly database: Database
  readonly config: Config
  readonly logger: FastifyBaseLogger
  readonly signal: AbortSignal
}

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
        withChainLock(database, 'facts', chain.evmChainId, signal, (held) =>
          followFacts({ database, settings: config, chain, logger, clock }, held),
        ),
      ),
    ),
  ])
}
