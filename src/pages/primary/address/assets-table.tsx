import { Amount } from '../../../components/amount.tsx'
import { assetLabel } from '../../../components/asset-amount.tsx'
import { hashColumn } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { WholeTable } from '../../../components/table/whole-table.tsx'
import { plainAmount } from '../../../lib/amounts.ts'
import { chainLabel } from '../../../lib/primary-chains.ts'
import { safeText } from '../../../lib/text.ts'
import type { AssetRow } from './balances/buckets.ts'
import type { Wallet } from './owners.ts'

type Part = 'free' | 'bound' | 'moving'

const decimalsOf = ({ asset }: AssetRow): number => (asset.type === 'nft' ? 0 : asset.denomination)

const part = (id: Part, header: string, narrow?: Column<AssetRow>['narrow']): Column<AssetRow> => ({
  id,
  header,
  align: 'right',
  width: '222px',
  ...(narrow && { narrow }),
  cell: (row) =>
    row[id] === 0n ? (
      <span className="text-muted">0</span>
    ) : (
      <Amount value={row[id]} decimals={decimalsOf(row)} />
    ),
  text: (row) => plainAmount(row[id], decimalsOf(row)),
})

const columns: readonly Column<AssetRow>[] = [
  {
    id: 'asset',
    header: 'Asset',
    always: true,
    narrow: 'title',
    cell: ({ asset }) => (
      <span className="inline-flex max-w-full items-center gap-2">
        <span className="truncate font-strong">{assetLabel(asset)}</span>
        <span className="truncate text-muted">{safeText(asset.name, 40)}</span>
        {asset.type === 'nft' && <span className="text-muted">NFT</span>}
      </span>
    ),
    text: ({ asset }) => safeText(asset.name),
  },
  hashColumn('id', 'Asset ID', ({ asset }) => asset.assetId, 'asset ID', { width: '180px', narrow: 'below' }),
  {
    id: 'chain',
    header: 'Chain',
    width: '100px',
    narrow: 'belowSide',
    cell: ({ chain }) => chainLabel(chain),
    text: ({ chain }) => chain,
  },
  part('free', 'Free', 'side'),
  part('bound', 'Locked or staked'),
  part('moving', 'In transit'),
]

const rowKey = (row: AssetRow): string => row.key

/** Assets other than AVAX: tokens and NFTs of the X-Chain, staking tokens of subnets. */
export function AssetsTable({ wallet, rows }: { wallet: Wallet; rows: readonly AssetRow[] }) {
  return (
    <WholeTable
      id="wallet-assets"
      label="Other assets of the wallet"
      noun="asset"
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      file={`assets-${wallet.owners[0] ?? ''}`}
    />
  )
}
