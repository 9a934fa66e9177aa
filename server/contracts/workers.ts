import type { FastifyBaseLogger } from 'fastify'
import { keepRunning } from '../kernel/keep-running.ts'
import type { Config } from '../kernel/settings/config.ts'
import { withChainLock } from '../store/chain-lock.ts'
import type { Database } from '../store/database.ts'
import { followCodes } from './codes/code-worker.ts'

type WorkersOptions = {
  /** A migrated, writable store. */
  readonly database: Database
  readonly config: Config
  readonly logger: FastifyBaseLogger
  readonly signal: AbortSignal
}

/** Runs the workers that learn the codes of contracts, one a chain, until the signal (codes/code-worker.ts). */
export async function runContractWorkers({
  database,
  config,
  logger,
  signal,
}: WorkersOptions): Promise<void> {
  const clock = (): number => Math.floor(Date.now() / 1000)
  await Promise.all(
    config.chains.map((chain) =>
      keepRunning(`codes of chain ${chain.evmChainId}`, logger, signal, () =>
        withChainLock(database, 'codes', chain.evmChainId, signal, (held) =>
          followCodes({ database, chain, logger, clock }, held),
        ),
      ),
    ),
  )
}
