import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import { isUnknown } from '../../../api/errors.ts'
import { queryClient } from '../../../api/query-client.ts'
import { changesQuery, deleteFleet, fleetQuery, type FleetPage } from '../../../api/watch/fleets.ts'
import { rulesQuery } from '../../../api/watch/rules.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { lazy } from '../../../components/lazy.ts'
import { Link } from '../../../components/link.tsx'
import { LazyPart } from '../../../components/part.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { Section } from '../../../components/section.tsx'
import { Skeleton, SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { ConfirmButton } from '../shared/acts.tsx'
import { NoneSuch, WatchFailed } from '../shared/failed.tsx'
import { useMayWrite, WatchSections } from '../shared/sections.tsx'
import { SilenceButton } from '../shared/silence-button.tsx'
import { countText } from '../shared/words.ts'
import { Button } from '../../../components/controls.tsx'
import { Changes } from './changes.tsx'
import { ExportFleet } from './export-fleet.tsx'
import { FleetFigures } from './figures.tsx'
import { FleetRules } from './fleet-rules.tsx'
import { heatKinds } from './heat.ts'
import { HeatStrip } from './heat-strip.tsx'
import { Members } from './members.tsx'
import { fleetSentence } from './sentence.ts'

const EditForm = lazy(() => import('./edit-form.tsx'), 'EditForm')
const AddForm = lazy(() => import('./add-form.tsx'), 'AddForm')

const schema = z.object({
  strip: z.catch(z.enum(heatKinds), 'connected'),
  edit: z.catch(z.enum(['', 'name', 'members']), ''),
})

/** Requests the fleet, its rules and its changes. */
export function loader({ params }: LoaderFunctionArgs): null {
  const fleetId = params['fleetId'] ?? ''
  void queryClient.prefetchQuery(summaryQuery())
  void queryClient.prefetchQuery(fleetQuery(fleetId))
  void queryClient.prefetchQuery(rulesQuery(fleetId))
  void queryClient.prefetchQuery(changesQuery(fleetId))
  return null
}

/** What was said on the page before, such as how many members a new fleet has. */
function useSaid(): string | undefined {
  const state: unknown = useLocation().state
  return typeof state === 'object' && state !== null && 'said' in state && typeof state.said === 'string'
    ? state.said
    : undefined
}

function Acts({ page }: { page: FleetPage }) {
  const [, setSearch] = useSearchState(schema)
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const { fleetId, name, ruleCount } = page.fleet
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      {mayWrite && (
        <>
          <Button onClick={() => setSearch({ edit: 'members' })}>Add members</Button>
          <Button onClick={() => setSearch({ edit: 'name' })}>Rename</Button>
          <SilenceButton what={safeText(name)} target={{ fleetId }} />
        </>
      )}
      <ExportFleet fleetId={fleetId} name={name} />
      {mayWrite && (
        <ConfirmButton
          label="Delete"
          className="control"
          title={`Delete ${safeText(name)}`}
          run={(signal) => deleteFleet(fleetId, signal)}
          gone={fleetId}
          onDone={() => void navigate(paths.fleets())}
        >
          <p>
            The fleet goes with its {countText(ruleCount, 'rule')} and its silences. Its alarms stay in the
            history.
          </p>
        </ConfirmButton>
      )}
    </div>
  )
}

function Body({ page }: { page: FleetPage }) {
  const [{ strip, edit }, setSearch] = useSearchState(schema)
  const said = useSaid()
  const mayWrite = useMayWrite()
  const { fleet, members, sampledTimestamp, isStale, firstDay } = page
  const close = (): void => setSearch({ edit: '' })
  return (
    <>
      <p className="mb-1">{fleetSentence(page)}</p>
      <p className="mb-3 min-h-5 text-xs text-muted">
        {sampledTimestamp === undefined ? (
          'The node has not been sampled yet.'
        ) : (
          <>
            Asked the node <TimeAgo at={sampledTimestamp} />
            {isStale && <span className="text-warn">: too long ago to judge connections and uptimes by</span>}
          </>
        )}
        {said !== undefined && <output> · {said}</output>}
      </p>
      <Acts page={page} />
      {edit !== '' && mayWrite && (
        <LazyPart key={edit} title="The form">
          {edit === 'name' ? (
            <EditForm fleet={fleet} onClose={close} />
          ) : (
            <AddForm fleet={fleet} onClose={close} />
          )}
        </LazyPart>
      )}
      <FleetFigures page={page} />
      {members.length === 0 ? (
        <EmptyState title="No members yet">
          <p>
            Add validators by their node ids, from the watch list of this browser, by a reward address or by
            an L1.
          </p>
          {mayWrite && (
            <Button className="text-text" onClick={() => setSearch({ edit: 'members' })}>
              Add members
            </Button>
          )}
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-6 pt-4">
          <Section title="Day by day" note={`the last ${members[0]?.uptimeByDay.length ?? 0} days, UTC`}>
            <HeatStrip
              members={members}
              firstDay={firstDay}
              kind={strip}
              onKind={(kind) => setSearch({ strip: kind })}
            />
          </Section>
          <Section title="Members">
            <Members page={page} mayWrite={mayWrite} />
          </Section>
        </div>
      )}
      <div className="grid grid-cols-1 gap-x-8 gap-y-6 pt-6 xl:grid-cols-2">
        <Section
          title="Rules"
          actions={
            mayWrite && (
              <Link to={paths.rule('new', { fleet: fleet.fleetId })} className="control control-small">
                Add a rule
              </Link>
            )
          }
        >
          <FleetRules fleetId={fleet.fleetId} />
        </Section>
        <Section title="The last 24 hours">
          <Changes fleetId={fleet.fleetId} network={fleet.network} />
        </Section>
      </div>
    </>
  )
}

function Loaded({ fleetId }: { fleetId: string }) {
  const { data, error, isPending, refetch } = useQuery(fleetQuery(fleetId))
  if (isPending)
    return (
      <>
        <p className="mb-4">
          <Skeleton width="min(560px, 90%)" />
        </p>
        <SkeletonRows count={16} />
      </>
    )
  if (isUnknown(error)) return <NoneSuch what="fleet" all={paths.fleets()} />
  if (!data) return <WatchFailed title="The fleet could not be loaded." error={error} onRetry={refetch} />
  return <Body key={fleetId} page={data} />
}

/** A fleet: what is the matter with it, each day of each node, its members, rules and changes. */
export function Component() {
  const { fleetId = '' } = useParams()
  const { data } = useQuery({ ...fleetQuery(fleetId), enabled: false })
  const name = safeText(data?.fleet.name ?? 'Fleet')
  const description = safeText(data?.fleet.description ?? '', 500)
  return (
    <>
      <PageTitle document={titleOf('fleet', { fleetId: data ? name : '' })} heading={name} />
      {description !== '' && <p className="-mt-2 mb-3 text-muted">{description}</p>}
      <WatchSections>
        <Loaded fleetId={fleetId} />
      </WatchSections>
    </>
  )
}
