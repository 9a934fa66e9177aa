import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Validator } from '../../../../contract/network/validators.ts'
import { validationsQuery } from '../../../api/network/validators.ts'
import { Avax, avaxDecimals } from '../../../components/asset-amount.tsx'
import { Boundary } from '../../../components/part.tsx'
import { EmptyState } from '../../../components/states.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { dash } from '../../../components/table/column-kinds.tsx'
import { plainAmount } from '../../../lib/amounts.ts'
import { isPrimaryNetwork } from '../../../lib/primary-chains.ts'
import { paths } from '../../../lib/paths.ts'
import { PagedTable } from '../../shared/paged-table.tsx'
import { validatorColumns } from '../validators/columns.tsx'
import type { Node } from './node.ts'
import { Renewal } from './renewal.tsx'

const rowKey = ({ txHash }: Validator): string => txHash

/** The reward of a validation: paid, or estimated while it is active. */
function rewardOf(row: Validator): { amount: bigint; promised: boolean } | undefined {
  if (!isPrimaryNetwork(row.subnetId)) return undefined
  const promised = row.validationStatus === 'active' || row.validationStatus === 'pending'
  const rewards = promised ? row.potentialRewards : row.rewards
  return (
    rewards && {
      amount: BigInt(rewards.validationRewardAmount) + BigInt(rewards.delegationRewardAmount),
      promised,
    }
  )
}

const reward: Column<Validator> = {
  id: 'reward',
  header: 'Reward, AVAX',
  align: 'right',
  width: '136px',
  cell: (row) => {
    const found = rewardOf(row)
    if (!found) return dash
    if (found.amount === 0n && !found.promised) return <span className="text-muted">none paid</span>
    return (
      <span
        title={
          found.promised
            ? 'As estimated; paid when the validation ends'
            : 'Own reward and share of delegations'
        }
      >
        <Avax value={found.amount} max={4} bare />
        {found.promised && <span className="text-muted"> est.</span>}
      </span>
    )
  },
  text: (row) => {
    const found = rewardOf(row)
    return found ? plainAmount(found.amount, avaxDecimals) : ''
  },
}

const widths: Readonly<Record<string, string>> = {
  subnet: '140px',
  startTimestamp: '112px',
}
const left = ['node', 'share', 'place', 'version', 'delegationCapacity']

/** The columns that distinguish a node's validations: subnet and status instead of the node. */
function columnsOf(network: Node['network']): Column<Validator>[] {
  return validatorColumns(network, '')
    .filter(({ id }) => !left.includes(id))
    .map((column): Column<Validator> => {
      const width = widths[column.id]
      const plain = { ...column, ...(width !== undefined && { width }) }
      if (column.id === 'status') return { ...plain, hidden: false, always: true, narrow: 'title' }
      return column.id === 'subnet' ? { ...plain, hidden: false } : plain
    })
    .flatMap((column) => (column.id === 'startTimestamp' ? [reward, column] : [column]))
}

/** Every validation of a node, on the Primary Network and on subnets, latest first. */
export function TermsTab({ network, nodeId }: Node) {
  const list = validationsQuery(network, nodeId)
  const query = useInfiniteQuery(list)
  const columns = useMemo(() => columnsOf(network), [network])
  const renewed = query.data?.pages.flatMap(list.rowsOf).find(({ autoRenewal }) => autoRenewal !== undefined)
  return (
    <>
      <PagedTable
        id="validations"
        label={`Validations of ${nodeId}`}
        noun="validation"
        list={list}
        columns={columns}
        rowKey={rowKey}
        rowHref={(row) => paths.primaryTransaction(network, 'p-chain', row.txHash)}
        file={`validations-${nodeId}`}
        empty={
          <EmptyState title="No validations yet">
            No transaction of this network made it a validator. Validators of L1s are listed under L1
            validations.
          </EmptyState>
        }
      />
      {/* Below the validations, so that its arrival does not shift them. */}
      {renewed && (
        <div className="pt-8">
          <Boundary title="The cycles">
            <Renewal network={network} nodeId={nodeId} term={renewed} />
          </Boundary>
        </div>
      )}
    </>
  )
}
