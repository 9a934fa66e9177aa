import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useOffers, type NetworkName } from '../../api/current.ts'
import { primaryTransactionQuery } from '../../api/primary/transactions.ts'
import { AssetAmount } from '../../components/asset-amount.tsx'
import { PrimaryTxLink } from '../../components/primary-link.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import type { Column } from '../../components/table/columns.ts'
import { WholeTable } from '../../components/table/whole-table.tsx'
import { dash } from '../../components/table/column-kinds.tsx'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { paths } from '../../lib/paths.ts'
import { TxTypePill } from './tx-type.tsx'

type Place = { network: NetworkName; chain: PrimaryChainAlias }

/** A cell with data of the transaction; only rows near the viewport request it. */
function Cell({ id, network, chain, part }: Place & { id: string; part: 'type' | 'value' | 'burned' }) {
  // A hosted service counts every request, so its lists show the ids only.
  const own = useOffers('getNetworkOverview')
  const { data, isPending } = useQuery({ ...primaryTransactionQuery(network, chain, id), enabled: own })
  if (!own) return dash
  if (!data) return isPending ? <Skeleton width={80} /> : dash
  if (part === 'type') return <TxTypePill type={data.txType} />
  const [amount] = (part === 'value' ? data.value : data.amountBurned) ?? []
  return amount ? <AssetAmount asset={amount} /> : dash
}

function columnsOf({ network, chain }: Place): Column<string>[] {
  const place = { network, chain }
  return [
    {
      id: 'hash',
      header: 'Transaction',
      always: true,
      narrow: 'title',
      cell: (id) => <PrimaryTxLink {...place} txHash={id} />,
      text: (id) => id,
    },
    {
      id: 'type',
      header: 'Type',
      narrow: 'below',
      cell: (id) => <Cell {...place} id={id} part="type" />,
    },
    {
      id: 'value',
      header: 'Value',
      align: 'right',
      width: '186px',
      narrow: 'belowSide',
      cell: (id) => <Cell {...place} id={id} part="value" />,
    },
    {
      id: 'burned',
      header: 'Fee',
      align: 'right',
      width: '148px',
      cell: (id) => <Cell {...place} id={id} part="burned" />,
    },
  ]
}

const rowKey = (id: string): string => id

/** The transactions of a block or a vertex, given by their ids. */
export function TransactionIds({
  ids,
  network,
  chain,
  name,
  empty,
}: Place & {
  ids: readonly string[]
  /** The export's file name. */
  name: string
  empty: ReactNode
}) {
  const columns = useMemo(() => columnsOf({ network, chain }), [network, chain])
  if (ids.length === 0) return <>{empty}</>
  return (
    <WholeTable
      id="primary-transaction-ids"
      label="Transactions"
      noun="transaction"
      columns={columns}
      rows={ids}
      rowKey={rowKey}
      rowHref={(id) => paths.primaryTransaction(network, chain, id)}
      all
      file={name}
    />
  )
}
