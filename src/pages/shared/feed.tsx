import { useStore, useZone } from '../../components/hooks.ts'
import { Pill } from '../../components/pill.tsx'
import { connection } from '../../lib/connection.ts'
import { feedDetail, feedFigure, feedName, feedSentence } from '../../lib/feed-words.ts'
import type { Followed } from '../../lib/freshness.ts'
import { stateOfFeed } from './feed-look.ts'
import { useFeed, useFeeds } from './use-feed.ts'

/**
 * A chain's state: its name and, in wide layouts, its details. `chain` is its id, or `network/chain` for one of the
 * primary network.
 */
export function ChainPill({
  status,
  chain,
  wide = false,
}: {
  status: Followed
  chain: string
  wide?: boolean
}) {
  const { feed, now } = useFeed(status, chain)
  const zone = useZone()
  const detail = wide ? feedDetail(feed, status, now, zone) : feedFigure(feed, status, now)
  return (
    <Pill state={stateOfFeed(feed)} title={feedSentence(feed, status, now, zone)}>
      {detail === '' ? feedName(feed) : `${feedName(feed)} · ${detail}`}
    </Pill>
  )
}

/** The number of live chains, as text. */
export function LiveCount({ chains }: { chains: readonly (Followed & { chainId: string })[] }) {
  const { feed } = useFeeds()
  return <>{chains.filter((chain) => feed(chain, chain.chainId).kind === 'live').length} live</>
}

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
      <Pill state={stateOfFeed(feed)}>{`${feedName(feed)} · ${detail}`}</Pill>
    </>
  )
}
