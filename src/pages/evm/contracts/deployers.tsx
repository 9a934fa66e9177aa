import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { deployersQuery, type Deployer } from '../../../api/evm/contracts.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { Link } from '../../../components/link.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { timeColumn } from '../../../components/table/column-kinds.tsx'
import { addressColumn } from '../../../components/table/evm-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { DataTable, noMore } from '../../../components/table/data-table.tsx'
import { TableSkeleton } from '../../../components/table/table.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { onePage, pagedRows } from '../../../lib/paging.ts'
import { plural } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { Failed } from '../../shared/failed.tsx'
import { Choice } from '../../shared/choice.tsx'

const days = ['7', '30', '90'] as const
const searchSchema = z.object({ days: z.catch(z.enum(days), '30') })

const rowKey = (row: Deployer): string => row.address

function columnsOf(chain: ChainFacts, max: number): Column<Deployer>[] {
  const { chainId } = chain
  return [
    addressColumn('deployer', 'Deployer', (row) => row.address, chainId, {
      always: true,
      width: '180px',
      narrow: 'title',
    }),
    {
      id: 'count',
      header: 'Contracts',
      align: 'right',
      width: '260px',
      narrow: 'side',
      cell: (row) => (
        <span className="inline-flex items-center justify-end gap-1 md:gap-2">
          {formatInteger(row.contractCount)}
          <span className="md:hidden">{plural(row.contractCount, 'contract')}</span>
          <span className="h-1.5 w-40 overflow-hidden rounded-full bg-hover max-md:hidden" aria-hidden="true">
            <span
              className="block h-full rounded-full bg-series-1"
              style={{ width: `${(Number(row.contractCount) / max) * 100}%` }}
            />
          </span>
        </span>
      ),
      text: (row) => row.contractCount,
    },
    {
      id: 'block',
      header: 'Last in block',
      align: 'right',
      width: '140px',
      narrow: 'below',
      cell: (row) => (
        <Link to={paths.block(chainId, row.lastBlock)} className="link">
          <span className="md:hidden">block </span>
          {formatInteger(row.lastBlock)}
        </Link>
      ),
      text: (row) => row.lastBlock,
    },
    timeColumn('age', 'Last deployment', (row) => row.lastTimestamp, {
      align: 'right',
      width: '160px',
      narrow: 'belowSide',
    }),
  ]
}

/** The addresses with the most deployments in the last days of the chain's own time. */
export function Deployers({ chain }: { chain: ChainFacts }) {
  const [search, setSearch] = useSearchState(searchSchema)
  const query = useQuery(deployersQuery(chain.chainId, Number(search.days)))
  const max = Math.max(1, ...(query.data ?? []).map((row) => Number(row.contractCount)))
  const columns = useMemo(() => columnsOf(chain, max), [chain, max])
  const rows = useMemo(() => pagedRows(query.data ? [query.data] : []), [query.data])
  return (
    <>
      <DataTable
        id="deployers"
        label={`Deployers of ${chain.name}`}
        noun="deployer"
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        rowHref={(row) => paths.address(chain.chainId, row.address)}
        instead={
          query.isPending ? (
            <TableSkeleton count={18} />
          ) : query.error && !query.data ? (
            <Failed title="The deployers could not be loaded." query={query} />
          ) : undefined
        }
        {...(rows.count < 100 && { more: noMore })}
        tools={
          <>
            <Choice
              label="How far back"
              options={days.map((id) => ({ id, label: `Last ${id} days` }))}
              current={search.days}
              onChange={(next) => setSearch({ days: next })}
            />
            {/* The API returns at most the top hundred. */}
            {rows.count >= 100 && (
              <span className="text-xs text-muted">the 100 with the most deployments</span>
            )}
          </>
        }
        source={{
          name: `deployers-${chain.chainId}-${search.days}-days`,
          pages: () => onePage(query.data ?? []),
        }}
      />
      {query.data?.length === 0 && (
        <EmptyState title={`No contracts deployed in the last ${search.days} days`}>
          The days count back from the chain’s newest block. Choose a longer period.
        </EmptyState>
      )}
    </>
  )
}
