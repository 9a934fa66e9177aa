import type { Utxo } from '../../../../contract/primary/fields.ts'
import type { NetworkName } from '../../../api/current.ts'
import { Hash } from '../../../components/hash.tsx'
import { useNow } from '../../../components/hooks.ts'
import { Pill, type PillState } from '../../../components/pill.tsx'
import { PrimaryTxLink } from '../../../components/primary-link.tsx'
import { hashColumn, textColumn, timeColumn, dash } from '../../../components/table/column-kinds.tsx'
import { assetColumn } from '../../../components/table/primary-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { WalletAddress } from '../../../components/wallet-address.tsx'
import { chainAlias, chainLabel } from '../../../lib/primary-chains.ts'
import { Until, untilText } from '../../shared/until.tsx'
import { utxoState, type UtxoState } from './utxo-state.ts'

const looks: Readonly<Record<UtxoState['id'], { pill: PillState; text: string; title: string }>> = {
  spent: { pill: 'ended', text: 'spent', title: 'A later transaction consumed it' },
  staked: { pill: 'active', text: 'staked', title: 'Staked; unlocks when the staking period ends' },
  pending: { pill: 'pending', text: 'to be staked', title: 'Its staking has not begun' },
  locked: { pill: 'stale', text: 'locked', title: 'Can neither be spent nor staked before its time' },
  stakeable: { pill: 'stale', text: 'locked, may be staked', title: 'Can be staked, but not spent' },
  moving: { pill: 'pending', text: 'in transit', title: 'Exported and not imported yet' },
  free: { pill: 'ok', text: 'free', title: 'Can be spent at once' },
}

const createdAt = (utxo: Utxo): number | undefined => utxo.blockTimestamp ?? utxo.timestamp
const createdBy = (utxo: Utxo): string | undefined => utxo.txHash ?? utxo.creationTxHash
const consumedAt = (utxo: Utxo): number | undefined =>
  utxo.consumingBlockTimestamp ?? utxo.consumingTxTimestamp

function State({ utxo }: { utxo: Utxo }) {
  const { id } = utxoState(utxo, useNow(60))
  const { pill, text, title } = looks[id]
  return (
    <Pill state={pill} title={title}>
      {text}
    </Pill>
  )
}

function StateUntil({ utxo }: { utxo: Utxo }) {
  const { until } = utxoState(utxo, useNow(60))
  return until === undefined ? dash : <Until at={until} />
}

const now = (): number => Math.floor(Date.now() / 1000)

/** The columns of a list of UTXOs. */
export function utxoColumns(network: NetworkName): Column<Utxo>[] {
  return [
    {
      id: 'output',
      header: 'Created by',
      always: true,
      width: '200px',
      narrow: 'title',
      cell: (utxo) => {
        const hash = createdBy(utxo)
        const chain = chainAlias(utxo.createdOnChainId)
        return (
          <span className="inline-flex max-w-full min-w-0 items-center gap-1">
            {hash === undefined || chain === undefined ? (
              <Hash value={hash ?? utxo.utxoId} name="transaction ID" />
            ) : (
              <PrimaryTxLink chain={chain} txHash={hash} network={network} />
            )}
            <span className="text-muted" title="Place among the outputs">
              #{utxo.outputIndex}
            </span>
          </span>
        )
      },
      text: (utxo) => createdBy(utxo) ?? '',
    },
    textColumn('index', 'Output', (utxo) => utxo.outputIndex, {
      hidden: true,
      width: '80px',
      align: 'right',
    }),
    hashColumn('utxo', 'UTXO ID', (utxo) => utxo.utxoId, 'UTXO ID', { hidden: true, width: '180px' }),
    assetColumn('amount', 'Amount', (utxo) => utxo.asset, {
      width: '216px',
      narrow: 'belowSide',
    }),
    {
      id: 'state',
      header: 'State',
      width: '190px',
      narrow: 'below',
      cell: (utxo) => <State utxo={utxo} />,
      text: (utxo) => looks[utxoState(utxo, now()).id].text,
    },
    {
      id: 'until',
      header: 'Until',
      width: '120px',
      narrow: 'side',
      cell: (utxo) => <StateUntil utxo={utxo} />,
      text: (utxo) => {
        const { until } = utxoState(utxo, now())
        return until === undefined ? '' : untilText(until)
      },
    },
    timeColumn('created', 'Created', (utxo) => createdAt(utxo), { width: '110px' }),
    {
      id: 'chains',
      header: 'From and to',
      hidden: true,
      width: '170px',
      cell: (utxo) =>
        [utxo.createdOnChainId, utxo.consumedOnChainId].map((id) => chainLabel(id) ?? id).join(' → '),
      text: (utxo) => `${utxo.createdOnChainId} ${utxo.consumedOnChainId}`,
    },
    {
      id: 'owners',
      header: 'Owners',
      hidden: true,
      width: '220px',
      cell: ({ addresses, threshold }) => {
        const [first] = addresses
        if (first === undefined) return dash
        if (addresses.length === 1) return <WalletAddress address={first} network={network} />
        return (
          <span title={addresses.join('\n')}>
            {threshold ?? 1} of {addresses.length}
          </span>
        )
      },
      text: ({ addresses }) => addresses.join(' '),
    },
    {
      id: 'threshold',
      header: 'Signatures needed',
      hidden: true,
      align: 'right',
      width: '140px',
      cell: ({ threshold }) => threshold ?? dash,
      text: ({ threshold }) => (threshold === undefined ? '' : String(threshold)),
    },
    {
      id: 'consumed',
      header: 'Spent by',
      width: '200px',
      cell: (utxo) => {
        const hash = utxo.consumingTxHash
        const chain = chainAlias(utxo.consumedOnChainId)
        if (!hash) return dash
        return chain === undefined ? (
          <Hash value={hash} name="transaction ID" />
        ) : (
          <PrimaryTxLink chain={chain} txHash={hash} network={network} />
        )
      },
      text: (utxo) => utxo.consumingTxHash ?? '',
    },
    timeColumn('consumedAt', 'Spent', (utxo) => consumedAt(utxo), { hidden: true, width: '110px' }),
  ]
}
