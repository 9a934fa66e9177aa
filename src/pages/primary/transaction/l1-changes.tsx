import { useMemo } from 'react'
import type * as z from 'zod/mini'
import type { l1ValidatorChange } from '../../../../contract/primary/transactions.ts'
import type { NetworkName } from '../../../api/current.ts'
import { Avax, avaxDecimals } from '../../../components/asset-amount.tsx'
import { Hash } from '../../../components/hash.tsx'
import { Section } from '../../../components/section.tsx'
import { nodeColumn, subnetColumn } from '../../../components/table/primary-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { Table } from '../../../components/table/table.tsx'
import { dash } from '../../../components/table/column-kinds.tsx'
import { formatInteger, plainAmount } from '../../../lib/amounts.ts'
import { pagedRows } from '../../../lib/paging.ts'
import { paths } from '../../../lib/paths.ts'

type Change = z.infer<typeof l1ValidatorChange>

const columnsOf = (network: NetworkName): Column<Change>[] => [
  {
    id: 'validation',
    header: 'Validation',
    always: true,
    width: '170px',
    narrow: 'title',
    cell: ({ validationId }) => (
      <Hash value={validationId} name="validation ID" to={paths.l1Validator(network, validationId)} copy />
    ),
    text: ({ validationId }) => validationId,
  },
  nodeColumn('node', 'Node', ({ nodeId }) => nodeId, network, { narrow: 'below' }),
  subnetColumn('subnet', 'Subnet', ({ subnetId }) => subnetId, network, { width: '170px' }),
  {
    id: 'weight',
    header: 'Weight',
    align: 'right',
    width: '120px',
    narrow: 'side',
    cell: ({ weight }) =>
      BigInt(weight) === 0n ? <span className="text-muted">removed</span> : formatInteger(weight),
    text: ({ weight }) => String(weight),
  },
  {
    id: 'change',
    header: 'Balance change',
    align: 'right',
    width: '150px',
    cell: ({ balanceChange }) =>
      balanceChange === undefined ? dash : <Avax value={String(balanceChange)} />,
    text: ({ balanceChange }) =>
      balanceChange === undefined ? '' : plainAmount(balanceChange, avaxDecimals),
  },
  {
    id: 'balance',
    header: 'Balance after',
    align: 'right',
    width: '150px',
    narrow: 'belowSide',
    cell: ({ remainingBalance }) => <Avax value={String(remainingBalance)} />,
    text: ({ remainingBalance }) => plainAmount(remainingBalance, avaxDecimals),
  },
]

const rowKey = (change: Change): string => change.validationId

/** The L1 validators that a transaction registered or changed. */
export function L1Changes({ changes, network }: { changes: readonly Change[]; network: NetworkName }) {
  const columns = useMemo(() => columnsOf(network), [network])
  return (
    <Section title="L1 validators" note={formatInteger(changes.length)}>
      <Table
        id="l1-changes"
        label="L1 validators"
        columns={columns}
        rows={pagedRows([changes])}
        rowKey={rowKey}
        rowHref={({ validationId }) => paths.l1Validator(network, validationId)}
      />
    </Section>
  )
}
