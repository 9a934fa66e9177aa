import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { titleOf } from '../../../../contract/pages.ts'
import { queryClient } from '../../../api/query-client.ts'
import { alarmsQuery, silencesQuery, statesQuery } from '../../../api/watch/alarms.ts'
import { fleetsQuery } from '../../../api/watch/fleets.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { Pill } from '../../../components/pill.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { firingCount, useMayWrite, WatchSections } from '../shared/sections.tsx'
import { Start } from '../shared/start.tsx'
import { Current } from './current.tsx'
import { Feeds } from './feeds.tsx'
import { History } from './history.tsx'
import { Silences } from './silences.tsx'
import { alarmsSentence } from './words.ts'
import { useState } from 'react'
import { useStore } from '../../../components/hooks.ts'
import { watchUse } from '../../../lib/storage/watch-use.ts'
import { Button } from '../../../components/controls.tsx'

/** Requests how things stand, the states, the silences and the latest alarms. */
export function loader(): null {
  void queryClient.prefetchQuery(summaryQuery())
  void queryClient.prefetchQuery(statesQuery())
  void queryClient.prefetchQuery(fleetsQuery())
  void queryClient.prefetchQuery(silencesQuery())
  void queryClient.prefetchInfiniteQuery(alarmsQuery())
  return null
}

function Alarms() {
  const mayWrite = useMayWrite()
  const summary = useQuery(summaryQuery()).data
  const states = useQuery(statesQuery())
  const silences = useQuery(silencesQuery())
  const alarms = useInfiniteQuery({
    ...alarmsQuery(),
    // The first alarm makes the history appear, which reads on itself.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? 15_000 : false),
  })
  const fleets = useQuery(fleetsQuery()).data
  // One place for all sections: each is higher or lower than what it waits for, and would push the next.
  if ([states, silences, alarms].some(({ isPending }) => isPending)) return <SkeletonRows count={14} />
  const hasHistory = alarms.error !== null || (alarms.data?.pages[0]?.alarms.length ?? 0) > 0
  const hasRules = summary === undefined || summary.ruleCount > 0
  return (
    <div className="flex flex-col gap-8">
      {hasRules ? (
        <div>
          {summary && (
            <output className="mb-3 flex min-h-5 flex-wrap items-center gap-2">
              <Pill state={firingCount(summary) > 0 ? 'failed' : 'ok'}>
                {firingCount(summary) > 0 ? 'firing' : 'quiet'}
              </Pill>
              {alarmsSentence(summary)}
            </output>
          )}
          <Current mayWrite={mayWrite} />
        </div>
      ) : (
        <Start />
      )}
      {(silences.error !== null || silences.data?.length !== 0) && (
        <Section title="Silences">
          <Silences mayWrite={mayWrite} />
        </Section>
      )}
      {hasHistory && (
        <Section title="History">
          <History />
        </Section>
      )}
      {hasRules && fleets?.some(({ feedPath }) => feedPath !== undefined) === true && (
        <Section title="Feeds">
          <Feeds />
        </Section>
      )}
    </div>
  )
}

/** What fires now, what fired, and what is silenced. */
export function Component() {
  return (
    <>
      <PageTitle document={titleOf('alarms')} heading="Alarms" actions={<NotifyButton />} />
      <WatchSections>
        <Alarms />
      </WatchSections>
    </>
  )
}

/** What the browser says of notifications; it is asked only by the button. */
const permission = (): NotificationPermission | 'none' =>
  typeof Notification === 'undefined' ? 'none' : Notification.permission

const setNotifies = (notifies: boolean): void => watchUse.set((now) => ({ ...now, notifies }))

/** Turns notifications of this browser on and off. The browser's own question comes only after the button. */
function NotifyButton() {
  const wanted = useStore(watchUse, ({ notifies }) => notifies)
  const [state, setState] = useState(permission)
  const [isRefused, setRefused] = useState(false)
  const isOn = wanted && state === 'granted'
  if (state === 'none') return null
  const ask = async (): Promise<void> => {
    const answer = await Notification.requestPermission()
    setState(answer)
    setRefused(permission() === 'denied')
    setNotifies(answer === 'granted')
  }
  return (
    <>
      <output className="text-xs text-muted">
        {isRefused && 'This browser blocks notifications of this site; its settings can allow them.'}
      </output>
      <Button
        aria-pressed={isOn}
        title="While a page of this dashboard is open in this browser"
        onClick={() => (isOn ? setNotifies(false) : void ask())}
      >
        Notify in this browser
      </Button>
    </>
  )
}
