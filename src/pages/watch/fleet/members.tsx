import { useMemo } from 'react'
import * as z from 'zod/mini'
import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import type { FleetPage } from '../../../api/watch/fleets.ts'
import { WholeTable } from '../../../components/table/whole-table.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { safeText } from '../../../lib/text.ts'
import { memberColumns, memberPath } from './columns.tsx'
import { firstOrder, fleetSorts, sortMembers } from './sort.ts'

const schema = z.object({
  sort: z.catch(z.enum(fleetSorts), 'worst'),
  order: z.catch(z.enum(['first', 'reverse']), 'first'),
})

const rowKey = ({ memberId }: WatchFleetRow): string => memberId
const other = { asc: 'desc', desc: 'asc' } as const

/** The members of a fleet, those that need a person first; sorted and exported in the browser, which has them all. */
export function Members({ page, mayWrite }: { page: FleetPage; mayWrite: boolean }) {
  const [{ sort, order }, setSearch] = useSearchState(schema)
  const { fleet, members, majorityVersion } = page
  const { fleetId, network, name } = fleet
  const way = order === 'first' ? firstOrder[sort] : other[firstOrder[sort]]
  const sorted = useMemo(() => sortMembers(members, sort, way), [members, sort, way])
  const hasL1 = members.some(({ kind }) => kind === 'l1Validator')
  const columns = useMemo(
    () => memberColumns(network, fleetId, majorityVersion, mayWrite, hasL1),
    [network, fleetId, majorityVersion, mayWrite, hasL1],
  )
  return (
    <WholeTable
      id="fleet-members"
      label={`Members of ${safeText(name)}`}
      noun="member"
      columns={columns}
      rows={sorted}
      rowKey={rowKey}
      rowHref={(row) => memberPath(network, row)}
      sort={{
        by: sort,
        order: way,
        onSort: (id) => {
          const next = fleetSorts.find((each) => each === id)
          if (next === undefined) return
          setSearch(
            next === sort
              ? { order: order === 'first' ? 'reverse' : 'first' }
              : { sort: next, order: 'first' },
          )
        },
      }}
      file={`fleet-${name.replaceAll(/[^\w-]+/g, '-')}`}
    />
  )
}
