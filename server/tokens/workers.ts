import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../kernel/config.ts'
import { pause } from '../kernel/pause.ts'
import { followMetadata } from './nft/metadata-worker.ts'
import type { Database } from '../store/database.ts'
import { withFactsLock } from './facts/chain-lock.ts'
import { followFacts } from './facts/facts-worker.ts'

export type WorkersOptions = {
  /** A migrated store that may be written to. */
  readonly database: Database
  readonly config: Config
  readonly logger: FastifyBaseLogger
  readonly signal: AbortSignal
}

/** Milliseconds before a worker that failed starts again: the first time, and at most. */
const restart = { first: 1_000, longest: 60_000 }

/**
 * Runs what learns about tokens beyond their logs, until the signal. A worker that fails says why in the log
 * and starts again: no failure of theirs ends the service or holds up a block.
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
