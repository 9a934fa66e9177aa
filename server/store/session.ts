import { type Database, lockSpace, type Queryable } from './database.ts'
import { type Connection, type HeldLock, ProcessConnections } from './process-connections.ts'
import { LockedError, RetryableError } from '../kernel/errors.ts'
import { pause } from '../kernel/pause.ts'

/** Milliseconds to wait for the lock of a process that was just killed. */
const timeoutMs = 5_000

/** The second key of a chain's advisory locks, reduced because chain ids may exceed 32 bits. */
export function lockKey(chain: number): number {
  return chain % 2_147_483_647
}

/**
 * Waits, inside a transaction, until nobody else changes the chain, and holds the lock until the transaction
 * ends.
 */
export async function lockChain(sql: Queryable, chain: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockSpace.write}, ${lockKey(chain)})`
}

/** The same for one of several connections that change different tables of the chain together. */
export async function shareChain(sql: Queryable, chain: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockSpace.write}, ${lockKey(chain)})`
}

/** Spaces of the locks that transactions of a session share, to which the next holder of the session's lock waits. */
const openSpace = (space: number): number => space + 100

/**
 * The only way in which a chain's indexer reads and writes. It holds the chain's advisory lock, on the connection that
 * keeps the locks of all sessions of the process, and takes one of the process's few connections for as long as it has
 * statements to run (server/store/process-connections.ts). Nothing is written without the lock: when it is lost, the
 * session's connection is closed, and whoever holds the lock next waits for transactions that are still open. After any
 * failure the connection is closed, which rolls back the open transaction, and the next use takes another. (A driver
 * that reconnects by itself would continue outside the transaction and without the lock.)
 */
export class StoreSession {
  readonly #connections: ProcessConnections
  readonly #signal: AbortSignal
  readonly #name: string
  readonly #space: number
  readonly #key: number
  #lock: Promise<HeldLock> | undefined
  #lease: Lease | undefined

  /**
   * `database` identifies the store. `name` is used in the error if another process holds the chain. A session beside
   * that of the indexer has a lock `space` of its own.
   */
  constructor(
    database: Database,
    chain: number,
    signal: AbortSignal,
    name = `chain ${chain}`,
    space: number = lockSpace.indexer,
  ) {
    this.#connections = ProcessConnections.of(database)
    this.#key = lockKey(chain)
    this.#signal = signal
    this.#name = name
    this.#space = space
  }

  /** Acquires the lock. Throws LockedError if another process holds it. */
  async open(): Promise<void> {
    await this.#held()
  }

  /** Runs statements; a failure closes the connection. Concurrent uses share one connection. */
  async use<T>(action: (sql: Database) => Promise<T>): Promise<T> {
    await this.#held()
    const lease = (this.#lease ??= { connection: this.#connections.lease(), users: 0 })
    lease.users += 1
    const connection = await lease.connection
    try {
      // The lock may have been lost while the session waited for the connection.
      if ((await this.#lock) === undefined)
        throw new RetryableError('store', 'the lock of the chain was lost')
      return await connection.untilLost(action(connection.sql))
    } catch (error) {
      connection.drop()
      throw error
    } finally {
      lease.users -= 1
      // Uses that begin from now on take another connection.
      if (this.#lease === lease && (lease.users === 0 || connection.isLost)) this.#lease = undefined
      if (lease.users === 0) this.#connections.giveBack(connection)
    }
  }

  /** Runs statements in a transaction, which is committed only if all of them succeed. */
  async transaction<T>(action: (sql: Database) => Promise<T>): Promise<T> {
    return this.use(async (sql) => {
      await Promise.all([
        sql`begin`,
        sql`select pg_advisory_xact_lock_shared(${openSpace(this.#space)}, ${this.#key})`,
      ])
      const result = await action(sql)
      await sql`commit`
      return result
    })
  }

  /** Ends what is still running, and releases the lock. */
  async close(): Promise<void> {
    const lock = this.#lock
    this.#lock = undefined
    this.#dropLease()
    if (lock) await lock.then((held) => held.release()).catch(() => undefined)
  }

  async #held(): Promise<HeldLock> {
    if (this.#lock) return this.#lock
    const lock = this.#acquire()
    this.#lock = lock
    const forget = (): void => {
      if (this.#lock === lock) this.#lock = undefined
    }
    lock.then(
      (held) =>
        held.onLost(() => {
          forget()
          this.#dropLease()
        }),
      forget,
    )
    return lock
  }

  #dropLease(): void {
    this.#lease?.connection.then((connection) => connection.drop()).catch(() => undefined)
  }

  async #acquire(): Promise<HeldLock> {
    const deadline = performance.now() + timeoutMs
    for (;;) {
      const held = await this.#connections.tryLock(this.#space, this.#key)
      if (held) {
        // Nobody else begins a transaction now, but one of the former holder may still be open.
        const open = await this.#connections.tryLock(openSpace(this.#space), this.#key)
        await open?.release()
        if (open) return held
        await held.release()
      }
      if (performance.now() > deadline) {
        throw new LockedError(
          `${this.#name} is being indexed into this database by another process: stop it, or use another database`,
        )
      }
      await pause(200, this.#signal)
      if (this.#signal.aborted) throw new RetryableError('store', 'the wait for the lock was cancelled')
    }
  }
}

/** A connection that the uses of a session share while there are any. */
type Lease = { readonly connection: Promise<Connection>; users: number }
