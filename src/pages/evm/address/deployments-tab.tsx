import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ContractMetadata } from '../../../../contract/evm/contracts.ts'
import { addressDeploymentsQuery } from '../../../api/evm/addresses-contract.ts'
import { Address } from '../../../components/address.tsx'
import { Hash } from '../../../components/hash.tsx'
import { EmptyState } from '../../../components/states.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { TokenName } from '../../../components/tokens/token-name.tsx'
import { dash } from '../../../components/table/column-kinds.tsx'
import { paths } from '../../../lib/paths.ts'
import { InfiniteTable, rowsOfPages } from '../../shared/infinite-table.tsx'
import type { Subject } from './activity.tsx'

const deploymentColumns = (chainId: string): Column<ContractMetadata>[] => [
  {
    id: 'address',
    header: 'Contract',
    always: true,
    width: '180px',
    narrow: 'title',
    cell: (row) => <Address {...row} chainId={chainId} />,
    text: (row) => row.address,
  },
  {
    id: 'token',
    header: 'Token',
    narrow: 'below',
    cell: (row) =>
      row.ercType === 'UNKNOWN' ? (
        dash
      ) : (
        <TokenName address={row.address} name={row.name} symbol={row.symbol} chainId={chainId} />
      ),
    text: (row) => row.symbol ?? '',
  },
  {
    id: 'kind',
    header: 'Kind',
    width: '110px',
    narrow: 'side',
    cell: (row) =>
      row.ercType === 'UNKNOWN' ? <span className="text-muted max-md:hidden">contract</span> : row.ercType,
    text: (row) => row.ercType,
  },
  {
    id: 'signer',
    header: 'Signed by',
    width: '190px',
    cell: (row) =>
      row.deploymentDetails && <Address address={row.deploymentDetails.deployerAddress} chainId={chainId} />,
    text: (row) => row.deploymentDetails?.deployerAddress ?? '',
  },
  {
    id: 'creator',
    header: 'Created by the contract',
    width: '190px',
    cell: (row) =>
      row.deploymentDetails?.deployerContractAddress === undefined ? (
        dash
      ) : (
        <Address address={row.deploymentDetails.deployerContractAddress} chainId={chainId} />
      ),
    text: (row) => row.deploymentDetails?.deployerContractAddress ?? '',
  },
  {
    id: 'transaction',
    header: 'Transaction',
    width: '180px',
    narrow: 'belowSide',
    cell: (row) =>
      row.deploymentDetails && (
        <Hash
          value={row.deploymentDetails.txHash}
          name="transaction hash"
          to={paths.transaction(chainId, row.deploymentDetails.txHash)}
        />
      ),
    text: (row) => row.deploymentDetails?.txHash ?? '',
  },
]

/** The contracts that an address deployed by its own code, or in transactions that it signed. */
export function DeploymentsTab({ address, chain }: Subject) {
  const { chainId } = chain
  const list = addressDeploymentsQuery(chainId, address)
  const query = useInfiniteQuery(list)
  const rows = rowsOfPages(query.data, list.rowsOf)
  const columns = useMemo(() => deploymentColumns(chainId), [chainId])
  const none = <EmptyState title="This address has deployed no contracts" />
  if (query.isSuccess && rows.count === 0 && !query.hasNextPage) return none
  return (
    <InfiniteTable
      id="address-deployments"
      label={`Contracts deployed by ${address}`}
      noun="contract"
      nouns="contracts"
      query={query}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.address}/${row.deploymentDetails?.txHash ?? ''}`}
      rowHref={(row) => paths.address(chainId, row.address)}
      source={{
        name: `deployments-${address}-${chainId}`,
        pages: list.all,
      }}
      empty={none}
    />
  )
}
