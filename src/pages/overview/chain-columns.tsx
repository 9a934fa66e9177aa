import { Link } from '../../components/link.tsx'
import { textColumn, dash } from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { dayCount, figure, overviewColumns, type ChainRow } from './chain-rows.tsx'

const more: Column<ChainRow>[] = [
  textColumn('chainId', 'Chain ID', ({ chain }) => chain.chainId, { hidden: true, width: '110px' }),
  {
    id: 'head',
    header: 'Head',
    align: 'right',
    width: '110px',
    sortable: true,
    cell: ({ chain, status }) =>
      status?.indexedBlock === undefined ? (
        dash
      ) : (
        <Link to={paths.block(chain.chainId, status.indexedBlock)} className="link">
          {formatInteger(status.indexedBlock)}
        </Link>
      ),
    text: ({ status }) => status?.indexedBlock ?? '',
  },
  {
    id: 'transactions',
    header: 'Transactions',
    align: 'right',
    hidden: true,
    width: '116px',
    sortable: true,
    cell: ({ status }) => figure(status?.txCount),
    text: ({ status }) => status?.txCount ?? '',
  },
  {
    id: 'addresses',
    header: 'Addresses',
    align: 'right',
    hidden: true,
    width: '110px',
    sortable: true,
    cell: ({ status }) => figure(status?.addressCount),
    text: ({ status }) => status?.addressCount ?? '',
  },
]

const order = [
  'name',
  'chainId',
  'state',
  'head',
  'age',
  'transactions',
  'day',
  'usual',
  'tps',
  'addresses',
  'spark',
]

/** The columns of the list of chains: those of the overview, and what else is known of each. */
export const chainColumns = [...overviewColumns, ...more].toSorted(
  (left, right) => order.indexOf(left.id) - order.indexOf(right.id),
)

const big = (value: string | undefined): bigint => BigInt(value ?? -1)
const byBig = (pick: (row: ChainRow) => string | undefined) => (a: ChainRow, b: ChainRow) => {
  const difference = big(pick(a)) - big(pick(b))
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const orders: Record<string, (a: ChainRow, b: ChainRow) => number> = {
  name: (a, b) => a.chain.chainName.localeCompare(b.chain.chainName, 'en'),
  head: byBig((row) => row.status?.indexedBlock),
  transactions: byBig((row) => row.status?.txCount),
  day: byBig(dayCount),
  addresses: byBig((row) => row.status?.addressCount),
  tps: byBig(dayCount),
}

/** Sorts chains by a column. The list is complete, so the page sorts it. */
export function sortChains(rows: readonly ChainRow[], by: string, order: 'asc' | 'desc'): ChainRow[] {
  const compare = orders[by]
  if (!compare) return [...rows]
  const sign = order === 'asc' ? 1 : -1
  return [...rows].sort((a, b) => sign * compare(a, b) || a.index - b.index)
}
