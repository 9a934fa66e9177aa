import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { type Database, lockSpace, type Queryable } from '../store/database.ts'
import { LockedError, RetryableError } from './errors.ts'

type LockSession = { readonly pid: number; readonly connection: postgres.ReservedSql<{ bigint: bigint }> }

/** The lock space under which whoever changes a chain's rows (indexer, rewind) takes turns. */
const writeSpace = 7102

/** Milliseconds that a lock of a process which was just killed may linger. */
const patience = 5_000

/** The second key of a chain's advisory locks: chain ids may pass 32 bits. */
export function lockKey(chain: number): number {
  return chain % 2_147_483_647
}

/** Waits, inside a transaction, until no one else changes the chain. */
export async function takeTurn(sql: Queryable, chain: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${writeSpace}, ${lockKey(chain)})`
}

/**
 * Holds one advisory lock a chain, all on one connection, so that each chain has one indexer. The
 * connection runs nothing else; every write asks the server whether it still holds the lock.
 */
export class IndexerLocks {
  private readonly database: Database
  private readonly chains: readonly number[]
  private session: LockSession | undefined
  private renewal: Promise<void> | undefined

  constructor(database: Database, chains: readonly number[]) {
    this.database = database
    this.chains = chains
  }

  /** Takes the locks. Throws LockedError when another process holds one. */
  async acquire(): Promise<void> {
    const connection = await this.database.reserve()
    const deadline = performance.now() + patience
    for (const chain of this.chains) {
      while (!(await tryLock(connection, chain))) {
        if (performance.now() > deadline) {
          await connection`select pg_advisory_unlock_all()`
          connection.release()
          throw new LockedError(
            `chain ${chain} is being indexed into this database by another process: stop it, or use another database`,
          )
        }
        await sleep(200)
      }
    }
    const [row] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`
    this.session = { connection, pid: row?.pid ?? 0 }
  }

  /**
   * Throws RetryableError when the lock of a chain is lost, after the connection broke. Runs inside the
   * transaction that writes, so that nothing is written without the lock.
   */
  async assertHeld(sql: Queryable, chain: number): Promise<void> {
    const pid = this.session?.pid ?? 0
    const [row] = await sql<{ held: boolean }[]>`
      select exists (
        select from pg_locks
        where locktype = 'advisory' and classid = ${lockSpace.indexer} and objid = ${lockKey(chain)}
          and pid = ${pid} and granted and database = (select oid from pg_database where datname = current_database())
      ) as held`
    if (row?.held === true) return
    this.session = undefined
    throw new RetryableError('store', `the lock of chain ${chain} is lost`)
  }

  /** Takes the locks again when they were lost. Throws like `acquire`. */
  async renew(): Promise<void> {
    if (this.session) return
    this.renewal ??= this.acquire().finally(() => {
      this.renewal = undefined
    })
    await this.renewal
  }

  /** Gives the locks back. Throws when the database can't be reached; then there is nothing to give back. */
  async release(): Promise<void> {
    const session = this.session
    this.session = undefined
    if (!session) return
    // A statement on a reserved connection that broke would never settle, so another one looks first.
    const [alive] = await this.database`select from pg_stat_activity where pid = ${session.pid}`
    if (!alive) return
    await session.connection`select pg_advisory_unlock_all()`
    session.connection.release()
  }
}

async function tryLock(sql: Queryable, chain: number): Promise<boolean> {
  const [row] = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_lock(${lockSpace.indexer}, ${lockKey(chain)}) as locked`
  return row?.locked === true
}
