import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import type { ListedWatchFleet } from '../../../../contract/watch/fleets.ts'
import { queryClient } from '../../../api/query-client.ts'
import { fleetsQuery } from '../../../api/watch/fleets.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { WholeTable } from '../../../components/table/whole-table.tsx'
import { VerdictLine } from '../../../components/verdict.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { paths } from '../../../lib/paths.ts'
import { WatchFailed } from '../shared/failed.tsx'
import { useMayWrite, WatchSections } from '../shared/sections.tsx'
import { Start } from '../shared/start.tsx'
import { Button } from '../../../components/controls.tsx'
import { fleetColumns } from './columns.tsx'
import { CreateForm } from './create-form.tsx'
import { ImportFleet } from './import-fleet.tsx'
import { fleetsVerdict } from './sentence.ts'

const schema = z.object({ create: z.catch(z.enum(['', 'yes']), '') })

/** Requests how things stand and the fleets. */
export function loader(): null {
  void queryClient.prefetchQuery(summaryQuery())
  void queryClient.prefetchQuery(fleetsQuery())
  return null
}

const rowKey = ({ fleetId }: ListedWatchFleet): string => fleetId
const rowHref = ({ fleetId }: ListedWatchFleet): string => paths.fleet(fleetId)

function Fleets() {
  const [{ create }, setSearch] = useSearchState(schema)
  const query = useQuery(fleetsQuery())
  const mayWrite = useMayWrite()
  const setCreating = (creating: boolean): void => setSearch({ create: creating ? 'yes' : '' })
  if (query.isPending) return <SkeletonRows count={6} />
  if (query.error && !query.data) return <WatchFailed title="The fleets could not be loaded." query={query} />
  const isCreating = create === 'yes' && mayWrite
  return (
    <>
      {isCreating && <CreateForm onClose={() => setCreating(false)} />}
      {query.data.length === 0 ? (
        !isCreating && <Start />
      ) : (
        <>
          <VerdictLine verdict={fleetsVerdict(query.data)} />
          <WholeTable
            id="fleets"
            label="Fleets"
            noun="fleet"
            columns={fleetColumns}
            rows={query.data ?? []}
            rowKey={rowKey}
            rowHref={rowHref}
          />
        </>
      )}
    </>
  )
}

function Actions() {
  const mayWrite = useMayWrite()
  const [, setSearch] = useSearchState(schema)
  if (!mayWrite) return null
  return (
    <>
      <ImportFleet />
      <Button onClick={() => setSearch({ create: 'yes' })}>Create a fleet</Button>
    </>
  )
}

/** Every fleet of this service, with its worst state and its sums. */
export function Component() {
  return (
    <>
      <PageTitle document={titleOf('fleets')} heading="Fleets" actions={<Actions />} />
      <WatchSections>
        <Fleets />
      </WatchSections>
    </>
  )
}
