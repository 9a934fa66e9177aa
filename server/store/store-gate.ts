import { unavailable } from '../kernel/http-errors.ts'
import { createPageTokens, type PageTokens } from '../kernel/page-tokens.ts'
import { pageTokenSecret, type Database } from './database.ts'

/** The store, once it is open. */
export type OpenStore = {
  /** Reads of the operations: bounded, with a statement timeout. */
  readonly database: Database
  /** A small pool of its own, so that slow reads never hold up `/ready`. */
  readonly health: Database
  readonly pageTokens: PageTokens
}

/**
 * The way to the store. The service listens before its database has started, so that the dashboard can
 * say what it waits for: until then every read is a 503 with the reason.
 */
export class StoreGate {
  #store: OpenStore | undefined
  #reason = 'the database is starting'

  /** Sets what readers are told while the store is closed. */
  wait(reason: string): void {
    this.#store = undefined
    this.#reason = reason
  }

  /** Opens the gate. The database must be migrated. `clock` gives Unix seconds. */
  async open(pools: { database: Database; health: Database }, clock: () => number): Promise<void> {
    const secret = await pageTokenSecret(pools.database)
    this.#store = { ...pools, pageTokens: createPageTokens(secret, clock) }
  }

  /** The open store. Throws a 503 that says what it waits for. */
  get(): OpenStore {
    if (!this.#store) throw unavailable(`not ready: ${this.#reason}`)
    return this.#store
  }

  /** Why the gate is closed; undefined when it is open. */
  get closedReason(): string | undefined {
    return this.#store ? undefined : this.#reason
  }
}
