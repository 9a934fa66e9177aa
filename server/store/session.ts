import postgres from 'postgres'
import { type Database, lockSpace, type Queryable } from './database.ts'
import { LockedError, RetryableError } from '../kernel/errors.ts'
import { pause } from '../kernel/pause.ts'

/** The lock space under which whoever changes a chain's rows (indexer, rewind) takes turns. */
const writeSpace = 7102

/** Milliseconds that the lock of a process which was just killed may linger. */
const patience = 5_000

/** The second key of a chain's advisory locks: chain ids may pass 32 bits. */
function lockKey(chain: number): number {
  return chain % 2_147_483_647
}

/** Waits, inside a transaction, until no one else changes the chain. */
export async function takeTurn(sql: Queryable, chain: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${writeSpace}, ${lockKey(chain)})`
}

/**
 * The one connection on which a chain's indexer reads and writes. It holds the chain's advisory lock, so
 * that nothing is written without the lock: both go with the connection. After any failure the connection
 * is given up, which rolls back whatever was open, and the next use opens another one. (A driver that
 * reconnects by itself would go on outside of the transaction and without the lock.)
 */
export class StoreSession {
  readonly #database: Database
  readonly #chain: number
  readonly #signal: AbortSignal
  readonly #name: string
  #held: Held | undefined

  /**
   * `database` says where the store is; the session has a connection of its own. `name` is what the chain is
   * called when someone else holds it.
   */
  constructor(database: Database, chain: number, signal: AbortSignal, name = `chain ${chain}`) {
    this.#database = database
    this.#chain = chain
    this.#signal = signal
    this.#name = name
  }

  /** Connects and takes the lock. Throws LockedError when another process holds it. */
  async open(): Promise<void> {
    await this.#hold()
  }

  /** Runs statements; a failure gives the connection up. */
  async use<T>(action: (sql: Database) => Promise<T>): Promise<T> {
    const held = await this.#hold()
    try {
      return await untilLost(held, action(held.sql))
    } catch (error) {
      this.#drop(held)
      throw error
    }
  }

  /** Runs statements in a transaction; it is committed only when all of them succeed. */
  async transaction<T>(action: (sql: Database) => Promise<T>): Promise<T> {
    return this.use(async (sql) => {
      await sql`begin`
      const result = await action(sql)
      await sql`commit`
      return result
    })
  }

  /** Gives the lock back. */
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
      while (!(await untilLost(held, tryLock(held.sql, this.#chain)))) {
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
    // Ending without a wait closes the socket; there is nothing to hear of it.
    held.sql.end({ timeout: 0 }).catch(() => undefined)
  }
}

/** A connection, and how to tell whoever waits on it that it is lost. */
type Held = { readonly sql: Database; readonly waiting: Set<(error: Error) => void> }

/**
 * The result of an action on a connection, or a rejection when that is lost: the driver leaves a statement
 * waiting for ever whose connection broke in the moment of a write.
 */
function untilLost<T>(held: Held, action: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    held.waiting.add(reject)
    action.then(resolve, reject).finally(() => held.waiting.delete(reject))
  })
}

async function tryLock(sql: Queryable, chain: number): Promise<boolean> {
  const [row] = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_lock(${lockSpace.indexer}, ${lockKey(chain)}) as locked`
  return row?.locked === true
}

/**
 * A pool of one connection with the settings of another pool. Lists travel as text: the driver would ask
 * for their types unasked, and no one hears when that fails.
 */
export function connectLike(database: Database, onclose: () => void): Database {
  // The driver takes the options that it has parsed; only its types tell the two apart.
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
