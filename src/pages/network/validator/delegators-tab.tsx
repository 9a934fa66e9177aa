import { useMemo } from 'react'
import * as z from 'zod/mini'
import { delegationStatuses, type Delegator } from '../../../../contract/network/validators.ts'
import { delegatorsQuery } from '../../../api/network/staking.ts'
import { Avax, avaxDecimals } from '../../../components/asset-amount.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { timeColumn, dash } from '../../../components/table/column-kinds.tsx'
import { avaxColumn, primaryTxColumn } from '../../../components/table/primary-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { useSearchState } from '../../../components/use-search-state.ts'
import { WalletAddress } from '../../../components/wallet-address.tsx'
import { formatNumber, plainAmount } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { Choice } from '../../shared/choice.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { StatusPill } from '../validators/status-pill.tsx'
import type { Node } from './node.ts'

const schema = z.object({ delegations: z.catch(z.enum([...delegationStatuses, 'all']), 'active') })

const options = [
  { id: 'active', label: 'Active' },
  { id: 'pending', label: 'Pending' },
  { id: 'completed', label: 'Completed' },
  { id: 'all', label: 'All' },
] as const

const rowKey = ({ txHash }: Delegator): string => txHash

const netOf = (row: Delegator): string | undefined => row.netReward ?? row.estimatedNetReward

const columnsOf = (network: Node['network']): readonly Column<Delegator>[] => [
  {
    id: 'owner',
    header: 'Reward goes to',
    always: true,
    width: '180px',
    narrow: 'title',
    cell: ({ rewardAddresses }) => {
      const [first] = rewardAddresses
      if (first === undefined) return dash
      return rewardAddresses.length === 1 ? (
        <WalletAddress address={first} network={network} />
      ) : (
        <span title={rewardAddresses.join('\n')}>{rewardAddresses.length} addresses</span>
      )
    },
    text: ({ rewardAddresses }) => rewardAddresses.join(' '),
  },
  {
    id: 'status',
    header: 'Status',
    width: '120px',
    narrow: 'below',
    cell: ({ delegationStatus }) => <StatusPill status={delegationStatus} />,
    text: ({ delegationStatus }) => delegationStatus,
  },
  avaxColumn('amount', 'Delegated, AVAX', ({ amountDelegated }) => amountDelegated, {
    width: '150px',
    narrow: 'side',
  }),
  {
    id: 'fee',
    header: 'Fee',
    align: 'right',
    width: '104px',
    cell: ({ delegationFee }) => `${formatNumber(Number(delegationFee), 4)} %`,
    text: ({ delegationFee }) => delegationFee,
  },
  {
    id: 'reward',
    header: 'Net reward, AVAX',
    align: 'right',
    width: '170px',
    cell: (row) => {
      const net = netOf(row)
      if (net === undefined) return dash
      if (row.delegationStatus === 'completed' && net === '0')
        return <span className="text-muted">none paid</span>
      return (
        <span title={row.netReward === undefined ? 'As estimated, less the fee' : 'Paid, less the fee'}>
          <Avax value={net} bare />
          {row.netReward === undefined && <span className="text-muted"> est.</span>}
        </span>
      )
    },
    text: (row) => {
      const net = netOf(row)
      return net === undefined ? '' : plainAmount(net, avaxDecimals)
    },
  },
  timeColumn('begin', 'Begins', ({ startTimestamp }) => startTimestamp, { align: 'right', width: '120px' }),
  timeColumn('end', 'Ends', ({ endTimestamp }) => endTimestamp, {
    align: 'right',
    width: '120px',
    narrow: 'belowSide',
  }),
  primaryTxColumn('transaction', 'Transaction', ({ txHash }) => txHash, network, 'p-chain', {
    width: '170px',
  }),
]

/** The delegations to a node, by default the active ones. */
export function DelegatorsTab({ network, nodeId }: Node) {
  const [{ delegations }, setSearch] = useSearchState(schema)
  const status = delegations === 'all' ? undefined : delegations
  const list = delegatorsQuery(network, nodeId, status)
  const columns = useMemo(() => columnsOf(network), [network])
  return (
    <PagedTable
      id="delegators"
      label={`Delegations to ${nodeId}`}
      noun="delegation"
      list={list}
      columns={columns}
      rowKey={rowKey}
      rowHref={(row) => paths.primaryTransaction(network, 'p-chain', row.txHash)}
      tools={
        <Choice
          label="Status of the delegations"
          options={options}
          current={delegations}
          onChange={(next) => setSearch({ delegations: next }, { push: true })}
        />
      }
      file={`delegations-${delegations}-${nodeId}`}
      empty={
        <EmptyState
          title={status === undefined ? 'Nobody has delegated to this node' : `No ${status} delegation`}
        >
          {status === undefined
            ? 'Delegations to its validations of the Primary Network appear here.'
            : 'Choose All to see the others.'}
        </EmptyState>
      }
    />
  )
}
