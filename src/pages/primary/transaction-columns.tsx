import type { PrimaryTransaction } from '../../../contract/primary/transactions.ts'
import type { NetworkName } from '../../api/current.ts'
import { AssetAmount, assetText, type Asset } from '../../components/asset-amount.tsx'
import { NodeId } from '../../components/node-id.tsx'
import {
  BlockchainLink,
  PrimaryBlockLink,
  PrimaryTxLink,
  SubnetLink,
} from '../../components/primary-link.tsx'
import { textColumn, timeColumn, dash } from '../../components/table/column-kinds.tsx'
import { primaryTxColumn } from '../../components/table/primary-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { safeText } from '../../lib/text.ts'
import { TxTypePill } from './tx-type.tsx'

/** When a transaction was accepted; the hosted service's X-Chain records have another field for it. */
export const timeOf = (tx: PrimaryTransaction): number | undefined => tx.blockTimestamp ?? tx.timestamp

/** The height of a transaction's block; undefined for one of a vertex. */
export const heightOf = (tx: PrimaryTransaction): string | undefined =>
  tx.blockNumber ?? (tx.blockHeight === undefined ? undefined : String(tx.blockHeight))

/** Amounts of several assets: the first in full, the number of others. */
export function AssetAmounts({ assets }: { assets: readonly Asset[] | undefined }) {
  const [first, ...others] = assets ?? []
  if (!first) return dash
  return (
    <span className="inline-flex max-w-full items-center">
      <AssetAmount asset={first} />
      {others.length > 0 && (
        <span className="more w-[3.5ch] pl-1 text-xs text-muted" title={others.map(assetText).join(', ')}>
          +{others.length}
        </span>
      )}
    </span>
  )
}

/** The subject of a transaction in one line: its node, subnet or chains. */
export function Subject({ tx, network }: { tx: PrimaryTransaction; network: NetworkName }) {
  if (tx.blockchainInfo !== undefined)
    return <span className="truncate">{safeText(tx.blockchainInfo.chainName, 40)}</span>
  if (tx.nodeId !== undefined) return <NodeId nodeId={tx.nodeId} network={network} />
  const [change] = tx.l1ValidatorDetails ?? []
  if (change) return <NodeId nodeId={change.nodeId} network={network} />
  if (tx.assetCreated) return <span className="truncate">{safeText(tx.assetCreated.name, 40)}</span>
  if (tx.txType === 'ImportTx' && tx.sourceChain !== undefined)
    return (
      <span>
        <span className="text-muted">from </span>
        <BlockchainLink blockchainId={tx.sourceChain} network={network} />
      </span>
    )
  if (tx.txType === 'ExportTx' && tx.destinationChain !== undefined)
    return (
      <span>
        <span className="text-muted">to </span>
        <BlockchainLink blockchainId={tx.destinationChain} network={network} />
      </span>
    )
  if (tx.stakingTxHash !== undefined)
    return (
      <span>
        <span className="text-muted">of </span>
        <PrimaryTxLink chain="p-chain" txHash={tx.stakingTxHash} network={network} />
      </span>
    )
  if (tx.subnetId !== undefined) return <SubnetLink subnetId={tx.subnetId} network={network} />
  return dash
}

/** The subject as text; empty without one. */
export const subjectText = (tx: PrimaryTransaction): string =>
  tx.blockchainInfo?.chainName ??
  tx.nodeId ??
  tx.l1ValidatorDetails?.[0]?.nodeId ??
  tx.assetCreated?.name ??
  (tx.txType === 'ImportTx' ? tx.sourceChain : undefined) ??
  (tx.txType === 'ExportTx' ? tx.destinationChain : undefined) ??
  tx.stakingTxHash ??
  tx.subnetId ??
  ''

const texts = (assets: readonly Asset[] | undefined): string => (assets ?? []).map(assetText).join('; ')

/** The columns of a list of transactions of a primary network chain. */
export function primaryTransactionColumns(
  network: NetworkName,
  chain: PrimaryChainAlias,
): Column<PrimaryTransaction>[] {
  return [
    primaryTxColumn('hash', 'Transaction', (tx) => tx.txHash, network, chain, {
      always: true,
      width: '164px',
      narrow: 'title',
    }),
    {
      id: 'type',
      header: 'Type',
      width: '236px',
      narrow: 'below',
      cell: (tx) => <TxTypePill type={tx.txType} />,
      text: (tx) => tx.txType,
    },
    timeColumn('age', 'Time', (tx) => timeOf(tx), { width: '116px', narrow: 'side' }),
    {
      id: 'block',
      header: 'Block',
      width: '96px',
      cell: (tx) => {
        const height = heightOf(tx)
        return height === undefined ? (
          dash
        ) : (
          <PrimaryBlockLink network={network} chain={chain} height={height} />
        )
      },
      text: (tx) => heightOf(tx) ?? '',
    },
    {
      id: 'subject',
      header: 'About',
      cell: (tx) => <Subject tx={tx} network={network} />,
      text: subjectText,
    },
    textColumn(
      'utxos',
      'UTXOs in → out',
      (tx) => `${tx.consumedUtxos?.length ?? 0} → ${tx.emittedUtxos?.length ?? 0}`,
      { align: 'right', hidden: true, width: '124px' },
    ),
    {
      id: 'value',
      header: 'Value',
      align: 'right',
      width: '196px',
      narrow: 'belowSide',
      cell: (tx) => <AssetAmounts assets={tx.value} />,
      text: (tx) => texts(tx.value),
    },
    {
      id: 'burned',
      header: 'Fee',
      align: 'right',
      width: '164px',
      cell: (tx) => <AssetAmounts assets={tx.amountBurned} />,
      text: (tx) => texts(tx.amountBurned),
    },
    {
      id: 'source',
      header: 'Source',
      hidden: true,
      width: '110px',
      cell: (tx) => (tx.sourceChain === undefined ? dash : (chainLabel(tx.sourceChain) ?? tx.sourceChain)),
      text: (tx) => tx.sourceChain ?? '',
    },
    {
      id: 'destination',
      header: 'Destination',
      hidden: true,
      width: '110px',
      cell: (tx) =>
        tx.destinationChain === undefined ? dash : (chainLabel(tx.destinationChain) ?? tx.destinationChain),
      text: (tx) => tx.destinationChain ?? '',
    },
  ]
}
