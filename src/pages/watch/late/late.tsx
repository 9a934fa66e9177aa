import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useOffers, useProfile } from '../../../api/current.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { useStore } from '../../../components/hooks.ts'
import { navCounts } from '../../../lib/nav.ts'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { watchUse } from '../../../lib/storage/watch-use.ts'
import { freshAlarms, seenAfter, type Seen } from './fresh.ts'

/** Milliseconds between questions on pages of other subjects. */
const calm = 60_000

/** Shows an alarm as a notification of the browser; the same alarm of several open pages is one notification. */
function notify({ alarmId, title, text }: { alarmId: string; title: string; text: string }): void {
  const shown = new Notification(safeText(title, 120), { body: safeText(text, 300), tag: alarmId })
  shown.addEventListener('click', () => {
    window.focus()
    location.assign(paths.alarms())
    shown.close()
  })
}

/**
 * On every page, after it has loaded: how many alarms fire, for the navigation, and new alarms as notifications. Only a
 * browser that has looked at the watch asks, and only its own service.
 */
export function WatchLate() {
  const { isFollowed, notifies } = useStore(watchUse)
  const known = useProfile() !== undefined
  const offered = useOffers('getWatchSummary')
  const { data } = useQuery({
    ...summaryQuery(),
    enabled: known && offered && isFollowed,
    refetchInterval: notifies ? 10_000 : calm,
    refetchIntervalInBackground: notifies,
  })
  const [since] = useState(() => Math.floor(Date.now() / 1000))
  const seen = useRef<Seen>({ ids: new Set(), since })
  const count = data && data.firing.info + data.firing.warning + data.firing.critical
  useEffect(() => navCounts.set({ Alarms: count ?? 0 }), [count])
  useEffect(() => {
    if (!data) return
    const fresh = freshAlarms(data.newest, seen.current)
    seen.current = seenAfter(data.newest, seen.current)
    if (notifies && typeof Notification !== 'undefined' && Notification.permission === 'granted')
      for (const alarm of fresh) notify(alarm)
  }, [data, notifies])
  return null
}
