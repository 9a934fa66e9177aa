import { exactAmount, formatAmount, formatInteger, plainAmount } from '../../lib/amounts.ts'
import { safeText } from '../../lib/text.ts'

/** What is known of a token, as lists of transfers and balances have it. */
export type TokenFacts = {
  address: string
  name?: string | undefined
  symbol?: string | undefined
  decimals?: number | undefined
}

/** Where tokens come from when they are minted, and go to when they are burned. */
export const zeroAddress = `0x${'0'.repeat(40)}`

/** An NFT's id for reading: `#12`; an id of many digits as its first and last ones. */
export function shortId(tokenId: string): string {
  return tokenId.length <= 14 ? `#${tokenId}` : `#${tokenId.slice(0, 6)}…${tokenId.slice(-5)}`
}

/** Decimals that a figure can be shown with; a token may claim any number. */
const most = 77

/** The decimals of a token where they make sense. */
export function decimalsOf({ decimals }: TokenFacts): number | undefined {
  return decimals !== undefined && decimals >= 0 && decimals <= most ? decimals : undefined
}

/** A token's symbol without what would turn or hide it; empty when it has none. */
export const symbolOf = ({ symbol }: TokenFacts): string => (symbol === undefined ? '' : safeText(symbol, 16))

/** A token's name in few words: name, else symbol, else nothing. */
export const nameOf = (token: TokenFacts): string =>
  (token.name === undefined ? '' : safeText(token.name, 40)) || symbolOf(token)

/** An amount of a token as text in its unit, rounded for reading; in smallest units where the token tells no decimals. */
export function amountText(value: string | bigint, token: TokenFacts): string {
  const decimals = decimalsOf(token)
  const figure = decimals === undefined ? formatInteger(value) : formatAmount(value, decimals)
  return `${figure} ${symbolOf(token) || (decimals === undefined ? 'units' : 'tokens')}`
}

/** The exact amount without separators, for exports: in the token's unit where it tells its decimals. */
export function plainTokenAmount(value: string | bigint, token: TokenFacts): string {
  const decimals = decimalsOf(token)
  return decimals === undefined ? String(value) : plainAmount(value, decimals)
}

type Props = {
  /** In the smallest unit. */
  value: string | bigint
  token: TokenFacts
  withSymbol?: boolean
  /** Writes a plus before what is above zero. */
  signed?: boolean
}

/** An amount of a token in its unit, the exact figure in the title; smallest units where it tells no decimals. */
export function TokenAmount({ value, token, withSymbol = false, signed = false }: Props) {
  const decimals = decimalsOf(token)
  const symbol = symbolOf(token)
  const sign = signed && BigInt(value) > 0n ? '+' : ''
  const exact = decimals === undefined ? formatInteger(value) : exactAmount(value, decimals)
  const title =
    decimals === undefined
      ? `${exact} of the smallest unit: the token tells no decimals`
      : `${exact}${symbol && ` ${symbol}`}`
  return (
    <span className="font-mono text-mono whitespace-nowrap" title={title}>
      {sign}
      {decimals === undefined ? exact : formatAmount(value, decimals)}
      {withSymbol && (
        <span className="text-muted"> {symbol || (decimals === undefined ? 'units' : 'tokens')}</span>
      )}
    </span>
  )
}
