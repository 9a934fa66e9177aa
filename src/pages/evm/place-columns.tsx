import { Hash } from '../../components/hash.tsx'
import { Link } from '../../components/link.tsx'
import type { Column } from '../../components/table/columns.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { isoTime } from '../../lib/time.ts'
import { paths } from '../../lib/paths.ts'

/** Where and when something on an EVM chain took place. */
type Placed = { blockNumber: string; blockTimestamp: number; txHash: string }

type Own<Row> = Partial<Pick<Column<Row>, 'always' | 'narrow' | 'width'>>

/** The transaction that something took place in. */
export function hashColumn<Row extends Placed>(chainId: string, own: Own<Row> = {}): Column<Row> {
  return {
    id: 'hash',
    header: 'Transaction',
    width: '164px',
    cell: (row) => (
      <Hash value={row.txHash} name="transaction hash" to={paths.transaction(chainId, row.txHash)} />
    ),
    text: (row) => row.txHash,
    ...own,
  }
}

/** The block that something took place in. */
export function heightColumn<Row extends Placed>(chainId: string): Column<Row> {
  return {
    id: 'block',
    header: 'Block',
    width: '88px',
    cell: (row) => (
      <Link to={paths.block(chainId, row.blockNumber)} className="link" data-value={row.blockNumber}>
        {formatInteger(row.blockNumber)}
      </Link>
    ),
    text: (row) => row.blockNumber,
  }
}

/** When something took place. */
export function timeColumn<Row extends Placed>(own: Own<Row> = {}): Column<Row> {
  return {
    id: 'age',
    header: 'Time',
    width: '108px',
    narrow: 'side',
    cell: (row) => <TimeAgo at={row.blockTimestamp} />,
    text: (row) => isoTime(row.blockTimestamp),
    ...own,
  }
}

/** Where in its block a log stands; left out until it is chosen. */
export function logColumn<Row extends { logIndex: number }>(): Column<Row> {
  return {
    id: 'log',
    header: 'Log',
    align: 'right',
    hidden: true,
    width: '64px',
    cell: (row) => formatInteger(row.logIndex),
    text: (row) => String(row.logIndex),
  }
}
