import { useNow, useStore } from '../../components/hooks.ts'
import { clockAhead, connection, moment, serviceTime } from '../../lib/connection.ts'
import { feedOf, type Feed, type Followed } from '../../lib/freshness.ts'
import { paces } from '../../lib/pace.ts'

/** The service's time in Unix seconds, and the state of any chain: see `useFeed`. */
export function useFeeds(): { now: number; feed: (chain: Followed | undefined, key: string) => Feed } {
  const ahead = useStore(clockAhead)
  const now = useNow() + ahead
  const link = useStore(connection)
  const at = moment()
  return {
    now,
    feed: (chain, key) => {
      const { indexedBlock: block, indexedTimestamp: ts } = chain ?? {}
      // A known head changes nothing: this only records heads that came with answers instead of events.
      if (block !== undefined && ts !== undefined) paces.see(key, { at, block, ts, announced: false })
      // With milliseconds, so that the time of the lost connection does not jump.
      return feedOf({ at, now: serviceTime(), connection: link, chain, pace: paces.of(key, at) })
    },
  }
}

/**
 * The state of a chain on the page, and the service's time in Unix seconds. `key` is the chain's id, or
 * `network/chain` for one of the primary network.
 */
export function useFeed(chain: Followed | undefined, key: string): { feed: Feed; now: number } {
  const { now, feed } = useFeeds()
  return { now, feed: feed(chain, key) }
}
