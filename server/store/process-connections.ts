import postgres from 'postgres'
import type { Database, Queryable } from './database.ts'
import { RetryableError } from '../kernel/errors.ts'

/** Connections on which the sessions of a process write, whatever their number. */
const maxWriters = 8

/**
 * A pool of one connection with the settings of another pool. Arrays are passed as text: otherwise the driver
 * queries their types on its own, and a failure of that query is never reported.
 */
export function connectLike(database: Database, onclose: () => void): Database {
  // The driver accepts its own parsed options; only the types differ.
  const options = {
    ...database.options,
    max: 1,
    onclose,
    fetch_types: false,
  } as unknown as postgres.Options<{
    bigint: postgres.PostgresType<bigint>
  }>
  return postgres(options) as unknown as Database
}

/** One connection, and what has to know when it is lost. */
export class Connection {
  readonly sql: Database
  readonly #waiting = new Set<(error: Error) => void>()
  #isLost = false

  constructor(database: Database) {
    this.sql = connectLike(database, () => this.drop())
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** Calls the listener when the connection is lost or dropped; at once if it already is. */
  onLost(listener: (error: Error) => void): () => void {
    if (this.#isLost) listener(lostError())
    else this.#waiting.add(listener)
    return () => this.#waiting.delete(listener)
  }

  /**
   * The result of an action on the connection, or a rejection if it is lost: the driver never settles a statement
   * whose connection broke during a write.
   */
  untilLost<T>(action: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const forget = this.onLost(reject)
      action.then(resolve, reject).finally(forget)
    })
  }

  /** Closes the connection, which rolls back its open transaction. */
  drop(): void {
    if (this.#isLost) return
    this.#isLost = true
    // Ending without waiting closes the socket; its result does not matter.
    this.sql.end({ timeout: 0 }).catch(() => undefined)
    const listeners = [...this.#waiting]
    this.#waiting.clear()
    for (const listener of listeners) listener(lostError())
  }
}

const lostError = (): Error => new RetryableError('store', 'the connection to the database was lost')

/** An advisory lock that this process holds. */
export type HeldLock = {
  /** Calls the listener once the lock is lost with its connection; returns how to take the listener back. */
  onLost(listener: (error: Error) => void): () => void
  release(): Promise<void>
}

/**
 * What all sessions of a process use of one database, so that the number of connections does not grow with the number
 * of chains: one connection that holds the advisory locks of all of them, and at most eight on which they write,
 * each for as long as it has something to write.
 */
export class ProcessConnections {
  static readonly #byPool = new WeakMap<Database, ProcessConnections>()

  readonly #database: Database
  readonly #locks = new Set<string>()
  #locking: Connection | undefined
  readonly #idle: Connection[] = []
  readonly #queue: ((connection: Connection) => void)[] = []
  #leased = 0

  private constructor(database: Database) {
    this.#database = database
  }

  /** Those of a pool; opened on first use. */
  static of(database: Database): ProcessConnections {
    const known = ProcessConnections.#byPool.get(database)
    if (known) return known
    const created = new ProcessConnections(database)
    ProcessConnections.#byPool.set(database, created)
    return created
  }

  /** Acquires an advisory lock; undefined if another process, or another user in this one, holds it. */
  async tryLock(space: number, key: number): Promise<HeldLock | undefined> {
    const name = `${space} ${key}`
    // PostgreSQL grants a lock again to the connection that holds it.
    if (this.#locks.has(name)) return undefined
    this.#locks.add(name)
    const connection = (this.#locking = this.#locking?.isLost === false ? this.#locking : this.#connect())
    try {
      const isLocked = await connection.untilLost(tryAdvisoryLock(connection.sql, space, key))
      if (!isLocked) {
        this.#forget(name, connection)
        return undefined
      }
    } catch (error) {
      this.#forget(name, connection)
      throw error
    }
    const forgetLoss = connection.onLost(() => this.#locks.delete(name))
    return {
      onLost: (listener) => connection.onLost(listener),
      release: async () => {
        forgetLoss()
        if (connection.isLost || !this.#locks.has(name)) return
        try {
          await connection.untilLost(connection.sql`select pg_advisory_unlock(${space}, ${key})`)
        } catch {
          // A lock that cannot be given back ends with its connection.
          connection.drop()
        }
        this.#forget(name, connection)
      },
    }
  }

  /** Waits for a connection to write on, in the order of the calls. Each has to be given back. */
  lease(): Promise<Connection> {
    const idle = this.#takeIdle()
    if (idle ?? this.#leased < maxWriters) {
      this.#leased += 1
      return Promise.resolve(idle ?? this.#connect())
    }
    return new Promise((resolve) => this.#queue.push(resolve))
  }

  /** Takes back a leased connection; one that failed in use has to be dropped first. */
  giveBack(connection: Connection): void {
    const next = this.#queue.shift()
    if (next) {
      next(connection.isLost ? this.#connect() : connection)
      return
    }
    this.#leased -= 1
    if (!connection.isLost) this.#idle.push(connection)
    this.#closeUnused()
  }

  /** The most recently used one, whose prepared statements are the likeliest to serve. */
  #takeIdle(): Connection | undefined {
    for (let found = this.#idle.pop(); found; found = this.#idle.pop()) if (!found.isLost) return found
    return undefined
  }

  #connect(): Connection {
    return new Connection(this.#database)
  }

  #forget(name: string, connection: Connection): void {
    this.#locks.delete(name)
    if (this.#locking === connection) this.#closeUnused()
  }

  /** Without a lock nothing is written, so nothing needs to stay open. */
  #closeUnused(): void {
    if (this.#locks.size > 0 || this.#leased > 0) return
    for (const connection of [this.#locking, ...this.#idle.splice(0)]) connection?.drop()
    this.#locking = undefined
  }
}

async function tryAdvisoryLock(sql: Queryable, space: number, key: number): Promise<boolean> {
  const [row] = await sql<{ locked: boolean }[]>`select pg_try_advisory_lock(${space}, ${key}) as locked`
  return row?.locked === true
}
