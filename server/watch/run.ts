import type { Config } from '../kernel/settings/config.ts'
import { LockedError } from '../kernel/errors.ts'
import { pause } from '../kernel/pause.ts'
import type { Database } from '../store/database.ts'
import { StoreSession } from '../store/session.ts'
import { createChainDirectory } from '../kernel/settings/chains.ts'
import { createNodes } from '../node/nodes.ts'
import { createBalances } from './balances.ts'
import { createDeliver } from './channels/deliver.ts'
import { freeSpace } from './collect-facts.ts'
import { WatchRunner, type Transaction } from './runner.ts'
import { runSender } from './sender.ts'

type WatchOptions = {
  /** A migrated store. */
  readonly database: Database
  readonly config: Pick<Config, 'networks' | 'chains' | 'watch' | 'home' | 'publicUrl'>
  readonly logger: {
    readonly warn: (fields: object, text: string) => void
    readonly info: (fields: object, text: string) => void
  }
  readonly signal: AbortSignal
  /** What of the sender a test sets. */
  readonly sending?: { readonly lease: number; readonly idle: number }
}

/** The key of the runner's lock among those of the chains; no EVM chain has this number. */
export const lockChain = 2_147_483_645
/** Milliseconds before the lock of another process is tried again. */
const lockPause = 5_000

const clock = (): number => Math.floor(Date.now() / 1000)

/**
 * Evaluates the rules and sends what they say, until the signal aborts. Only the process that holds the lock
 * evaluates; others wait for it, and send meanwhile. Nothing here ends the service: failures are logged, and the next
 * round tries again.
 */
export async function runWatch({ database, config, logger, signal, sending }: WatchOptions): Promise<void> {
  const { watch, publicUrl } = config
  if (!watch.enabled) return
  const deliver = createDeliver({ hosts: watch.hosts }, watch.sendSeconds * 1000)
  const sender = { database, deliver, logger, publicUrl, clock, attempts: watch.attempts, ...sending }
  await Promise.all([runRounds({ database, config, logger, signal }), runSender(sender, signal)])
}

async function runRounds({ database, config, logger, signal }: WatchOptions): Promise<void> {
  const { watch, networks, chains, home } = config
  const session = new StoreSession(database, lockChain, signal, 'the watch')
  const nodes = createNodes()
  const runner = new WatchRunner({
    watched: { networks, chains },
    clock,
    monotonic: () => performance.now(),
    diskFree: () => freeSpace(home),
    balances: createBalances(nodes, createChainDirectory(chains).all),
    keepDays: watch.keepDays,
  })
  let failed = false
  try {
    while (!signal.aborted) {
      const started = performance.now()
      try {
        await runner.round(consistent(session))
        failed = false
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof LockedError) {
          await pause(lockPause, signal)
          continue
        }
        if (!failed) logger.warn({ err: error }, 'rules could not be evaluated')
        failed = true
      }
      await pause(Math.max(100, watch.roundSeconds * 1000 - (performance.now() - started)), signal)
    }
  } finally {
    nodes.close()
    await session.close()
  }
}

/**
 * Transactions of a session that see one moment of the store: what a round knew is what a dry run finds again by the
 * number and time of the last sample.
 */
export function consistent(session: StoreSession): Transaction {
  return (action) =>
    session.use(async (sql) => {
      await sql`begin isolation level repeatable read`
      const result = await action(sql)
      await sql`commit`
      return result
    })
}
