import { useNow, useStore } from '../../components/hooks.ts'
import { clockAhead, connection, moment } from '../../lib/connection.ts'
import { feedOf, type Feed, type Followed } from '../../lib/freshness.ts'
import { paces } from '../../lib/pace.ts'

/** The service's time in Unix seconds, and the state of any chain at it: see `useFeed`. */
export function useFeeds(): { now: number; feed: (chain: Followed | undefined, key: string) => Feed } {
  const ahead = useStore(clockAhead)
  const now = useNow() + ahead
  const link = useStore(connection)
  const at = moment()
  return {
    now,
    feed: (chain, key) => {
      const { indexedBlock: block, indexedTimestamp: ts } = chain ?? {}
      // The same head twice changes nothing: this only tells the pace of what answers brought without an event.
      if (block !== undefined && ts !== undefined) paces.see(key, { at, block, ts, announced: false })
      // To the millisecond, so that the second in which the connection was lost does not jump.
      const exact = Date.now() / 1000 + ahead
      return feedOf({ at, now: exact, connection: link, chain, pace: paces.of(key, at) })
    },
  }
}

/**
 * The state of what the page shows of a chain, and the service's time in Unix seconds. `key` is the chain's id, or
 * `network/chain` for one of the primary network.
 */
export function useFeed(chain: Followed | undefined, key: string): { feed: Feed; now: number } {
  const { now, feed } = useFeeds()
  return { now, feed: feed(chain, key) }
}
