import type { PrimaryTransaction } from '../../../../contract/primary/transactions.ts'
import { Amount } from '../../../components/amount.tsx'
import { AssetAmount, assetLabel, assetText } from '../../../components/asset-amount.tsx'
import { PrimaryBlockLink } from '../../../components/primary-link.tsx'
import { timeColumn, dash } from '../../../components/table/column-kinds.tsx'
import { nodeColumn, primaryTxColumn } from '../../../components/table/primary-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { exactAmount, plainAmount } from '../../../lib/amounts.ts'
import type { PrimaryChainAlias } from '../../../../contract/primary/chains.ts'
import { TxTypePill } from '../tx-type.tsx'
import { effectsOf, heightOf, timeOf, type Effect } from './effects.ts'
import type { Wallet } from './owners.ts'

const decimalsOf = ({ asset }: Effect): number => (asset.type === 'nft' ? 0 : asset.denomination)
const exactText = (effect: Effect): string =>
  `${effect.amount > 0n ? '+' : ''}${exactAmount(effect.amount, decimalsOf(effect))} ${assetLabel(effect.asset)}`

/** The effects of a transaction: the first asset in the cell and all of them in the title. */
function Effects({ effects }: { effects: readonly Effect[] }) {
  const [first] = effects
  if (first === undefined) return <span className="text-muted">no change</span>
  const rest = effects.length - 1
  return (
    <span
      className="inline-flex max-w-full items-center justify-end gap-2"
      {...(rest > 0 && { title: effects.map(exactText).join('\n') })}
    >
      <span className={`truncate ${first.amount > 0n ? 'text-ok' : ''}`}>
        {first.amount > 0n && '+'}
        <Amount value={first.amount} decimals={decimalsOf(first)} symbol={assetLabel(first.asset)} />
      </span>
      {rest > 0 && <span className="shrink-0 text-muted">and {rest} more</span>}
    </span>
  )
}

type Assets = PrimaryTransaction['amountStaked']

const amounts = (assets: Assets) => {
  const [first] = assets ?? []
  return first && first.amount !== '0' ? <AssetAmount asset={first} /> : dash
}
const amountsText = (assets: Assets): string => (assets ?? []).map(assetText).join('; ')

/** The columns of a wallet's transactions on one chain. */
export function walletTransactionColumns(
  { network, owners }: Wallet,
  chain: PrimaryChainAlias,
): Column<PrimaryTransaction>[] {
  return [
    primaryTxColumn('hash', 'Transaction', (tx) => tx.txHash, network, chain, {
      always: true,
      width: '162px',
      narrow: 'title',
    }),
    {
      id: 'type',
      header: 'Type',
      width: '228px',
      narrow: 'below',
      cell: (tx) => <TxTypePill type={tx.txType} />,
      text: (tx) => tx.txType,
    },
    {
      id: 'block',
      header: 'Block',
      width: '100px',
      cell: (tx) => {
        const height = heightOf(tx)
        return height === undefined ? (
          <span className="text-muted">vertex</span>
        ) : (
          <PrimaryBlockLink chain={chain} height={height} network={network} />
        )
      },
      text: (tx) => heightOf(tx) ?? '',
    },
    timeColumn('age', 'Time', (tx) => timeOf(tx), { width: '110px', narrow: 'side' }),
    {
      id: 'change',
      header: 'In and out',
      align: 'right',
      width: '190px',
      narrow: 'belowSide',
      cell: (tx) => <Effects effects={effectsOf(tx, owners)} />,
      text: (tx) =>
        effectsOf(tx, owners)
          .map((effect) => `${plainAmount(effect.amount, decimalsOf(effect))} ${assetLabel(effect.asset)}`)
          .join('; '),
    },
    {
      id: 'staked',
      header: 'Staked',
      align: 'right',
      width: '170px',
      cell: (tx) => amounts(tx.amountStaked),
      text: (tx) => amountsText(tx.amountStaked),
    },
    {
      id: 'burned',
      header: 'Fee',
      align: 'right',
      width: '176px',
      cell: (tx) => amounts(tx.amountBurned),
      text: (tx) => amountsText(tx.amountBurned),
    },
    nodeColumn('node', 'Node', (tx) => tx.nodeId, network, { hidden: true, width: '170px' }),
  ]
}
