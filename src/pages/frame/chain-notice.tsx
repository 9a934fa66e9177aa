import { useZone } from '../../components/hooks.ts'
import { pillStyles } from '../../components/pill.tsx'
import { feedName, feedSentence } from '../../lib/feed-words.ts'
import type { Feed, Followed } from '../../lib/freshness.ts'
import { stateOfFeed } from '../shared/feed-look.ts'

/** What a page begins with whose chain is not at its head: how far it is indexed, or why it has stopped. */
export function ChainNotice({
  feed,
  followed,
  names,
  now,
}: {
  feed: Feed
  followed: Followed | undefined
  /** The chains that it is about; empty where the page itself is of one chain. */
  names: readonly string[]
  now: number
}) {
  const zone = useZone()
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
          <span className={`font-strong ${colour}`}>
            {names.length === 0 ? '' : `${names.join(', ')}: `}
            {feedName(feed)}.
          </span>{' '}
          {feedSentence(feed, followed, now, zone)}
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
