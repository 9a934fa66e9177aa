import { useStore, useZone } from '../../components/hooks.ts'
import { Pill, pillStyles } from '../../components/pill.tsx'
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

/**
 * The notice on top of a chain's page that does not show the current state. A lost connection is reported by the
 * frame instead.
 */
export function ChainNotice({ status, chain }: { status: Followed | undefined; chain: string }) {
  const { feed, now } = useFeed(status, chain)
  const zone = useZone()
  if (feed.kind === 'live' || feed.kind === 'unknown' || feed.kind === 'lost') return null
  const { icon: Shape, tone } = pillStyles[stateOfFeed(feed)]
  const [background, colour] = tone.split(' ')
  return (
    <div
      role={feed.kind === 'stopped' ? 'alert' : undefined}
      className={`mb-4 flex flex-col gap-2 rounded-base px-4 py-3 ${background}`}
    >
      <p className="flex items-start gap-2">
        {Shape && <Shape className={`mt-0.5 ${colour}`} />}
        <span className="break-words">
          <span className={`font-strong ${colour}`}>{feedName(feed)}.</span>{' '}
          {feedSentence(feed, status, now, zone)}
        </span>
      </p>
      {feed.kind === 'catchingUp' && feed.share !== undefined && (
        <progress
          className="h-1.5 w-full overflow-hidden rounded-full accent-accent [&::-webkit-progress-bar]:bg-surface [&::-webkit-progress-value]:bg-accent"
          max={1}
          value={feed.share}
          aria-label="Indexed share of the chain"
        />
      )}
    </div>
  )
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
