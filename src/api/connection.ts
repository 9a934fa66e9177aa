import { connection, moment, recoveries } from '../lib/connection.ts'
import type { Connection } from '../lib/freshness.ts'
import { isPassing } from './errors.ts'
import { queryClient } from './query-client.ts'

const mostJitter = 1_000

/** Changes what is known of the connection. */
export const change = (more: Partial<Connection>): void => connection.set((now) => ({ ...now, ...more }))

/** Asks again for what is on screen and has failed, once the others that wait for the service have had a chance too. */
export function recover(): void {
  change({ troubled: false })
  setTimeout(() => {
    void queryClient.refetchQueries({
      type: 'active',
      // A long list asks for the page that it lacks, not for all of them: its own part of the page does that.
      predicate: ({ state }) =>
        isPassing(state.error) && !(state.data instanceof Object && 'pageParams' in state.data),
    })
    recoveries.set((count) => count + 1)
  }, Math.random() * mostJitter)
}

/** The service has answered, or sent an event. */
export function heard(): void {
  const at = moment()
  const before = connection.get()
  // A chain that syncs sends events by the dozen: the page need not hear of each.
  if (before.failedAt === undefined && at - (before.heardAt ?? -Infinity) < 0.5) return
  change({ heardAt: at, failedAt: undefined })
  if (before.troubled && before.reason === undefined) recover()
}

/** Nothing answers. */
export function unreachable(): void {
  change({ troubled: true, failedAt: connection.get().failedAt ?? moment() })
}

/** A request of this page has failed without an answer. Where heartbeats still come, it is not the service. */
export function requestFailed(): void {
  if (connection.get().stream !== 'open') unreachable()
}
