import { useStore, useZone } from '../../components/hooks.ts'
import { Pill } from '../../components/pill.tsx'
import { connection } from '../../lib/connection.ts'
import { feedDetail, feedNames } from '../../lib/feed-words.ts'
import { stateOfFeed } from './feed-look.ts'
import { useFeed } from './use-feed.ts'

const ways = {
  open: 'Yes: the service sends a heartbeat every few seconds',
  connecting: 'Connecting; until then the page polls the chain heads',
  none: 'No: the page polls the chain heads',
} as const

/** How updates of the chains arrive, and whether they do. */
export function LiveUpdates() {
  const { feed, now } = useFeed(undefined, '')
  const zone = useZone()
  const stream = useStore(connection, (state) => state.stream)
  if (feed.kind !== 'lost' && feed.kind !== 'stopped') return ways[stream]
  const detail = feedDetail(feed, undefined, now, zone)
  return (
    <>
      {ways[stream]}
      <Pill state={stateOfFeed(feed)}>{`${feedNames[feed.kind]} · ${detail}`}</Pill>
    </>
  )
}
