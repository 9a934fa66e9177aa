import { minus } from './minus.ts'
import { DAY } from './periods.ts'
import type { SeriesValue } from './series.ts'

/**
 * How a series is written. `decimals` is the power of ten between the value as sent and the unit as
 * shown (wei: 9 for gwei, the chain's own for its token); `symbol` stands behind the figure.
 */
export type Unit = {
  readonly symbol: string
  readonly decimals: number
}

/** Digits are grouped by threes with a comma, whatever the machine's locale. */
function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

function join(negative: boolean, whole: string, fraction: string): string {
  return `${negative ? minus : ''}${grouped(whole)}${fraction === '' ? '' : `.${fraction}`}`
}

/** A decimal text without exponent: 1e-7 is 0.0000001, at most 15 significant digits. */
function plain(value: number): string {
  if (value === 0) return '0'
  const places = Math.max(0, Math.min(100, 14 - Math.floor(Math.log10(Math.abs(value)))))
  const text = value.toFixed(places)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function shiftLeft(value: bigint, decimals: number): { whole: string; fraction: string } {
  const digits = value.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : digits.slice(digits.length - decimals).replace(/0+$/, '')
  return { whole, fraction }
}

/**
 * Every digit of the value in the unit that is shown, without thousands separators: for CSV. Whole
 * values are exact at any size; fractions keep the 15 digits that a double has.
 */
export function exactDigits(value: SeriesValue, decimals: number): string {
  const whole = typeof value === 'bigint' ? value : Number.isInteger(value) ? BigInt(value) : null
  if (whole === null) {
    const shown = Number(value) / 10 ** decimals
    return plain(shown)
  }
  const negative = whole < 0n
  const { whole: head, fraction } = shiftLeft(negative ? -whole : whole, decimals)
  return `${negative ? '-' : ''}${head}${fraction === '' ? '' : `.${fraction}`}`
}

/** Like `exactDigits` with thousands separators and a true minus sign: for tooltips and tables. */
export function exactText(value: SeriesValue, decimals: number): string {
  const digits = exactDigits(value, decimals)
  const negative = digits.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? digits.slice(1) : digits).split('.')
  return join(negative, whole, fraction)
}

/** Decimal digits rounded half away from zero to `places` digits of the fraction, without trailing zeros. */
function roundedDigits(digits: string, places: number): { whole: string; fraction: string } {
  const [whole = '0', fraction = ''] = digits.split('.')
  if (fraction.length <= places) return { whole, fraction }
  const kept = BigInt(whole + fraction.slice(0, places)) + ((fraction[places] ?? '0') >= '5' ? 1n : 0n)
  const { whole: head, fraction: rest } = shiftLeft(kept, places)
  return { whole: head, fraction: rest }
}

/** How many digits of the fraction say something of a value of this size in this unit. */
function placesFor(size: number, { symbol, decimals }: Unit): number {
  if (size === 0) return 0
  const three = Math.max(0, 2 - Math.floor(Math.log10(size)))
  if (symbol === '%') {
    // A share that is not the whole must not read as 100 %.
    if (size < 100 && size >= 99.95) return Math.min(12, Math.ceil(-Math.log10(100 - size)))
    return size >= 1 ? 1 : three
  }
  if (decimals === 0) return three
  return size >= 1 ? Math.min(3, Math.max(0, 5 - Math.floor(Math.log10(size)))) : three
}

/**
 * A value for reading, by kind: counts whole, rates and means with three digits, percentages with one digit of the
 * fraction, amounts with up to three of them and six digits in all. The exact value is `exactText`.
 */
export function figureText(value: SeriesValue, unit: Unit): string {
  const digits = exactDigits(value, unit.decimals)
  const negative = digits.startsWith('-')
  const positive = negative ? digits.slice(1) : digits
  const { whole, fraction } = roundedDigits(positive, placesFor(Number(positive), unit))
  return join(negative && Number(`${whole}.${fraction}`) !== 0, whole, fraction)
}

/** The words of units for one of them. Symbols of tokens stay as they are. */
const singular: ReadonlyMap<string, string> = new Map(
  Object.entries({
    addresses: 'address',
    blockchains: 'blockchain',
    contracts: 'contract',
    delegations: 'delegation',
    deployers: 'deployer',
    L1s: 'L1',
    messages: 'message',
    subnets: 'subnet',
    tokens: 'token',
    UTXOs: 'UTXO',
    validators: 'validator',
  }),
)

/** "1,234.5 AVAX": a text with its unit. */
export function withUnit(text: string, unit: Unit): string {
  if (unit.symbol === '') return text
  return `${text} ${text === '1' ? (singular.get(unit.symbol) ?? unit.symbol) : unit.symbol}`
}

const scales = [
  { size: 1e12, suffix: 'T' },
  { size: 1e9, suffix: 'B' },
  { size: 1e6, suffix: 'M' },
  { size: 1e3, suffix: 'k' },
] as const

/**
 * A short label of a drawn value: 1.2k, 3.45M, 0.0012. `step` is the distance between two marks of the
 * axis, so that neighbours never get the same label; without it three digits are kept.
 */
export function shortText(value: number, step?: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  const scale = scales.find((candidate) => size >= candidate.size)
  const divisor = scale?.size ?? 1
  const shown = value / divisor
  const places =
    step === undefined
      ? Math.max(0, 2 - Math.floor(Math.log10(Math.abs(shown))))
      : Math.max(0, Math.ceil(-Math.log10(step / divisor) - 1e-9) + (hasHalf(step / divisor) ? 1 : 0))
  const fixed = Math.abs(shown).toFixed(Math.min(20, places))
  const text = fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed
  const [whole = '0', fraction = ''] = text.split('.')
  return `${join(value < 0, whole, fraction)}${scale?.suffix ?? ''}`
}

/** The mean of a day's count in a second, with three digits. */
export const perSecond = (ofDay: string | number): string =>
  figureText(Number(ofDay) / DAY, { symbol: '', decimals: 0 })

/** Steps of 2.5 and 0.25 need one digit more than their size says. */
function hasHalf(step: number): boolean {
  const unit = step / 10 ** Math.floor(Math.log10(step) + 1e-9)
  return Math.abs(unit - 2.5) < 1e-6
}

/** "+4.2 %", "−12 %", "±0 %": a relative change, rounded to a tenth; below one per cent to a hundredth. */
export function percentText(relative: number): string {
  const percent = relative * 100
  const size = Math.abs(percent)
  if (size < 0.005) return '±0 %'
  const places = size >= 100 ? 0 : size >= 1 ? 1 : 2
  const fixed = size.toFixed(places)
  const [whole = '0', fraction = ''] = fixed.split('.')
  return `${percent < 0 ? minus : '+'}${grouped(whole)}${fraction === '' ? '' : `.${fraction}`} %`
}
