import { useMemo } from 'react'
import type { ChainStatus, EvmChain } from '../../../contract/evm/chains.ts'
import { Table } from '../../components/table/table.tsx'
import { pagedRows } from '../../lib/paging.ts'
import { paths } from '../../lib/paths.ts'
import { chainRows, overviewColumns, type ChainRow } from './chain-rows.tsx'
import type { Traffic } from './traffic.ts'

type Props = {
  readonly chains: readonly EvmChain[]
  readonly status: readonly ChainStatus[] | undefined
  readonly traffic: readonly (Traffic | undefined)[]
}

const rowKey = (row: ChainRow): string => row.chain.chainId

/** How each chain does now, against the usual. */
export function ChainsTable({ chains, status, traffic }: Props) {
  const rows = useMemo(() => pagedRows([chainRows(chains, status, traffic)]), [chains, status, traffic])
  return (
    <Table
      id="overview-chains"
      label="Chains"
      columns={overviewColumns}
      rows={rows}
      rowKey={rowKey}
      rowHref={(row) => paths.chain(row.chain.chainId)}
    />
  )
}
