import { createStore } from './storage/store.ts'

/** The state of the connection to the service. Times are seconds of a monotonic clock. */
export type Connection = {
  /** Whether events are expected: `none` where the deployment has no stream of them. */
  stream: 'none' | 'connecting' | 'open'
  /** When the page was opened or last woke up: earlier answers prove nothing about now. */
  wokeAt: number
  /** The newest event or answer. */
  heardAt?: number | undefined
  /** The first failure since then. */
  failedAt?: number | undefined
  /** Why no events can arrive although the service runs, as reported by it. */
  reason?: string | undefined
  /** Whether answers or events may have been missed since the service was last known to be well. */
  troubled?: boolean | undefined
  /** When the next attempt to connect begins. */
  nextAt?: number | undefined
}

/** Seconds of a monotonic clock: the wall clock may be set at any time. */
export const moment = (): number => performance.now() / 1000

/** The state of the connection, for the whole page. `src/api/connection.ts` writes it. */
export const connection = createStore<Connection>({ stream: 'connecting', wokeAt: moment() })

/** Seconds without a sign of life after which the connection counts as lost, by kind of connection. */
export const timeoutMs = { open: 10, connecting: 25, none: 50, waking: 5 } as const

/** Whether the connection is confirmed, unconfirmed after a start, or lost. */
export function connectionState(connection: Connection, at: number): 'ok' | 'checking' | 'lost' {
  const { stream, wokeAt, heardAt = -Infinity, failedAt } = connection
  if (failedAt !== undefined) return 'lost'
  if (heardAt < wokeAt || (stream === 'connecting' && at - wokeAt < timeoutMs.waking))
    return at - wokeAt > timeoutMs.waking ? 'lost' : 'checking'
  return at - heardAt > timeoutMs[stream] ? 'lost' : 'ok'
}

/** The time in Unix seconds since which nothing was heard over a lost connection; `now` is the time at `at`. */
export function lostSince(connection: Connection, at: number, now: number): number | undefined {
  if (connectionState(connection, at) !== 'lost') return undefined
  return Math.floor(now - (at - (connection.heardAt ?? connection.wokeAt)))
}

/** Seconds by which the service's clock is ahead of this machine's. */
export const clockAhead = createStore(0)

/** The service's time in Unix seconds, with milliseconds. */
export const serviceTime = (): number => Date.now() / 1000 + clockAhead.get()

/** How often the service has come back since the page was opened; failed queries refetch on a change. */
export const recoveries = createStore(0)

/** The time since which the page has waited noticeably; undefined when it does not. */
export const waitingSince = createStore<number | undefined>(undefined)

/** Milliseconds of waiting that need no indication. */
const unnoticed = 1_500
const late = new Set<{ began: number }>()

/**
 * Tracks something that the page waits for. Call the returned function when it has arrived, failed or is no longer
 * needed.
 */
export function waitFor(): () => void {
  const wait = { began: moment() }
  const tell = (): void =>
    waitingSince.set(late.size === 0 ? undefined : Math.min(...[...late].map(({ began }) => began)))
  const timer = setTimeout(() => {
    late.add(wait)
    tell()
  }, unnoticed)
  return () => {
    clearTimeout(timer)
    if (late.delete(wait)) tell()
  }
}
