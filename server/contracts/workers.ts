import { keepRunning } from '../kernel/keep-running.ts'
import { withChainLock } from '../store/chain-lock.ts'
import type { WorkersOptions } from '../tokens/workers.ts'
import { followCodes } from './codes/code-worker.ts'

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
