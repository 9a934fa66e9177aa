import { clockAhead, connection, moment } from '../lib/connection.ts'
import { connectionState } from '../lib/freshness.ts'
import { change, recover, unreachable } from './connection.ts'

const suspended = 5

/** A heartbeat has come, `time` being the service's own in Unix seconds. */
export function heardBeat({ time, reason }: { time: number; reason?: string | undefined }): void {
  change({ stream: 'open', heardAt: moment(), failedAt: undefined, nextAt: undefined, reason })
  const ahead = time - Math.floor(Date.now() / 1000)
  // A second or two may be the way here.
  clockAhead.set(Math.abs(ahead) > 2 ? ahead : 0)
  if (reason !== undefined) change({ troubled: true })
  else if (connection.get().troubled) recover()
}

/** The stream of events has ended or never came; `nextAt` is when it is tried again. */
export function streamLost(nextAt: number): void {
  change({ stream: 'connecting', nextAt, reason: undefined, troubled: true })
}

/** This profile has no stream of events: its answers are all that is heard. */
export function withoutStream(): void {
  change({ stream: 'none' })
}

const wakers = new Set<() => void>()

/** Runs `listener` whenever the connection has to be looked at without delay. Returns the stop. */
export function onWake(listener: () => void): () => void {
  wakers.add(listener)
  return () => wakers.delete(listener)
}

/** Looks at the connection without delay: after a sleep, or because a person asks. */
export function wake(): void {
  change({ wokeAt: moment(), nextAt: undefined })
  for (const listener of wakers) listener()
}

/**
 * Notices silence and sleep while the page is open. A machine that slept shows as a jump of either clock: the one
 * that only goes forward stands still during sleep on some systems. Returns the stop.
 */
export function watchConnection(): () => void {
  let lastAt = moment()
  let lastWall = Date.now() / 1000
  const look = (): void => {
    const at = moment()
    const wall = Date.now() / 1000
    const slept = Math.max(Math.abs(wall - lastWall), at - lastAt) > suspended
    lastAt = at
    lastWall = wall
    if (document.visibilityState === 'hidden') return
    if (slept) wake()
    else if (connectionState(connection.get(), at) === 'lost') unreachable()
  }
  const visible = (): void => {
    if (document.visibilityState !== 'visible') return
    lastAt = moment()
    lastWall = Date.now() / 1000
    wake()
  }
  const timer = setInterval(look, 1000)
  const stop = new AbortController()
  const { signal } = stop
  document.addEventListener('visibilitychange', visible, { signal })
  document.addEventListener('resume', visible, { signal })
  addEventListener('pageshow', (event) => event.persisted && visible(), { signal })
  addEventListener('online', visible, { signal })
  addEventListener('offline', visible, { signal })
  return () => {
    clearInterval(timer)
    stop.abort()
  }
}
