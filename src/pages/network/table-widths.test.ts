import { expect, test } from 'vitest'
import type { Column } from '../../components/table/columns.ts'
import { beside, widthOf } from '../../components/table/table.tsx'
import { pendingColumns, rewardColumns } from '../primary/address/reward-columns.tsx'
import { walletTransactionColumns } from '../primary/address/transaction-columns.tsx'
import { utxoColumns } from '../primary/address/utxo-columns.tsx'
import { primaryTransactionColumns } from '../primary/transaction-columns.tsx'
import { l1Columns } from './l1-validators/columns.tsx'
import { validatorColumns } from './validators/columns.tsx'

/** The width of the columns that are shown at first, with `ids` of which pages show more. */
const firstWidth = <Row>(columns: readonly Column<Row>[], ...ids: readonly string[]): number =>
  widthOf(columns.filter(({ id, hidden }) => hidden !== true || ids.includes(id)))

const l1 = {
  network: 'fuji',
  subnetNames: new Map<string, string>(),
  withNode: true,
  knowsConnections: true,
} as const

test.each([
  ['validators', firstWidth(validatorColumns('fuji', 'AVAX'))],
  ['validators with those of subnets', firstWidth(validatorColumns('fuji', ''), 'subnet')],
  ['L1 validators', firstWidth(l1Columns({ ...l1, withSubnet: true, standings: undefined }))],
  ['validators of one L1', firstWidth(l1Columns({ ...l1, withSubnet: false, standings: new Map() }))],
  ['P-Chain transactions', firstWidth(primaryTransactionColumns('fuji', 'p-chain'))],
  ['C-Chain transactions', firstWidth(primaryTransactionColumns('fuji', 'c-chain'))],
  [
    'transactions of a wallet',
    firstWidth(walletTransactionColumns({ network: 'fuji', owners: [] }, 'p-chain')),
  ],
  ['UTXOs', firstWidth(utxoColumns('fuji'))],
  ['rewards of an address', firstWidth(rewardColumns('fuji', 'usd', false))],
  ['rewards of a node', firstWidth(rewardColumns('fuji', 'usd', true))],
  ['pending rewards of a node', firstWidth(pendingColumns('fuji', true))],
])('the table of %s is whole at 1440 px, beside the navigation with names', (_, width) => {
  expect(width + beside.names).toBeLessThanOrEqual(1440)
})
