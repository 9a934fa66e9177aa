import type { Utxo } from '../../../contract/primary/fields.ts'
import type { NetworkName } from '../../api/current.ts'
import { PrimaryTxLink } from '../../components/primary-link.tsx'
import { hashColumn, textColumn, dash } from '../../components/table/column-kinds.tsx'
import { assetColumn } from '../../components/table/primary-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { WalletAddress } from '../../components/wallet-address.tsx'
import { chainAlias, chainLabel } from '../../lib/primary-chains.ts'

/** The transaction that created a UTXO; the hosted service's X-Chain records have another field for it. */
const createdIn = (utxo: Utxo): string | undefined => utxo.txHash ?? utxo.creationTxHash

/** The locktime of an output, stakeable or not; undefined for 0. */
function lockOf(utxo: Utxo): number | undefined {
  const until = BigInt(utxo.stakeableLocktime ?? utxo.platformLocktime ?? utxo.locktime ?? 0)
  return until > 0n && until < 253_402_300_800n ? Number(until) : undefined
}

/** The properties of a UTXO in a few words: staked, a reward, from another chain. */
function utxoKind(utxo: Utxo): string {
  const created = chainAlias(utxo.createdOnChainId)
  const consumed = chainAlias(utxo.consumedOnChainId)
  return [
    utxo.rewardType === undefined ? '' : 'reward',
    utxo.staked === true || utxo.utxoType === 'STAKE' ? 'staked' : '',
    utxo.stakeableLocktime !== undefined && BigInt(utxo.stakeableLocktime) > 0n ? 'stakeable lock' : '',
    utxo.asset.type === 'nft' ? 'NFT' : '',
    created !== undefined && consumed !== undefined && created !== consumed
      ? `${chainLabel(created)} to ${chainLabel(consumed)}`
      : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** The columns of the inputs (`in`) or outputs (`out`) of a transaction. */
export function utxoColumns(network: NetworkName, side: 'in' | 'out'): Column<Utxo>[] {
  const other = (utxo: Utxo): string | undefined => (side === 'in' ? createdIn(utxo) : utxo.consumingTxHash)
  const chainOf = (utxo: Utxo): string =>
    chainAlias(side === 'in' ? utxo.createdOnChainId : utxo.consumedOnChainId) ?? 'p-chain'
  return [
    {
      id: 'owners',
      header: 'Owner',
      width: '200px',
      always: true,
      narrow: 'title',
      cell: (utxo) => {
        const [first] = utxo.addresses
        if (first === undefined) return <span className="text-muted">nobody</span>
        return (
          <span className="flex min-w-0 items-center gap-1.5">
            <WalletAddress address={first} network={network} />
            {utxo.addresses.length > 1 && (
              <span className="text-xs text-muted" title={utxo.addresses.join(', ')}>
                {utxo.threshold ?? 1} of {utxo.addresses.length}
              </span>
            )}
          </span>
        )
      },
      text: (utxo) => utxo.addresses.join(' '),
    },
    assetColumn('amount', 'Amount', (utxo) => utxo.asset, { width: '220px', narrow: 'belowSide' }),
    {
      id: 'kind',
      header: 'Kind',
      width: '130px',
      narrow: 'side',
      cell: (utxo) => utxoKind(utxo) || <span className="text-muted">transfer</span>,
      text: (utxo) => utxoKind(utxo) || 'transfer',
    },
    {
      id: 'other',
      header: side === 'in' ? 'Created in' : 'Spent in',
      width: '150px',
      narrow: 'below',
      cell: (utxo) => {
        const hash = other(utxo)
        if (hash === undefined) return side === 'in' ? dash : <span className="text-muted">unspent</span>
        return <PrimaryTxLink chain={chainOf(utxo)} txHash={hash} network={network} />
      },
      text: (utxo) => other(utxo) ?? '',
    },
    {
      id: 'lock',
      header: 'Locked until',
      hidden: true,
      width: '120px',
      cell: (utxo) => {
        const until = lockOf(utxo)
        return until === undefined ? dash : <TimeAgo at={until} />
      },
      text: (utxo) => String(lockOf(utxo) ?? ''),
    },
    textColumn('index', 'Output', (utxo) => utxo.outputIndex, {
      align: 'right',
      hidden: true,
      width: '80px',
    }),
    hashColumn('utxo', 'UTXO', (utxo) => utxo.utxoId, 'UTXO ID', { hidden: true, width: '150px' }),
    textColumn('asset', 'Asset', (utxo) => utxo.asset.assetId, { hidden: true }),
  ]
}
