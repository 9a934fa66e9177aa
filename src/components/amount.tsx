import type { ReactNode } from 'react'
import { exactAmount, formatAmount } from '../lib/amounts.ts'

type Props = {
  /** In the smallest unit, as a decimal string or bigint. */
  value: string | bigint
  decimals: number
  symbol?: string | undefined
  /** At most this many decimals (`formatAmount`). */
  max?: number
  /** All digits. */
  exact?: boolean
  /** Whether the unit may wrap to a second line. */
  wraps?: boolean
}

/** The unit of a figure in a row of a phone, which has no heading that says it. */
export function RowUnit({ children }: { children: ReactNode }) {
  return <span className="text-muted md:hidden"> {children}</span>
}

/** The most characters of a figure with its unit that fit on one line of a phone 320 px wide. */
const maxLineLength = 34

/** The class of a figure that stays on one line, or breaks anywhere if it is longer than the line of a phone. */
export const figureWrap = (text: string, symbol = ''): string =>
  text.length + symbol.length < maxLineLength ? 'whitespace-nowrap' : 'max-w-full break-words'

/**
 * The digits of a figure. In a column of a table they keep the space of the decimals that they lack to the longest there
 * (`useAlignedDecimals`), so that the decimal points are below each other.
 */
export const Decimal = ({ text }: { text: string }) => <span className="decimal">{text}</span>

/** An amount in its unit; the title has the exact figure when digits are left out. */
export function Amount({ value, decimals, symbol, max, exact = false, wraps = false }: Props) {
  const all = exactAmount(value, decimals)
  const text = exact ? all : formatAmount(value, decimals, max)
  return (
    <span
      className={`${wraps ? '' : figureWrap(text, symbol)} ${BigInt(value) === 0n ? 'text-muted' : ''}`}
      {...(text !== all && { title: `${all}${symbol ? ` ${symbol}` : ''}` })}
    >
      <Decimal text={text} />
      {symbol && <span className="text-muted"> {symbol}</span>}
    </span>
  )
}
