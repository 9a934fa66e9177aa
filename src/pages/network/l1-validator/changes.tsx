import { useMemo } from 'react'
import type { ResponseOf } from '../../../../contract/base/operation.ts'
import type { listL1ValidatorHistory } from '../../../../contract/network/staking.ts'
import type { NetworkName } from '../../../api/current.ts'
import { l1HistoryQuery } from '../../../api/network/validators.ts'
import { RowUnit } from '../../../components/amount.tsx'
import { Avax, avaxDecimals } from '../../../components/asset-amount.tsx'
import { Pill } from '../../../components/pill.tsx'
import { PrimaryBlockLink, PrimaryTxLink } from '../../../components/primary-link.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { countColumn, timeColumn, dash } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { plainAmount } from '../../../lib/amounts.ts'
import { txTypeLabel } from '../../primary/tx-type.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'

type Page = ResponseOf<typeof listL1ValidatorHistory>
type Change = Page['changes'][number]

const rowKey = ({ blockNumber, txHash }: Change): string => `${blockNumber}/${txHash ?? ''}`

const columnsOf = (network: NetworkName): readonly Column<Change>[] => [
  {
    id: 'what',
    header: 'What',
    always: true,
    narrow: 'title',
    cell: ({ txType, txHash }) =>
      txHash === undefined ? 'Balance used up' : txType === undefined ? 'Transaction' : txTypeLabel(txType),
    text: ({ txType, txHash }) => txType ?? (txHash === undefined ? 'balance used up' : ''),
  },
  {
    id: 'transaction',
    header: 'Transaction',
    width: '160px',
    cell: ({ txHash }) =>
      txHash === undefined ? dash : <PrimaryTxLink chain="p-chain" txHash={txHash} network={network} />,
    text: ({ txHash }) => txHash ?? '',
  },
  {
    id: 'block',
    header: 'Block',
    width: '90px',
    cell: ({ blockNumber }) => <PrimaryBlockLink chain="p-chain" height={blockNumber} network={network} />,
    text: ({ blockNumber }) => blockNumber,
  },
  timeColumn('time', 'Time', ({ timestamp }) => timestamp, { width: '104px', narrow: 'side' }),
  countColumn('weight', 'Weight', ({ weight }) => weight, { width: '120px' }),
  {
    id: 'change',
    header: 'To balance, AVAX',
    align: 'right',
    width: '150px',
    narrow: 'below',
    cell: ({ balanceChange }) => {
      const change = BigInt(balanceChange)
      if (change === 0n) return <span className="text-muted">0</span>
      return (
        <span className={change > 0n ? 'text-ok' : ''}>
          {change > 0n && '+'}
          <Avax value={change} bare />
          <RowUnit>AVAX</RowUnit>
        </span>
      )
    },
    text: ({ balanceChange }) => plainAmount(balanceChange, avaxDecimals),
  },
  {
    id: 'balance',
    header: 'Balance then, AVAX',
    align: 'right',
    width: '150px',
    narrow: 'belowSide',
    cell: ({ remainingBalance }) => (
      <>
        <Avax value={BigInt(remainingBalance)} bare />
        <RowUnit>AVAX then</RowUnit>
      </>
    ),
    text: ({ remainingBalance }) => plainAmount(remainingBalance, avaxDecimals),
  },
  {
    id: 'state',
    header: 'State then',
    width: '104px',
    cell: ({ isActive }) => (
      <Pill state={isActive ? 'active' : 'stale'}>{isActive ? 'active' : 'inactive'}</Pill>
    ),
    text: ({ isActive }) => (isActive ? 'active' : 'inactive'),
  },
]

/** All changes of an L1 validator, latest first. */
export function Changes({ network, validationId }: { network: NetworkName; validationId: string }) {
  const list = l1HistoryQuery(network, validationId)
  const columns = useMemo(() => columnsOf(network), [network])
  return (
    <PagedTable
      id="l1-changes"
      label="What changed the L1 validator"
      noun="change"
      list={list}
      columns={columns}
      rowKey={rowKey}
      file={`l1-validator-${validationId}`}
      empty={<EmptyState title="No changes yet">Its registration and later changes appear here.</EmptyState>}
    />
  )
}
