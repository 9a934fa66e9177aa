import type { Connection } from './freshness.ts'
import { createStore } from './storage/store.ts'

/** Seconds of a monotonic clock: the wall clock may be set at any time. */
export const moment = (): number => performance.now() / 1000

/** The state of the connection, for the whole page. `src/api/connection.ts` writes it. */
export const connection = createStore<Connection>({ stream: 'connecting', wokeAt: moment() })

/** Seconds by which the service's clock is ahead of this machine's. */
export const clockAhead = createStore(0)

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
