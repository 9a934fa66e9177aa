import { useMemo } from 'react'
import type { Deployment } from '../../../../contract/evm/contracts.ts'
import { deploymentsQuery } from '../../../api/evm/contracts.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { Address } from '../../../components/address.tsx'
import { Link } from '../../../components/link.tsx'
import { useTableFiles } from '../../../api/sql/table-files.ts'
import { EmptyState } from '../../../components/states.tsx'
import { dash } from '../../../components/table/column-kinds.tsx'
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
    {
      id: 'contract',
      header: 'Contract',
      width: '180px',
      always: true,
      narrow: 'title',
      cell: (row) => (
        <Address
          address={row.address}
          name={readableName(row.name) || readableName(row.symbol, 16)}
          chainId={chainId}
          beside
        />
      ),
      text: (row) => row.address,
    },
    {
      id: 'kind',
      header: 'Kind',
      width: '176px',
      narrow: 'belowSide',
      cell: (row) =>
        isToken(row) ? (
          <Link to={paths.token(chainId, row.address)} className="link">
            {row.ercType} <span className="text-muted">{readableName(row.symbol, 16)}</span>
          </Link>
        ) : (
          // In a list of contracts it says nothing without its heading.
          <span className="text-muted max-md:hidden">contract</span>
        ),
      text: (row) => row.ercType ?? '',
    },
    {
      id: 'token',
      header: 'Token',
      hidden: true,
      width: '180px',
      cell: (row) => (isToken(row) ? <TokenName {...row} chainId={chainId} /> : dash),
      text: (row) => readableName(row.name, 128),
    },
    placeTimeColumn(),
    placeBlockColumn(chainId),
    placeTxColumn(chainId),
    {
      id: 'deployer',
      header: 'Deployed by',
      width: '296px',
      narrow: 'below',
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-1.5">
          <Address address={row.deployerAddress} chainId={chainId} />
          {row.deployerContractAddress !== undefined && (
            <span
              className="shrink-0 text-xs text-muted max-md:hidden"
              title={`By the contract ${row.deployerContractAddress}`}
            >
              via a contract
            </span>
          )}
        </span>
      ),
      text: (row) => row.deployerAddress,
    },
    {
      id: 'creator',
      header: 'Created by contract',
      hidden: true,
      width: '180px',
      cell: (row) =>
        row.deployerContractAddress === undefined ? (
          dash
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
  const files = useTableFiles({ table: 'contracts', query: { chainId: chain.chainId } })
  const columns = useMemo(() => columnsOf(chain), [chain])
  return (
    <PagedTable
      id="deployments"
      label={`Contracts of ${chain.name}`}
      noun="contract"
      list={list}
      columns={columns}
      rowKey={rowKey}
      rowHref={(row) => paths.address(chain.chainId, row.address)}
      file={`contracts-${chain.chainId}`}
      files={files}
      empty={<EmptyState title="No contracts">No indexed block of this chain has created one.</EmptyState>}
    />
  )
}
