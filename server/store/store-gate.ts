import { unavailable } from '../kernel/http-errors.ts'
import { createPageTokens, type PageTokens } from '../kernel/page-tokens.ts'
import { pageTokenSecret, type Database, type Queryable } from './database.ts'
import type { Replica } from './replica.ts'

/** The store, once it is open. */
type OpenStore = {
  /** The pool for API reads: bounded, with a statement timeout. */
  readonly database: Database
  /** A small separate pool, so that slow reads never delay `/ready`. */
  readonly health: Database
  /** The pool for what API requests write and announce; the same as `database` without a replica. */
  readonly primary: Database
  /** The replica that the other pools read from; undefined if they read from the primary. */
  readonly replica?: Replica
  readonly pageTokens: PageTokens
}

/** Milliseconds for which the answer to a write waits for the replica. */
const replicaWithin = 2_000

/**
 * Access to the store. The service listens before its database has started, so that the dashboard can show
 * what it waits for: until then, every read is a 503 with the reason.
 */
export class StoreGate {
  #store: OpenStore | undefined
  #reason = 'the database is starting'

  /** Closes the gate with the reason for the 503. */
  wait(reason: string): void {
    this.#store = undefined
    this.#reason = reason
  }

  /**
   * Opens the gate. The database must be migrated. Without `primary`, writes use the pool of reads. `clock` gives Unix
   * seconds.
   */
  async open(
    pools: Pick<OpenStore, 'database' | 'health'> & Partial<Pick<OpenStore, 'primary' | 'replica'>>,
    clock: () => number,
  ): Promise<void> {
    const secret = await pageTokenSecret(pools.database)
    this.#store = { primary: pools.database, ...pools, pageTokens: createPageTokens(secret, clock) }
  }

  /** The open store. Throws a 503 with the reason while the gate is closed. */
  get(): OpenStore {
    if (!this.#store) throw unavailable(`not ready: ${this.#reason}`)
    return this.#store
  }

  /**
   * Runs a transaction on the primary. Resolves once reads of this process see it, or after two seconds if the replica
   * takes longer. A primary that is itself a replica makes it a 503.
   */
  async write<Value>(action: (sql: Queryable) => Promise<Value>): Promise<Value> {
    const { primary, replica } = this.get()
    // The driver's result type unwraps arrays of promises, which does not apply here.
    const result: { value?: Value } = {}
    try {
      await primary.begin(async (sql) => {
        result.value = await action(sql)
      })
    } catch (error) {
      if (!isReadOnly(error)) throw error
      throw unavailable('this service is connected to a replica and takes no changes; ask its primary', error)
    }
    await replica?.catchUpWithin(replicaWithin)
    return result.value as Value
  }

  /** The reason why the gate is closed; undefined while it is open. */
  get closedReason(): string | undefined {
    return this.#store ? undefined : this.#reason
  }
}

/** Whether PostgreSQL refused a write, or a replica LISTEN. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: string }).code === '25006'
}
