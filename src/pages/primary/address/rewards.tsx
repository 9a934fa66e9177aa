import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { HistoricalReward, PendingReward } from '../../../../contract/network/rewards.ts'
import { currency } from '../../../api/tokens/balances-currency.ts'
import { useProfile, type NetworkName } from '../../../api/current.ts'
import {
  type RewardYear,
  type RewardsOf,
  pendingRewardsQuery,
  rewardsQuery,
  yearlyRewardsQuery,
} from '../../../api/network/rewards.ts'
import { useStore } from '../../../components/hooks.ts'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { useTableFiles } from '../../../api/sql/table-files.ts'
import { DataTable, noMore } from '../../../components/table/data-table.tsx'
import { onePage, pagedRows } from '../../../lib/paging.ts'
import { CurrencyMenu } from '../../shared/currency-menu.tsx'
import { Failed } from '../../shared/failed.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { pendingColumns, rewardColumns, yearColumns } from './reward-columns.tsx'

type Props = {
  network: NetworkName
  of: RewardsOf
  /** The owner in file names: an address or a node. */
  name: string
}

const isOfNode = (of: RewardsOf): boolean => 'nodeId' in of

const paidKey = (row: HistoricalReward): string => `${row.utxoId}/${row.rewardType}`
const pendingKey = (row: PendingReward): string => `${row.txHash}/${row.rewardType}`
const yearKey = (row: RewardYear): string => `${row.year}/${row.reward.assetId}`

function Years({ network, of, name }: Props) {
  const code = useStore(currency)
  const query = useQuery(yearlyRewardsQuery(network, of, code))
  const columns = useMemo(() => yearColumns(code), [code])
  const years = query.data
  const rows = useMemo(() => pagedRows([years ?? []]), [years])
  if (query.error && !years) return <Failed title="The rewards by year could not be loaded." query={query} />
  if (!years) return <SkeletonRows count={4} />
  return (
    <DataTable
      id="rewards-by-year"
      label="Rewards by year"
      noun="year"
      columns={columns}
      rows={rows}
      rowKey={yearKey}
      more={noMore}
      source={{
        name: `rewards-by-year-${code}-${name}`,
        pages: () => onePage(years),
      }}
    />
  )
}

function Paid({ network, of, name }: Props) {
  const code = useStore(currency)
  const list = rewardsQuery(network, of, code)
  const filter = 'nodeId' in of ? { nodeIds: of.nodeId } : { addresses: of.addresses.join(',') }
  // Exports know no kinds of rewards.
  const isWhole = !('nodeId' in of) || of.types === undefined
  const files = useTableFiles(isWhole ? { network, table: 'rewards', query: filter } : undefined)
  const columns = useMemo(() => rewardColumns(network, code, isOfNode(of)), [network, code, of])
  return (
    <PagedTable
      id="rewards"
      label="Rewards paid, latest first"
      noun="reward"
      list={list}
      columns={columns}
      rowKey={paidKey}
      file={`rewards-${code}-${name}`}
      files={files}
      empty={
        <EmptyState title="No rewards paid yet">
          A reward is paid when a staking period ends and its uptime requirement was met.
        </EmptyState>
      }
    />
  )
}

function Pending({ network, of, name }: Props) {
  const list = pendingRewardsQuery(network, of)
  const columns = useMemo(() => pendingColumns(network, isOfNode(of)), [network, of])
  return (
    <PagedTable
      id="pending-rewards"
      label="Rewards to come"
      noun="pending reward"
      list={list}
      columns={columns}
      rowKey={pendingKey}
      file={`pending-rewards-${name}`}
      empty={<EmptyState title="No active stake">A running staking has an estimated reward.</EmptyState>}
    />
  )
}

/** Rewards by year in the chosen currency, pending ones, and every paid one. */
export function Rewards(props: Props) {
  const label = useProfile()?.priceLabel
  const { network, of } = props
  const code = useStore(currency)
  // The list is rendered once the parts above it have their size, so that it does not shift.
  const { data, isPending } = useQuery(yearlyRewardsQuery(network, of, code))
  const years = !isPending
  const pending = !useInfiniteQuery(pendingRewardsQuery(network, of)).isPending
  return (
    <div className="flex flex-col gap-8">
      {data?.length !== 0 && (
        <Section title="By year" {...(label !== undefined && { note: label })} actions={<CurrencyMenu />}>
          <Years {...props} />
        </Section>
      )}
      {years && (
        <Section title="To come" note="as estimated when the staking began">
          <Pending {...props} />
        </Section>
      )}
      {years && pending && (
        <Section title="Paid">
          <Paid {...props} />
        </Section>
      )}
    </div>
  )
}
