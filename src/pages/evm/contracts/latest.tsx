import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Deployment } from '../../../../contract/evm/contracts.ts'
import { deploymentsQuery } from '../../../api/evm/contracts.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { Address } from '../../../components/address.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { hashColumn } from '../../../components/table/column-kinds.tsx'
import { addressColumn } from '../../../components/table/evm-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { readableName, TokenName } from '../../../components/tokens/token-name.tsx'
import { paths } from '../../../lib/paths.ts'
import { placeTxColumn, placeBlockColumn, placeTimeColumn } from '../place-columns.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'

// A contract can be created again at the same address after it destroyed itself.
const rowKey = (row: Deployment): string => `${row.address}/${row.txHash}`

const isToken = (row: Deployment): boolean => row.ercType !== undefined && row.ercType !== 'UNKNOWN'

function columnsOf(chain: ChainFacts): Column<Deployment>[] {
  const { chainId } = chain
  return [
    hashColumn('contract', 'Contract', (row) => row.address, 'contract address', {
      to: (row) => paths.address(chainId, row.address),
      always: true,
      width: '180px',
      narrow: 'title',
    }),
    {
      id: 'token',
      header: 'Token',
      narrow: 'belowSide',
      cell: (row) =>
        isToken(row) ? (
          <TokenName {...row} chainId={chainId} />
        ) : (
          <span className="text-muted max-md:hidden">–</span>
        ),
      text: (row) => readableName(row.name, 128),
    },
    {
      id: 'kind',
      header: 'Kind',
      hidden: true,
      width: '104px',
      cell: (row) => (isToken(row) ? row.ercType : '–'),
      text: (row) => row.ercType ?? '',
    },
    placeTimeColumn(),
    placeBlockColumn(chainId),
    placeTxColumn(chainId),
    addressColumn('deployer', 'Deployer', (row) => row.deployerAddress, chainId, {
      width: '180px',
      narrow: 'below',
    }),
    {
      id: 'creator',
      header: 'Created by contract',
      width: '180px',
      cell: (row) =>
        row.deployerContractAddress === undefined ? (
          <span className="text-muted">–</span>
        ) : (
          <Address address={row.deployerContractAddress} chainId={chainId} />
        ),
      text: (row) => row.deployerContractAddress ?? '',
    },
  ]
}

/** All contracts created on a chain, newest first, including those created by internal calls. */
export function LatestContracts({ chain }: { chain: ChainFacts }) {
  const list = deploymentsQuery(chain.chainId)
  const query = useInfiniteQuery(list)
  const columns = useMemo(() => columnsOf(chain), [chain])
  return (
    <PagedTable
      id="deployments"
      label={`Contracts of ${chain.name}`}
      noun="contract"
      query={query}
      rowsOf={list.rowsOf}
      columns={columns}
      rowKey={rowKey}
      rowHref={(row) => paths.address(chain.chainId, row.address)}
      source={{
        name: `contracts-${chain.chainId}`,
        pages: list.all,
      }}
      empty={<EmptyState title="No contracts">No indexed block of this chain has created one.</EmptyState>}
    />
  )
}
