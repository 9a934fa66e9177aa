import { minus } from '../../charts/series/minus.ts'

type Whole = bigint | number | string

/** The sign of a change: empty for 0. */
export const signOf = (value: bigint): string => (value > 0n ? '+' : value < 0n ? minus : '')

const group = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')

/** An integer with thousands separators; other text is returned unchanged. */
export function formatInteger(value: Whole): string {
  const text = String(value)
  const match = /^(-?)0*(\d+)$/.exec(text)
  return match ? `${match[1] === '-' ? minus : ''}${group(match[2] ?? '')}` : text
}

/** An amount in the smallest unit, as whole and fractional digits of its unit. Exact. */
function split(raw: Whole, decimals: number): { below: boolean; whole: string; fraction: string } {
  const value = BigInt(raw)
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const at = digits.length - decimals
  return {
    below: value < 0n,
    whole: digits.slice(0, at),
    fraction: digits.slice(at).replace(/0+$/, ''),
  }
}

/** The exact decimal text of an amount in the smallest unit, with thousands separators. */
export function exactAmount(raw: Whole, decimals: number): string {
  const { below, whole, fraction } = split(raw, decimals)
  return `${below ? minus : ''}${group(whole)}${fraction && `.${fraction}`}`
}

/** The exact decimal text without separators, for exports and inputs. */
export function plainAmount(raw: Whole, decimals: number): string {
  const { below, whole, fraction } = split(raw, decimals)
  return `${below ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

/** The most digits of an amount for reading: beside more of them nobody sees which amount is larger. */
const significant = 6

/**
 * An amount in the smallest unit (decimal string or bigint) in its unit: thousands separators, all digits of the integer
 * part, and decimals up to six significant digits in all, but at most `max`; they count from the first non-zero one if the
 * integer part is 0. Rounds half up with integers; never in scientific notation. With all digits: `exactAmount`.
 */
export function formatAmount(raw: Whole, decimals: number, max = significant): string {
  const { below, whole, fraction } = split(raw, decimals)
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0
  const keep = whole === '0' ? zeros + max : Math.min(max, Math.max(0, significant - whole.length))
  if (fraction.length <= keep) return exactAmount(raw, decimals)
  const cut = 10n ** BigInt(decimals - keep)
  const value = BigInt(raw)
  const size = value < 0n ? -value : value
  const rounded = ((size + cut / 2n) / cut) * cut
  return `${below ? minus : ''}${exactAmount(rounded, decimals)}`
}

/** Wei as gwei. */
export function formatGwei(wei: Whole, max = 4): string {
  return formatAmount(wei, 9, max)
}

/** A share in percent with one decimal, computed with integers: `12.5`. Empty for a whole of 0. */
export function formatShare(part: Whole, whole: Whole): string {
  const total = BigInt(whole)
  if (total === 0n) return ''
  const tenths = (BigInt(part) * 1000n + total / 2n) / total
  return `${group((tenths / 10n).toString())}.${(tenths % 10n).toString()}`
}

/**
 * A measured number (rates, seconds) with at most `max` decimals, counted from the first non-zero one if the
 * integer part is 0; thousands separators, no exponent.
 */
export function formatNumber(value: number, max = 2): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  const zeros = size > 0 && size < 1 ? Math.max(0, Math.ceil(-Math.log10(size)) - 1) : 0
  const [whole = '0', fraction = ''] = size.toFixed(Math.min(12, max + zeros)).split('.')
  const rest = fraction.replace(/0+$/, '')
  return `${value < 0 ? minus : ''}${group(whole)}${rest && `.${rest}`}`
}
