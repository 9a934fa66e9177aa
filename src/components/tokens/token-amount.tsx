import { decimalsOf, unitName } from '../../../protocol/evm/token-units.ts'
import { exactAmount, formatAmount, formatInteger, plainAmount } from '../../lib/amounts.ts'
import { safeText } from '../../lib/text.ts'
import { Decimal, figureWrap } from '../amount.tsx'

/** The facts of a token in lists of transfers and balances. */
export type TokenFacts = {
  address: string
  name?: string | undefined
  symbol?: string | undefined
  decimals?: number | undefined
  /** Tells NFTs, which are counted whole. */
  ercType?: string | undefined
}

/** The sender of minted tokens and the receiver of burned ones. */
export const zeroAddress = `0x${'0'.repeat(40)}`

/** An NFT's id: `#12`; a long one is shortened to its first and last digits. */
export function shortId(tokenId: string): string {
  return tokenId.length <= 14 ? `#${tokenId}` : `#${tokenId.slice(0, 6)}…${tokenId.slice(-5)}`
}

/** An NFT, or a range of them that one log moved (ERC-2309). */
type Ids = { readonly tokenId: string; readonly lastTokenId?: string | undefined }

/** The id of an NFT, or both ends of a range: `#1–#5000`. */
export const idsText = ({ tokenId, lastTokenId }: Ids): string =>
  lastTokenId === undefined ? shortId(tokenId) : `${shortId(tokenId)}–${shortId(lastTokenId)}`

/** The same for an export and a title, with all digits. */
export const plainIds = ({ tokenId, lastTokenId }: Ids): string =>
  lastTokenId === undefined ? tokenId : `${tokenId}-${lastTokenId}`

/** The number of NFTs. */
export const countOfIds = ({ tokenId, lastTokenId = tokenId }: Ids): bigint =>
  BigInt(lastTokenId) - BigInt(tokenId) + 1n

/** Why the amounts of a token are not shown in units: undefined if they are. */
export function whyNoUnits(token: TokenFacts): string | undefined {
  if (decimalsOf(token) !== undefined) return undefined
  return token.decimals === undefined
    ? 'the token does not tell its decimals'
    : `the token tells ${token.decimals} decimals, more than an amount has digits`
}

/** The unit behind an amount of a token: its symbol, or that these are its smallest units. */
export const unitOf = (token: TokenFacts): string => unitName({ ...token, symbol: symbolOf(token) })

/** A token's symbol without control characters; empty without one. */
export const symbolOf = ({ symbol }: TokenFacts): string => (symbol === undefined ? '' : safeText(symbol, 16))

/** A token's short name: name, else symbol, else empty. */
export const nameOf = (token: TokenFacts): string =>
  (token.name === undefined ? '' : safeText(token.name, 40)) || symbolOf(token)

/** An amount of a token in its unit as rounded text; in smallest units if the decimals are unknown. */
export function amountText(value: string | bigint, token: TokenFacts): string {
  const decimals = decimalsOf(token)
  const figure = decimals === undefined ? formatInteger(value) : formatAmount(value, decimals)
  return `${figure} ${unitOf(token)}`
}

/** The exact amount without separators, for exports; it says so where it counts smallest units. */
export function plainTokenAmount(value: string | bigint, token: TokenFacts): string {
  const decimals = decimalsOf(token)
  return decimals === undefined ? `${value} smallest units` : plainAmount(value, decimals)
}

/** The exact amount with its unit, for exports. */
export function plainWithUnit(value: string | bigint, token: TokenFacts): string {
  const decimals = decimalsOf(token)
  return `${decimals === undefined ? value : plainAmount(value, decimals)} ${unitOf(token)}`
}

type Props = {
  /** In the smallest unit. */
  value: string | bigint
  token: TokenFacts
  withSymbol?: boolean
  /** Adds a plus to positive amounts. */
  signed?: boolean
  /** At most this many decimals (`formatAmount`). */
  digits?: number
}

/**
 * An amount of a token in its unit, with the exact figure in the title; in smallest units if the decimals are
 * unknown.
 */
export function TokenAmount({ value, token, withSymbol = false, signed = false, digits }: Props) {
  const decimals = decimalsOf(token)
  const symbol = symbolOf(token)
  const why = whyNoUnits(token)
  const sign = signed && BigInt(value) > 0n ? '+' : ''
  const exact = decimals === undefined ? formatInteger(value) : exactAmount(value, decimals)
  const title = why === undefined ? `${exact}${symbol && ` ${symbol}`}` : `${exact} ${unitOf(token)}: ${why}`
  const text = sign + (decimals === undefined ? exact : formatAmount(value, decimals, digits))
  // Without a word the figure would read as one in units.
  const unit = withSymbol ? unitOf(token) : why === undefined ? '' : 'smallest units'
  return (
    <span className={`${figureWrap(text, unit)} ${BigInt(value) === 0n ? 'text-muted' : ''}`} title={title}>
      <Decimal text={text} />
      {unit !== '' && <span className="text-muted"> {unit}</span>}
    </span>
  )
}
