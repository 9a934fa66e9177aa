import type { Connection } from './freshness.ts'
import { createStore } from './storage/store.ts'

/** Seconds of a clock that only goes forward: the person's own may be set at any time. */
export const moment = (): number => performance.now() / 1000

/** When the service was last heard, for the whole page. `src/api/connection.ts` writes it. */
export const connection = createStore<Connection>({ stream: 'connecting', wokeAt: moment() })

/** Seconds by which the service's clock is ahead of this machine's. */
export const clockAhead = createStore(0)

/** How often the service has come back since the page was opened: what failed meanwhile asks again. */
export const recoveries = createStore(0)

/** Since when a page has waited longer than a person expects; undefined when it does not. */
export const waitingSince = createStore<number | undefined>(undefined)

/** Milliseconds that a person waits without asking whether anything happens. */
const unnoticed = 1_500
const late = new Set<{ began: number }>()

/** Begins to watch something that the page waits for. Returns what to call when it has come, failed or is not wanted. */
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
