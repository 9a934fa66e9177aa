import postgres from 'postgres'
import { type Database, lockSpace, type Queryable } from '../store/database.ts'
import { LockedError, RetryableError } from './errors.ts'
import { pause } from './pause.ts'

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
  private readonly database: Database
  private readonly chain: number
  private readonly signal: AbortSignal
  private connection: Database | undefined

  /** `database` says where the store is; the session has a connection of its own. */
  constructor(database: Database, chain: number, signal: AbortSignal) {
    this.database = database
    this.chain = chain
    this.signal = signal
  }

  /** Connects and takes the lock. Throws LockedError when another process holds it. */
  async open(): Promise<Database> {
    if (this.connection) return this.connection
    const connection = connectLike(this.database, () => this.drop(connection))
    this.connection = connection
    try {
      const deadline = performance.now() + patience
      while (!(await tryLock(connection, this.chain))) {
        if (performance.now() > deadline) {
          throw new LockedError(
            `chain ${this.chain} is being indexed into this database by another process: stop it, or use another database`,
          )
        }
        await pause(200, this.signal)
        if (this.signal.aborted) throw new RetryableError('store', 'the wait for the lock was cancelled')
      }
      return connection
    } catch (error) {
      this.drop(connection)
      throw error
    }
  }

  /** Runs statements; a failure gives the connection up. */
  async use<T>(action: (sql: Database) => Promise<T>): Promise<T> {
    const connection = await this.open()
    try {
      return await action(connection)
    } catch (error) {
      this.drop(connection)
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
    const connection = this.connection
    this.connection = undefined
    await connection?.end({ timeout: 2 })
  }

  private drop(connection: Database): void {
    if (this.connection === connection) this.connection = undefined
    // Ending without a wait closes the socket; there is nothing to hear of it.
    connection.end({ timeout: 0 }).catch(() => undefined)
  }
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
