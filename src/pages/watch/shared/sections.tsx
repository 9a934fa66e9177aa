import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useOffers, useProfile } from '../../../api/current.ts'
import { summaryQuery, type WatchSummary } from '../../../api/watch/summary.ts'
import { Disclosure } from '../../../components/disclosure.tsx'
import { Link } from '../../../components/link.tsx'
import { PageTabs } from '../../../components/page-tabs.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { UnsupportedState } from '../../../components/states.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { paths } from '../../../lib/paths.ts'
import { watchUse } from '../../../lib/storage/watch-use.ts'
import { SignedInNote, useSignedIn } from '../../sign-in/note.tsx'
import { TokenForm, WatchFailed } from './failed.tsx'
import { countText } from './words.ts'

/** Open alarms that no silence covers. */
export const firingCount = ({ firing }: WatchSummary): number =>
  firing.info + firing.warning + firing.critical

/** Whether this caller may change fleets, rules and channels; false until it is known. */
export function useMayWrite(): boolean {
  return useQuery(summaryQuery()).data?.mayWrite ?? false
}

/** The four parts, and the one that the page is of. */
function usePlaces(summary: WatchSummary | undefined) {
  const { pathname } = useLocation()
  const places = [
    { label: 'Alarms', to: paths.alarms(), count: summary && firingCount(summary), isHot: true },
    { label: 'Fleets', to: paths.fleets(), count: summary?.fleetCount },
    { label: 'Rules', to: paths.rules(), count: summary?.ruleCount },
    { label: 'Channels', to: paths.channels(), count: summary?.channelCount },
  ]
  const here = places.findLast(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  return { places, here }
}

/** What makes everything below less than it says: rules that are not evaluated, messages that did not arrive. */
function Notices({ summary }: { summary: WatchSummary }) {
  const { isRunning, ruleCount, lastRoundTimestamp, deadDeliveries, mayWrite } = summary
  const isSignedIn = useSignedIn() !== undefined
  return (
    <>
      {!isRunning && ruleCount > 0 && (
        <output className="mb-3 block rounded-base bg-warn-soft px-3 py-2 text-warn">
          Rules are not being evaluated:{' '}
          {lastRoundTimestamp === undefined ? (
            'there has been no round yet.'
          ) : (
            <>
              the last round was <TimeAgo at={lastRoundTimestamp} />.
            </>
          )}{' '}
          The states below are from then. Check that the service runs with the role “all” or “indexer”.
        </output>
      )}
      {deadDeliveries > 0 && (
        <p className="mb-3 rounded-base bg-bad-soft px-3 py-2 text-bad">
          {countText(deadDeliveries, 'message')} could not be delivered.{' '}
          <Link to={paths.channels()} className="underline">
            See why, and try again
          </Link>
        </p>
      )}
      {!mayWrite && isSignedIn && (
        <div className="mb-3 rounded-base border border-line px-3 py-2">
          <SignedInNote />
        </div>
      )}
      {!mayWrite && !isSignedIn && (
        <Disclosure
          look="row"
          className="mb-3 rounded-base border px-3"
          summary="Read-only: changes need the local token."
        >
          <div className="py-2">
            <TokenForm />
          </div>
        </Disclosure>
      )}
    </>
  )
}

/**
 * What every page of the watch is in: links to its four parts, and what the person must know first. The page is shown
 * once it is known that it may be.
 */
export function WatchSections({ children }: { children: ReactNode }) {
  const offered = useOffers('getWatchSummary')
  const profile = useProfile()
  const { data, error, refetch } = useQuery({ ...summaryQuery(), enabled: offered })
  const { places, here } = usePlaces(data)
  const isKnown = data !== undefined
  useEffect(() => {
    // From now on the other pages of this browser show how many alarms fire.
    if (isKnown) watchUse.set((now) => (now.isFollowed ? now : { ...now, isFollowed: true }))
  }, [isKnown])
  if (!offered)
    return (
      <UnsupportedState title="Not offered here">
        <p>
          {profile?.name} has no alarms; a Ridgeline service of your own has. A validator’s stake and uptime
          are on its page and in your{' '}
          <Link to={paths.watchList()} className="link">
            watch list
          </Link>
          .
        </p>
      </UnsupportedState>
    )
  return (
    <>
      <PageTabs label="Validator watch" tabs={places} current={here?.to} />
      {data ? (
        <Notices summary={data} />
      ) : (
        error && (
          <WatchFailed
            title={`The ${here?.label.toLowerCase() ?? 'alarms'} could not be loaded.`}
            error={error}
            onRetry={refetch}
          />
        )
      )}
      {data ? children : !error && <SkeletonRows count={12} />}
    </>
  )
}
