import { plainAmount } from '../lib/amounts.ts'
import { safeText } from '../lib/text.ts'
import { Amount } from './amount.tsx'

/** An amount of an asset: AssetAmount of the API reference. */
export type Asset = {
  assetId: string
  name: string
  symbol: string
  denomination: number
  type: string
  amount: string
}

/** The decimals of AVAX on the P- and X-Chain: amounts there are in nAVAX. */
export const avaxDecimals = 9

/** An amount of nAVAX (decimal string or bigint) in AVAX, with the exact figure in the title. */
export function Avax({
  value,
  max,
  exact = false,
  bare = false,
}: {
  value: string | bigint
  max?: number
  exact?: boolean
  bare?: boolean
}) {
  return (
    <Amount
      value={value}
      decimals={avaxDecimals}
      exact={exact}
      {...(!bare && { symbol: 'AVAX' })}
      {...(max !== undefined && { max })}
    />
  )
}

/** A short name of an asset without control characters; its id if it has no name. */
export const assetLabel = (asset: Pick<Asset, 'symbol' | 'name' | 'assetId'>): string =>
  safeText(asset.symbol, 12) || safeText(asset.name, 24) || `${asset.assetId.slice(0, 8)}…`

/** The exact amount with its asset, without separators, for exports. */
export const assetText = (asset: Asset): string =>
  `${plainAmount(asset.amount, asset.denomination)} ${assetLabel(asset)}`

type AssetAmountProps = {
  asset: Asset
  max?: number
  exact?: boolean
  /** Whether the unit may wrap to a second line. */
  wraps?: boolean
}

/** An amount of an asset in its unit (AssetAmount of the API reference); NFTs are counted. */
export function AssetAmount({ asset, max, exact = false, wraps = false }: AssetAmountProps) {
  return (
    <Amount
      value={asset.amount}
      decimals={asset.type === 'nft' ? 0 : asset.denomination}
      symbol={asset.type === 'nft' ? `${assetLabel(asset)} NFT` : assetLabel(asset)}
      exact={exact}
      wraps={wraps}
      {...(max !== undefined && { max })}
    />
  )
}
