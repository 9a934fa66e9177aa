import { useZone } from '../../components/hooks.ts'
import { pillStyles } from '../../components/pill.tsx'
import { feedNames, feedSentence } from '../../lib/feed-words.ts'
import type { Followed } from '../../lib/freshness.ts'
import { stateOfFeed } from './feed-look.ts'
import { useFeed } from './use-feed.ts'

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
          <span className={`font-strong ${colour}`}>{feedNames[feed.kind]}.</span>{' '}
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
