import { useInfiniteQuery } from '@tanstack/react-query'
import type { WatchDelivery } from '../../../../contract/watch/alarms.ts'
import { deliveriesQuery, retryDelivery } from '../../../api/watch/channels.ts'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { safeText } from '../../../lib/text.ts'
import { Outcome, useChange } from '../shared/acts.tsx'
import { WatchFailed } from '../shared/failed.tsx'
import { countText } from '../shared/words.ts'
import { Button } from '../../../components/controls.tsx'

function Letter({ delivery, mayWrite }: { delivery: WatchDelivery; mayWrite: boolean }) {
  const { deliveryId, alarmTitle, channelName, event, attemptCount, createdTimestamp, lastReason } = delivery
  const retry = useChange((_: void, signal) => retryDelivery(deliveryId, signal))
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-0.5">
        <span className="wrap-anywhere">
          {safeText(alarmTitle, 200)}{' '}
          <span className="text-xs text-muted">
            {event} · to {safeText(channelName)} · <TimeAgo at={createdTimestamp} />
          </span>
        </span>
        <span className="text-xs wrap-anywhere text-bad">
          Given up after {countText(attemptCount, 'attempt')}:{' '}
          {safeText(lastReason ?? 'no reason known', 300)}
        </span>
        <Outcome request={retry} done={retry.data && 'Sent again.'} />
      </div>
      {mayWrite && (
        <Button
          small
          disabled={retry.isPending}
          aria-label={`Try again: ${alarmTitle}`}
          onClick={() => retry.mutate()}
        >
          Try again
        </Button>
      )}
    </li>
  )
}

/** The messages that were given up, with the reason; each can be tried again under its own idempotency key. */
export function DeadLetters({ mayWrite }: { mayWrite: boolean }) {
  const list = deliveriesQuery('dead')
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      ...list,
      refetchInterval: 15_000,
    })
  if (isPending) return <SkeletonRows count={2} />
  if (error && !data)
    return <WatchFailed title="The messages could not be loaded." error={error} onRetry={refetch} />
  const letters = data.pages.flatMap(list.rowsOf)
  if (letters.length === 0)
    return <p className="text-muted">Every message has been delivered or is waiting.</p>
  return (
    <>
      <ul aria-label="Messages that were not delivered" className="border-t border-line">
        {letters.map((delivery) => (
          <Letter key={delivery.deliveryId} delivery={delivery} mayWrite={mayWrite} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          className="mt-2 self-start"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </>
  )
}
