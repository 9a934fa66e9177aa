import { unavailable } from '../kernel/http-errors.ts'
import { createPageTokens, type PageTokens } from '../kernel/page-tokens.ts'
import { pageTokenSecret, type Database } from './database.ts'

/** The store, once it is open. */
export type OpenStore = {
  /** The pool for API reads: bounded, with a statement timeout. */
  readonly database: Database
  /** A small separate pool, so that slow reads never delay `/ready`. */
  readonly health: Database
  readonly pageTokens: PageTokens
}

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

  /** Opens the gate. The database must be migrated. `clock` gives Unix seconds. */
  async open(pools: { database: Database; health: Database }, clock: () => number): Promise<void> {
    const secret = await pageTokenSecret(pools.database)
    this.#store = { ...pools, pageTokens: createPageTokens(secret, clock) }
  }

  /** The open store. Throws a 503 with the reason while the gate is closed. */
  get(): OpenStore {
    if (!this.#store) throw unavailable(`not ready: ${this.#reason}`)
    return this.#store
  }

  /** The reason why the gate is closed; undefined while it is open. */
  get closedReason(): string | undefined {
    return this.#store ? undefined : this.#reason
  }
}
