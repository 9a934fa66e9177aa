import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../../api/query-client.ts'
import { alarmsQuery, silencesQuery, statesQuery } from '../../../api/watch/alarms.ts'
import { fleetsQuery } from '../../../api/watch/fleets.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { useMayWrite, WatchSections } from '../shared/sections.tsx'
import { Current } from './current.tsx'
import { Feeds } from './feeds.tsx'
import { History } from './history.tsx'
import { NotifyButton } from './notify-button.tsx'
import { Silences } from './silences.tsx'
import { alarmsSentence } from './words.ts'

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
  const isWaiting = [
    useQuery(statesQuery()).isPending,
    useQuery(silencesQuery()).isPending,
    useInfiniteQuery(alarmsQuery()).isPending,
  ].includes(true)
  // One place for all sections: each is higher or lower than what it waits for, and would push the next.
  if (isWaiting) return <SkeletonRows count={14} />
  return (
    <div className="flex flex-col gap-8">
      <div>
        <output className="mb-3 block min-h-5">{summary && alarmsSentence(summary)}</output>
        <Section title="Now">
          <Current mayWrite={mayWrite} />
        </Section>
      </div>
      <Section title="Silences">
        <Silences mayWrite={mayWrite} />
      </Section>
      <Section title="History">
        <History />
      </Section>
      <Section title="Feeds">
        <Feeds />
      </Section>
    </div>
  )
}

/** What fires now, what fired, and what is silenced. */
export function Component() {
  return (
    <>
      <PageTitle document="Alarms" heading="Alarms" actions={<NotifyButton />} />
      <WatchSections>
        <Alarms />
      </WatchSections>
    </>
  )
}
