import type { ReactNode } from 'react'
import type { ListedWatchFleet } from '../../../../contract/watch/fleets.ts'
import { networkOf } from '../../../api/current.ts'
import { Avax } from '../../../components/asset-amount.tsx'
import { Link } from '../../../components/link.tsx'
import { Pill } from '../../../components/pill.tsx'
import { countColumn, dash } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { useNetworkLabel } from '../../shared/network-crumb.tsx'
import { worstOf } from '../shared/worst.ts'

function NetworkLabel({ network }: { network: string }) {
  const label = useNetworkLabel(networkOf(network) ?? 'fuji')
  return networkOf(network) === undefined ? network : label
}

const sumColumn = (
  id: string,
  header: string,
  show: (sums: ListedWatchFleet['sums']) => ReactNode,
  rest: Partial<Column<ListedWatchFleet>> = {},
): Column<ListedWatchFleet> => ({
  id,
  header,
  align: 'right',
  cell: ({ sums }) => show(sums),
  ...rest,
})

/** The columns of the list of fleets: the worst state of each, its sums, and when the first of its stakes ends. */
export const fleetColumns: readonly Column<ListedWatchFleet>[] = [
  {
    id: 'name',
    header: 'Fleet',
    always: true,
    narrow: 'title',
    cell: ({ fleetId, name, network }) => (
      <span className="inline-flex max-w-full min-w-0 items-baseline gap-2">
        <Link to={paths.fleet(fleetId)} className="link min-w-0 truncate">
          {safeText(name)}
        </Link>
        <span className="shrink-0 text-xs text-muted max-lg:hidden">
          <NetworkLabel network={network} />
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: '150px',
    narrow: 'side',
    cell: (fleet) => {
      const { state, text } = worstOf(fleet)
      return <Pill state={state}>{text}</Pill>
    },
  },
  countColumn<ListedWatchFleet>('members', 'Members', ({ memberCount }) => memberCount, {
    width: '100px',
    narrow: 'below',
    noun: 'member',
  }),
  sumColumn(
    'connected',
    'Connected',
    ({ connectedCount, disconnectedCount, unknownCount }) => (
      <span title={unknownCount > 0 ? `${formatInteger(unknownCount)} unknown` : undefined}>
        {formatInteger(connectedCount)}
        <span className="text-muted">
          {' '}
          of {formatInteger(connectedCount + disconnectedCount + unknownCount)}
          <span className="md:hidden"> connected</span>
        </span>
      </span>
    ),
    { width: '120px', narrow: 'belowSide' },
  ),
  sumColumn('stake', 'Own stake, AVAX', ({ amountStaked }) => <Avax value={amountStaked} max={0} bare />, {
    width: '150px',
  }),
  sumColumn(
    'delegated',
    'Delegated, AVAX',
    ({ amountDelegated }) => <Avax value={amountDelegated} max={0} bare />,
    {
      width: '150px',
    },
  ),
  sumColumn(
    'end',
    'First stake ends',
    ({ firstEndTimestamp }) => (firstEndTimestamp === undefined ? dash : <TimeAgo at={firstEndTimestamp} />),
    { width: '124px' },
  ),
  countColumn<ListedWatchFleet>('rules', 'Rules', ({ ruleCount }) => ruleCount, { width: '80px' }),
]
