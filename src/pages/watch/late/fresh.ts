import type { WatchSummary } from '../../../api/watch/summary.ts'

type Newest = WatchSummary['newest'][number]

/** What the page has seen so far: the alarms, and when it began to look, Unix seconds. */
export type Seen = { readonly ids: ReadonlySet<string>; readonly since: number }

/**
 * The alarms to notify of, oldest first: those that opened after the page began to look, once each. What fired before
 * is not news to somebody who opens the page.
 */
export function freshAlarms(newest: readonly Newest[], seen: Seen): readonly Newest[] {
  return newest
    .filter(({ alarmId, openedTimestamp }) => openedTimestamp >= seen.since && !seen.ids.has(alarmId))
    .toReversed()
}

/** What has been seen after a summary. */
export const seenAfter = (newest: readonly Newest[], { ids, since }: Seen): Seen => ({
  since,
  ids: new Set([...ids, ...newest.map(({ alarmId }) => alarmId)]),
})
