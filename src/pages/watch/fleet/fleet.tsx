import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { DAY } from '../../../../charts/series/periods.ts'
import { titleOf } from '../../../../contract/pages.ts'
import { isUnknown } from '../../../api/errors.ts'
import { queryClient } from '../../../api/query-client.ts'
import {
  changesQuery,
  deleteFleet,
  exportFleet,
  fleetQuery,
  type FleetPage,
} from '../../../api/watch/fleets.ts'
import { rulesQuery } from '../../../api/watch/rules.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { lazy } from '../../../components/lazy.ts'
import { Link } from '../../../components/link.tsx'
import { Menu } from '../../../components/overlays/menu.tsx'
import { LazyPart } from '../../../components/part.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { VerdictLine } from '../../../components/verdict.tsx'
import { useRequest } from '../../../components/use-request.ts'
import { useSearchState } from '../../../components/use-search-state.ts'
import { paths } from '../../../lib/paths.ts'
import { download } from '../../../lib/download.ts'
import { safeText } from '../../../lib/text.ts'
import { ConfirmDialog, reasonOf } from '../shared/acts.tsx'
import { NoneSuch, WatchFailed } from '../shared/failed.tsx'
import { useMayWrite, WatchSections } from '../shared/sections.tsx'
import { SilenceDialog } from '../shared/silence-button.tsx'
import { countText } from '../shared/words.ts'
import { Button } from '../../../components/controls.tsx'
import { Changes } from './changes.tsx'
import { FleetFigures } from './figures.tsx'
import { FleetRules } from './fleet-rules.tsx'
import { daysShown, heatKinds } from './heat.ts'
import { HeatStrip } from './heat-strip.tsx'
import { Members } from './members.tsx'
import { fleetVerdict } from './sentence.ts'

const FleetForm = lazy(() => import('./forms.tsx'), 'FleetForm')

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
  const state = useLocation().state as { said?: unknown } | null
  return typeof state?.said === 'string' ? state.said : undefined
}

/** What can be done with a fleet: the usual in a button, the rest in a menu. */
function Acts({ page }: { page: FleetPage }) {
  const [, setSearch] = useSearchState(schema)
  const [dialog, setDialog] = useState<'silence' | 'delete'>()
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const { fleetId, name, ruleCount } = page.fleet
  const save = useRequest(async (_: void, signal) => {
    const file = await exportFleet(fleetId, signal)
    download(`fleet-${name.replaceAll(/[^\w-]+/g, '-')}.json`, 'application/json', [
      JSON.stringify(file, undefined, 2),
    ])
  })
  const close = (): void => setDialog(undefined)
  const action = (label: string, onSelect: () => void) => ({ kind: 'action', label, onSelect }) as const
  return (
    <>
      {save.error && (
        <span role="alert" className="text-xs text-bad">
          {reasonOf(save.error)}
        </span>
      )}
      {mayWrite && <Button onClick={() => setSearch({ edit: 'members' })}>Add members</Button>}
      <Menu
        label={`Actions for ${safeText(name)}`}
        entries={() => [
          ...(mayWrite
            ? [
                action('Rename', () => setSearch({ edit: 'name' })),
                action('Silence …', () => setDialog('silence')),
              ]
            : []),
          action('Export fleet', () => save.mutate()),
          ...(mayWrite ? [action('Delete …', () => setDialog('delete'))] : []),
        ]}
      >
        <span aria-hidden="true">⋯</span>
      </Menu>
      {dialog === 'silence' && <SilenceDialog what={safeText(name)} target={{ fleetId }} onClose={close} />}
      <ConfirmDialog
        label="Delete"
        title={`Delete ${safeText(name)}`}
        run={(signal) => deleteFleet(fleetId, signal)}
        gone={fleetId}
        onDone={() => void navigate(paths.fleets())}
        open={dialog === 'delete'}
        onClose={close}
      >
        <p>
          The fleet goes with its {countText(ruleCount, 'rule')} and its silences. Its alarms stay in the
          history.
        </p>
      </ConfirmDialog>
    </>
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
      <VerdictLine verdict={fleetVerdict(page)} />
      {said !== undefined && <output className="-mt-2 block pb-3 text-muted">{said}</output>}
      {edit !== '' && mayWrite && (
        <LazyPart key={edit} title="The form">
          <FleetForm edit={edit} fleet={fleet} onClose={close} />
        </LazyPart>
      )}
      <FleetFigures page={page} />
      {members.length === 0 ? (
        <EmptyState title="No members yet">
          <p>Add validators by node ID, reward address or L1, or from your watch list.</p>
          {mayWrite && (
            <Button className="text-text" onClick={() => setSearch({ edit: 'members' })}>
              Add members
            </Button>
          )}
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-6 pt-4">
          <Section
            title="Members"
            note={
              sampledTimestamp === undefined ? (
                'not sampled yet'
              ) : (
                <>
                  sampled <TimeAgo at={sampledTimestamp} />
                  {isStale && <span className="text-warn">: too long ago to judge by</span>}
                </>
              )
            }
          >
            <Members page={page} mayWrite={mayWrite} />
          </Section>
          <Section title="Day by day" note={`the last ${daysShown(members)} days, UTC`}>
            <HeatStrip
              members={members}
              lastDay={firstDay + ((members[0]?.connectedByDay.length ?? 1) - 1) * DAY}
              kind={strip}
              onKind={(kind) => setSearch({ strip: kind })}
            />
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
        <VerdictLine verdict={undefined} />
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
      <PageTitle
        document={titleOf('fleet', { fleetId: data ? name : '' })}
        heading={name}
        actions={data ? <Acts key={fleetId} page={data} /> : null}
      />
      {description !== '' && <p className="-mt-2 mb-3 text-muted">{description}</p>}
      <WatchSections>
        <Loaded fleetId={fleetId} />
      </WatchSections>
    </>
  )
}
