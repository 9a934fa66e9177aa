import { exactAmount, formatAmount, formatInteger, plainAmount } from '../../lib/amounts.ts'
import { safeText } from '../../lib/text.ts'

/** The facts of a token in lists of transfers and balances. */
export type TokenFacts = {
  address: string
  name?: string | undefined
  symbol?: string | undefined
  decimals?: number | undefined
}

/** The sender of minted tokens and the receiver of burned ones. */
export const zeroAddress = `0x${'0'.repeat(40)}`

/** An NFT's id: `#12`; a long one is shortened to its first and last digits. */
export function shortId(tokenId: string): string {
  return tokenId.length <= 14 ? `#${tokenId}` : `#${tokenId.slice(0, 6)}…${tokenId.slice(-5)}`
}

/** The most decimals of a shown amount; a token may claim any number. */
const most = 77

/** The decimals of a token if they are plausible. */
export function decimalsOf({ decimals }: TokenFacts): number | undefined {
  return decimals !== undefined && decimals >= 0 && decimals <= most ? decimals : undefined
}

/** A token's symbol without control characters; empty without one. */
export const symbolOf = ({ symbol }: TokenFacts): string => (symbol === undefined ? '' : safeText(symbol, 16))

/** A token's short name: name, else symbol, else empty. */
export const nameOf = (token: TokenFacts): string =>
  (token.name === undefined ? '' : safeText(token.name, 40)) || symbolOf(token)

/** An amount of a token in its unit as rounded text; in smallest units if the decimals are unknown. */
export function amountText(value: string | bigint, token: TokenFacts): string {
  const decimals = decimalsOf(token)
  const figure = decimals === undefined ? formatInteger(value) : formatAmount(value, decimals)
  return `${figure} ${symbolOf(token) || (decimals === undefined ? 'units' : 'tokens')}`
}

/** The exact amount without separators, for exports: in the token's unit if its decimals are known. */
export function plainTokenAmount(value: string | bigint, token: TokenFacts): string {
  const decimals = decimalsOf(token)
  return decimals === undefined ? String(value) : plainAmount(value, decimals)
}

type Props = {
  /** In the smallest unit. */
  value: string | bigint
  token: TokenFacts
  withSymbol?: boolean
  /** Adds a plus to positive amounts. */
  signed?: boolean
  /** At most this many significant decimals. */
  digits?: number
}

/**
 * An amount of a token in its unit, with the exact figure in the title; in smallest units if the decimals are
 * unknown.
 */
export function TokenAmount({ value, token, withSymbol = false, signed = false, digits }: Props) {
  const decimals = decimalsOf(token)
  const symbol = symbolOf(token)
  const sign = signed && BigInt(value) > 0n ? '+' : ''
  const exact = decimals === undefined ? formatInteger(value) : exactAmount(value, decimals)
  const title =
    decimals === undefined
      ? `${exact} of the smallest unit: the token tells no decimals`
      : `${exact}${symbol && ` ${symbol}`}`
  return (
    <span
      className={`font-mono text-mono whitespace-nowrap ${BigInt(value) === 0n ? 'text-muted' : ''}`}
      title={title}
    >
      {sign}
      {decimals === undefined ? exact : formatAmount(value, decimals, digits)}
      {withSymbol && (
        <span className="text-muted"> {symbol || (decimals === undefined ? 'units' : 'tokens')}</span>
      )}
    </span>
  )
}
