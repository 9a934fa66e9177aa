import { countColumn, hashColumn, timeColumn, type Rest } from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { blockColumn } from '../../components/table/evm-kinds.tsx'
import { paths } from '../../lib/paths.ts'

/** Where and when something on an EVM chain took place. */
type Placed = { blockNumber: string; blockTimestamp: number; txHash: string }

/** The transaction that something took place in. */
export const placeTxColumn = <Row extends Placed>(chainId: string, rest: Rest<Row> = {}): Column<Row> =>
  hashColumn('hash', 'Transaction', (row) => row.txHash, 'transaction hash', {
    to: (row) => paths.transaction(chainId, row.txHash),
    width: '164px',
    ...rest,
  })

/** The block that something took place in. */
export const placeBlockColumn = <Row extends Placed>(chainId: string): Column<Row> =>
  blockColumn('block', 'Block', (row) => row.blockNumber, chainId, { width: '88px' })

/** When something took place. */
export const placeTimeColumn = <Row extends Placed>(rest: Rest<Row> = {}): Column<Row> =>
  timeColumn('age', 'Time', (row) => row.blockTimestamp, { width: '108px', narrow: 'side', ...rest })

/** Where in its block a log stands; left out until it is chosen. */
export const logColumn = <Row extends { logIndex: number }>(): Column<Row> =>
  countColumn('log', 'Log', (row) => row.logIndex, { hidden: true, width: '64px' })
