import { setTimeout as delay } from 'node:timers/promises'
import { pause } from '../kernel/pause.ts'
import { within } from '../kernel/within.ts'
import type { Database } from './database.ts'

/** How far the replica is behind: seconds since the primary wrote what the replica lacks, and bytes of the log. */
type ReplicaLag = { readonly seconds: number; readonly bytes: bigint }

type ReplicaOptions = {
  readonly primary: Database
  /** A pool on the server that this process reads from. */
  readonly reads: () => Database
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

/** Milliseconds between two measurements of the lag. */
const measureEvery = 1_000
/** Milliseconds until the primary counts as unreachable. */
const answerTimeoutMs = 1_500
/** Milliseconds between two looks at a replica that is waited for, for the first second and afterwards. */
const checkIntervalMs = { first: 10, later: 100 }
/** Positions of the primary that are remembered until the replica has them: the oldest gives the lag. */
const maxPositions = 1_000

/** Compares the replica that a process reads from with its primary, by positions in the log (LSN) as bytes. */
export class Replica {
  readonly #options: Required<ReplicaOptions>
  #ahead: { readonly position: bigint; readonly at: number }[] = []
  #answeredAt: number | undefined
  #written = 0n
  #replayed = 0n

  constructor(options: ReplicaOptions) {
    this.#options = { now: () => performance.now(), ...options }
  }

  /** The lag as of the last answer of the primary; undefined before the first. */
  get lag(): ReplicaLag | undefined {
    if (this.#answeredAt === undefined) return undefined
    const [oldest] = this.#ahead
    if (!oldest) return { seconds: 0, bytes: 0n }
    return { seconds: (this.#answeredAt - oldest.at) / 1_000, bytes: this.#written - this.#replayed }
  }

  /**
   * The position that a server must have replayed so that it shows nothing older than what this process has shown: that
   * of the primary, or, while the primary does not answer, the last one seen on the replica.
   */
  async floor(): Promise<bigint> {
    return this.#askPrimary().catch(() => this.#replayed)
  }

  /** Waits for reads to see everything that is committed now, for at most so long, or until `other`; a failure ends it too. */
  async catchUpWithin(timeoutMs: number, other?: AbortSignal): Promise<void> {
    await within(timeoutMs, (signal) => this.catchUp(signal), other).catch(() => undefined)
  }

  /** Resolves once reads see everything that is committed now. Throws if the primary does not answer. */
  async catchUp(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const target = await this.#askPrimary()
    const started = this.#options.now()
    while (!signal.aborted) {
      const replayed = await readReplayed(this.#options.reads())
      if (replayed === undefined || replayed >= target) return
      await pause(
        this.#options.now() - started < 1_000 ? checkIntervalMs.first : checkIntervalMs.later,
        signal,
      )
    }
  }

  /** Measures the lag until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.measure().catch(() => undefined)
      await pause(measureEvery, signal)
    }
  }

  /** Measures the lag once. Throws if a server does not answer. */
  async measure(): Promise<void> {
    const at = this.#options.now()
    const written = await this.#askPrimary()
    const replayed = (await readReplayed(this.#options.reads())) ?? written
    // A promoted server may have less of the log than its predecessor.
    this.#ahead = this.#ahead.filter(({ position }) => position > replayed && position <= written)
    if (written > replayed && this.#ahead.length < maxPositions) this.#ahead.push({ position: written, at })
    this.#answeredAt = at
    this.#written = written
    this.#replayed = replayed
  }

  async #askPrimary(): Promise<bigint> {
    const stop = new AbortController()
    const late = delay(answerTimeoutMs, undefined, { signal: stop.signal }).then(() => {
      throw new Error('the primary does not answer')
    })
    try {
      return await Promise.race([readWritten(this.#options.primary), late])
    } finally {
      stop.abort()
    }
  }
}

/**
 * The end of the last record in the primary's log, which includes every commit that has been seen. The server reports
 * where the next record begins; on a page without a record that is behind the page's header, which a replica counts
 * only with the next record.
 */
async function readWritten(primary: Database): Promise<bigint> {
  const [row] = await primary<{ position: string; segment: string }[]>`
    select (pg_current_wal_insert_lsn() - '0/0')::text as position,
      (select setting from pg_settings where name = 'wal_segment_size') as segment`
  if (!row) throw new Error('the primary does not answer')
  return endOfLog(BigInt(row.position), BigInt(row.segment))
}

/** Bytes of a page of the log, and of its header at the start of a segment and elsewhere. */
const page = { size: 8_192n, first: 40n, other: 24n }

/** The end of the last record, given where the next one begins, in a log with segments of that many bytes. */
export function endOfLog(next: bigint, segment: bigint): bigint {
  if (next % segment === page.first) return next - page.first
  if (next % page.size === page.other) return next - page.other
  return next
}

/** What a standby has replayed; undefined on a primary. */
async function readReplayed(database: Database): Promise<bigint | undefined> {
  const [row] = await database<{ position: string | null }[]>`
    select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as position`
  if (!row) throw new Error('the replica does not answer')
  return row.position === null ? undefined : BigInt(row.position)
}
