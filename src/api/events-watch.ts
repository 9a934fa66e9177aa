import { clockAhead, connection, moment, connectionState } from '../lib/connection.ts'
import { change, checkConnection, refetchFailed, markUnreachable } from './connection.ts'

const suspended = 5

/** Records a heartbeat; `time` is the service's clock in Unix seconds. */
export function recordHeartbeat({ time, reason }: { time: number; reason?: string | undefined }): void {
  change({ stream: 'open', heardAt: moment(), failedAt: undefined, nextAt: undefined, reason })
  const ahead = time - Math.floor(Date.now() / 1000)
  // Up to two seconds may be network latency.
  clockAhead.set(Math.abs(ahead) > 2 ? ahead : 0)
  if (reason !== undefined) change({ troubled: true })
  else if (connection.get().troubled) refetchFailed()
}

/** Records that the event stream ended or failed to open; `nextAt` is the time of the next attempt. */
export function streamLost(nextAt: number): void {
  change({ stream: 'connecting', nextAt, reason: undefined, troubled: true })
}

/** Records that the profile has no event stream: only answers show that the service is reachable. */
export function withoutStream(): void {
  change({ stream: 'none' })
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
    if (slept) checkConnection()
    else if (connectionState(connection.get(), at) === 'lost') markUnreachable()
  }
  const visible = (): void => {
    if (document.visibilityState !== 'visible') return
    lastAt = moment()
    lastWall = Date.now() / 1000
    checkConnection()
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
