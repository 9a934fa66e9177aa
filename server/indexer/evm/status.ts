import type { Progress } from '../../kernel/progress-meter.ts'
import { liveChannel } from '../../store/database.ts'
import { noteUnreached, stoppedTs } from '../../store/unreached.ts'
import type { StoreSession } from '../../store/session.ts'
import { finalOf, type NodeView } from './apply.ts'

type ChainState = 'waiting' | 'syncing' | 'live' | 'stopped'

/** Minimum milliseconds between two writes of the same state, with newer figures and with unchanged ones. */
const quietFor = { newer: 1_000, same: 10_000 }

/**
 * Writes the indexer's state for a chain to the chain's row and announces it. If there is no row yet, the
 * reason is announced.
 */
export class StatusReporter {
  readonly #session: StoreSession
  readonly #chain: number
  #last = ''
  #lastFigures = ''
  #lastAt = 0

  constructor(session: StoreSession, chain: number) {
    this.#session = session
    this.#chain = chain
  }

  /**
   * Sets the state. A change of state is written at once, newer figures at most once a second. `indexed` is
   * the highest applied block.
   */
  async report(
    state: ChainState,
    details: { reason?: string | undefined; indexed?: number | undefined; view?: NodeView | undefined },
  ): Promise<void> {
    const { reason, indexed, view } = details
    const key = `${state} ${reason ?? ''}`
    const figures = `${indexed} ${view?.headNumber} ${view?.finalizedNumber}`
    const now = performance.now()
    const quiet = figures === this.#lastFigures ? quietFor.same : quietFor.newer
    if (key === this.#last && now - this.#lastAt < quiet) return
    const event = {
      kind: 'progress',
      chain: `${this.#chain}`,
      state,
      ...(reason !== undefined && { reason }),
      ...(indexed !== undefined && { indexed: `${indexed}` }),
      ...(view && { node: `${view.headNumber}` }),
    }
    await this.#session.transaction(async (sql) => {
      const { count } = await sql`
        update chains set state = ${state}, reason = ${reason ?? null}, stopped_ts = ${stoppedTs(sql, state)},
          node_block = coalesce(${view?.headNumber ?? null}, node_block),
          node_seen_ts = coalesce(${view?.seenTs ?? null}, node_seen_ts),
          node_finalized = coalesce(${view && indexed !== undefined ? finalOf(view, indexed) : null}, node_finalized)
        where chain = ${this.#chain}`
      if (count === 0 && reason !== undefined) await noteUnreached(sql, 'evm', this.#chain, { state, reason })
      await sql`select pg_notify(${liveChannel}, ${JSON.stringify(event)})`
    })
    this.#last = key
    this.#lastFigures = figures
    this.#lastAt = now
  }

  /** Stores how fast the chain catches up. */
  async progress({ ts, blocksPerSecond, bound }: Progress): Promise<void> {
    await this.#session.use(
      (sql) => sql`
        insert into sync_progress (chain, ts, blocks_per_second, bound)
        values (${this.#chain}, ${ts}, ${blocksPerSecond}, ${bound})
        on conflict (chain) do update
        set ts = excluded.ts, blocks_per_second = excluded.blocks_per_second, bound = excluded.bound`,
    )
  }
}
