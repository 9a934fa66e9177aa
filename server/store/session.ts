import postgres from 'postgres'
import { type Database, lockSpace, type Queryable } from './database.ts'
import { LockedError, RetryableError } from '../kernel/errors.ts'
import { pause } from '../kernel/pause.ts'

/** Lock space for everything that changes a chain's rows (indexer, rewind). */
const writeSpace = 7102

/** Milliseconds to wait for the lock of a process that was just killed. */
const patience = 5_000

/** The second key of a chain's advisory locks, reduced because chain ids may exceed 32 bits. */
export function lockKey(chain: number): number {
  return chain % 2_147_483_647
}

/**
 * Waits, inside a transaction, until nobody else changes the chain, and holds the lock until the transaction
 * ends.
 */
export async function lockChain(sql: Queryable, chain: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${writeSpace}, ${lockKey(chain)})`
}

/** The same for one of several connections that change different tables of the chain together. */
export async function shareChain(sql: Queryable, chain: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${writeSpace}, ${lockKey(chain)})`
}

/**
 * The only connection on which a chain's indexer reads and writes. It holds the chain's advisory lock, so
 * nothing is written without the lock: both end together. After any failure the connection is closed, which
 * rolls back any open transaction, and the next use opens a new one. (A driver that reconnects by itself
 * would continue outside the transaction and without the lock.)
 */
export class StoreSession {
  readonly #database: Database
  readonly #chain: number
  readonly #signal: AbortSignal
  readonly #name: string
  readonly #space: number
  #held: Held | undefined

  /**
   * `database` identifies the store; the session opens its own connection. `name` is used in the error if
   * another process holds the chain. A session beside that of the indexer has a lock `space` of its own.
   */
  constructor(
    database: Database,
    chain: number,
    signal: AbortSignal,
    name = `chain ${chain}`,
    space: number = lockSpace.indexer,
  ) {
    this.#database = database
    this.#chain = chain
    this.#signal = signal
    this.#name = name
    this.#space = space
  }

  /** Connects and acquires the lock. Throws LockedError if another process holds it. */
  async open(): Promise<void> {
    await this.#hold()
  }

  /** Runs statements; a failure closes the connection. */
  async use<T>(action: (sql: Database) => Promise<T>): Promise<T> {
    const held = await this.#hold()
    try {
      return await untilLost(held, action(held.sql))
    } catch (error) {
      this.#drop(held)
      throw error
    }
  }

  /** Runs statements in a transaction, which is committed only if all of them succeed. */
  async transaction<T>(action: (sql: Database) => Promise<T>): Promise<T> {
    return this.use(async (sql) => {
      await sql`begin`
      const result = await action(sql)
      await sql`commit`
      return result
    })
  }

  /** Releases the lock. */
  async close(): Promise<void> {
    const held = this.#held
    this.#held = undefined
    await held?.sql.end({ timeout: 2 })
  }

  async #hold(): Promise<Held> {
    if (this.#held) return this.#held
    const held: Held = {
      sql: connectLike(this.#database, () => {
        this.#drop(held)
        const error = new RetryableError('store', 'the connection to the database was lost')
        for (const reject of held.waiting) reject(error)
      }),
      waiting: new Set(),
    }
    this.#held = held
    try {
      const deadline = performance.now() + patience
      while (!(await untilLost(held, tryLock(held.sql, this.#space, this.#chain)))) {
        if (performance.now() > deadline) {
          throw new LockedError(
            `${this.#name} is being indexed into this database by another process: stop it, or use another database`,
          )
        }
        await pause(200, this.#signal)
        if (this.#signal.aborted) throw new RetryableError('store', 'the wait for the lock was cancelled')
      }
      return held
    } catch (error) {
      this.#drop(held)
      throw error
    }
  }

  #drop(held: Held): void {
    if (this.#held === held) this.#held = undefined
    // Ending without waiting closes the socket; its result does not matter.
    held.sql.end({ timeout: 0 }).catch(() => undefined)
  }
}

/** A connection, and the callbacks to reject pending actions when it is lost. */
type Held = { readonly sql: Database; readonly waiting: Set<(error: Error) => void> }

/**
 * The result of an action on a connection, or a rejection if the connection is lost: the driver never settles
 * a statement whose connection broke during a write.
 */
function untilLost<T>(held: Held, action: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    held.waiting.add(reject)
    action.then(resolve, reject).finally(() => held.waiting.delete(reject))
  })
}

async function tryLock(sql: Queryable, space: number, chain: number): Promise<boolean> {
  const [row] = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_lock(${space}, ${lockKey(chain)}) as locked`
  return row?.locked === true
}

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
