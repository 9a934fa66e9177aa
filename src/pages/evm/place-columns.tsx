import {
  countColumn,
  hashColumn,
  timeColumn,
  type ColumnOptions,
} from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { blockColumn } from '../../components/table/evm-kinds.tsx'
import { paths } from '../../lib/paths.ts'

/** The block, time and transaction of an item. */
type Placed = { blockNumber: string; blockTimestamp: number; txHash: string }

/** The item's transaction. */
export const placeTxColumn = <Row extends Placed>(
  chainId: string,
  rest: ColumnOptions<Row> = {},
): Column<Row> =>
  hashColumn('hash', 'Transaction', (row) => row.txHash, 'transaction hash', {
    to: (row) => paths.transaction(chainId, row.txHash),
    width: '164px',
    ...rest,
  })

/** The item's block. */
export const placeBlockColumn = <Row extends Placed>(
  chainId: string,
  rest: ColumnOptions<Row> = {},
): Column<Row> => blockColumn('block', 'Block', (row) => row.blockNumber, chainId, { width: '88px', ...rest })

/** The item's time. */
export const placeTimeColumn = <Row extends Placed>({
  header = 'Time',
  ...rest
}: ColumnOptions<Row> & { header?: string } = {}): Column<Row> =>
  timeColumn('age', header, (row) => row.blockTimestamp, { width: '108px', narrow: 'side', ...rest })

/** The log's index in its block; hidden by default. */
export const logColumn = <Row extends { logIndex: number }>(): Column<Row> =>
  countColumn('log', 'Log', (row) => row.logIndex, { hidden: true, width: '64px' })
