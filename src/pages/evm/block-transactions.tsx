import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOffers, type ChainFacts } from '../../api/current.ts'
import { blockTransactionsQuery } from '../../api/evm/blocks.ts'
import { useMovements, withMovements, type MovedTransaction } from '../../api/evm/movements.ts'
import { TableSkeleton } from '../../components/table/table.tsx'
import { pagedRows } from '../../lib/paging.ts'
import { paths } from '../../lib/paths.ts'
import { InfiniteTable } from '../shared/infinite-table.tsx'
import { transactionColumns } from './transaction-columns.tsx'

const rowKey = (tx: MovedTransaction): string => tx.txHash

type Props = { chain: ChainFacts; blockId: string; count: number }

/** The transactions of a block, of which it has `count`, with what they moved. */
export function BlockTransactions({ chain, blockId, count }: Props) {
  const list = blockTransactionsQuery(chain.chainId, blockId)
  const query = useInfiniteQuery(list)
  const columns = useMemo(() => transactionColumns(chain, { inBlock: true }), [chain])
  const pages = useMemo(() => query.data?.pages.map((page) => page.transactions) ?? [], [query.data])
  const moved = useMovements(chain.chainId, pages)
  const rows = useMemo(() => pagedRows(moved), [moved])
  const offered = useOffers('listTransactionMovements')
  return (
    <InfiniteTable
      id="block-transactions"
      label="Transactions of the block"
      noun="transaction"
      nouns="transactions"
      query={query}
      skeleton={<TableSkeleton count={Math.min(count, 20)} />}
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      rowHref={(tx) => paths.transaction(chain.chainId, tx.txHash)}
      source={{
        name: `block-${blockId}-transactions`,
        pages: (signal) => withMovements(chain.chainId, list.all(signal), offered, signal),
      }}
      empty={null}
    />
  )
}
