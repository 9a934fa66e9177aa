import { connection, moment, recoveries, type Connection } from '../lib/connection.ts'
import { isTransient } from './errors.ts'
import { queryClient } from './query-client.ts'

const maxJitter = 1_000

/** Updates the state of the connection. */
export const change = (more: Partial<Connection>): void => connection.set((now) => ({ ...now, ...more }))

/** Refetches what the page shows as failed, except what would fail again, such as an item that does not exist. */
export function refetchShown(): void {
  void queryClient.refetchQueries({
    type: 'active',
    // A long list requests only the page that is missing; its component does that.
    predicate: ({ state }) =>
      isTransient(state.error) && !(state.data instanceof Object && 'pageParams' in state.data),
  })
}

/** Refetches failed queries of the page, after a random delay so that clients do not all return at once. */
export function refetchFailed(): void {
  change({ troubled: false })
  setTimeout(() => {
    refetchShown()
    recoveries.set((count) => count + 1)
  }, Math.random() * maxJitter)
}

/** Records that the service has answered or sent an event. */
export function markReachable(): void {
  const at = moment()
  const before = connection.get()
  // A syncing chain sends many events; one update in half a second is enough.
  if (before.failedAt === undefined && at - (before.heardAt ?? -Infinity) < 0.5) return
  change({ heardAt: at, failedAt: undefined })
  if (before.troubled && before.reason === undefined) refetchFailed()
}

/** Records that the service does not answer. */
export function markUnreachable(): void {
  change({ troubled: true, failedAt: connection.get().failedAt ?? moment() })
}

/**
 * Records that a request failed without an answer. While heartbeats arrive, the service itself is reachable; the next
 * sign of it asks again for what failed.
 */
export function requestFailed(): void {
  if (connection.get().stream === 'open') change({ troubled: true })
  else markUnreachable()
}

const wakers = new Set<() => void>()

/** Calls `listener` whenever the connection must be checked at once. Returns the function that stops this. */
export function onConnectionCheck(listener: () => void): () => void {
  wakers.add(listener)
  return () => wakers.delete(listener)
}

/** Checks the connection at once: after the machine slept, or when the user asks for it. */
export function checkConnection(): void {
  change({ wokeAt: moment(), nextAt: undefined })
  for (const listener of wakers) listener()
}
