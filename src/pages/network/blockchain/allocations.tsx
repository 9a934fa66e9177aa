import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { NetworkName } from '../../../api/current.ts'
import { type Allocation, allocationsQuery } from '../../../api/network/registry.ts'
import { Address } from '../../../components/address.tsx'
import { Amount } from '../../../components/amount.tsx'
import { EmptyState } from '../../../components/states.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { dash } from '../../../components/table/column-kinds.tsx'
import { formatInteger, plainAmount } from '../../../lib/amounts.ts'
import { InfiniteTable, rowsOfPages } from '../../shared/infinite-table.tsx'

const decimals = 18

const columnsOf = (chainId: string | undefined): Column<Allocation>[] => [
  {
    id: 'address',
    header: 'Address',
    always: true,
    narrow: 'title',
    cell: ({ address }) =>
      chainId === undefined ? (
        <span className="font-mono text-mono">{address}</span>
      ) : (
        <>
          <span className="lg:hidden">
            <Address address={address} chainId={chainId} />
          </span>
          <span className="max-lg:hidden">
            <Address address={address} chainId={chainId} full />
          </span>
        </>
      ),
    text: ({ address }) => address,
  },
  {
    id: 'balance',
    header: 'Balance',
    align: 'right',
    width: '200px',
    narrow: 'side',
    cell: ({ balance }) => <Amount value={balance} decimals={decimals} />,
    text: ({ balance }) => plainAmount(balance, decimals),
  },
  {
    id: 'code',
    header: 'Code, bytes',
    align: 'right',
    width: '130px',
    narrow: 'below',
    cell: ({ codeSizeBytes }) => (codeSizeBytes === 0 ? dash : formatInteger(codeSizeBytes)),
    text: ({ codeSizeBytes }) => String(codeSizeBytes),
  },
  {
    id: 'storage',
    header: 'Storage slots',
    align: 'right',
    width: '130px',
    cell: ({ storageCount }) => (storageCount === 0 ? dash : formatInteger(storageCount)),
    text: ({ storageCount }) => String(storageCount),
  },
]

const rowKey = (row: Allocation): string => row.address

/** The initial balances of a chain, page by page in the order of the genesis. */
export function Allocations({
  network,
  blockchainId,
  chainId,
}: {
  network: NetworkName
  blockchainId: string
  /** The EVM chain that addresses link to, if this service indexes it. */
  chainId: string | undefined
}) {
  const list = allocationsQuery(network, blockchainId)
  const query = useInfiniteQuery(list)
  const columns = useMemo(() => columnsOf(chainId), [chainId])
  const rows = rowsOfPages(query.data, list.rowsOf)
  return (
    <InfiniteTable
      id="allocations"
      label="Allocations of the genesis"
      noun="allocation"
      nouns="allocations"
      query={query}
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      source={{
        name: `allocations-${blockchainId}`,
        pages: list.all,
      }}
      empty={<EmptyState title="No allocations">No address had a balance when the chain started.</EmptyState>}
    />
  )
}
