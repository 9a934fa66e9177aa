import { formatInteger, formatNumber } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'
import { spanText } from '../../../lib/time.ts'

const counted: Readonly<Record<string, string>> = {
  samples: 'sample',
  events: 'event',
  blocks: 'block',
  versions: 'version',
}

/** A measured value or a threshold in the unit of its kind of rule; a dash while it is unknown. */
export function measuredText(value: number | undefined, unit: string): string {
  if (value === undefined) return '–'
  if (unit === 'seconds') return value < 0 ? `−${spanText(-value)}` : spanText(value)
  if (unit === 'percent') return `${formatNumber(value, 2)} %`
  if (unit === 'percentagePoints') return `${formatNumber(value, 2)} ${plural(value, 'point')}`
  // Beside its chain, whose token it is.
  if (unit === 'nativeTokens') return formatNumber(value, Math.abs(value) < 1_000 ? 2 : 0)
  const noun = counted[unit]
  return `${formatNumber(value, 2)} ${noun === undefined ? unit : plural(value, noun)}`
}

/** The unit of a kind for an axis or a heading. */
export const unitLabels: Readonly<Record<string, string>> = {
  seconds: 'time',
  percent: '%',
  percentagePoints: 'percentage points',
  samples: 'samples',
  events: 'events',
  blocks: 'blocks',
  versions: 'versions',
  nativeTokens: 'native token',
}

/** A count with its noun: “1 rule”, “12 rules”. */
export const countText = (count: number, noun: string, nouns?: string): string =>
  `${formatInteger(count)} ${plural(count, noun, nouns)}`

/** The units in which a form takes a length of time. */
export const timeUnits = [
  { id: 'seconds', label: 'seconds', size: 1 },
  { id: 'minutes', label: 'minutes', size: 60 },
  { id: 'hours', label: 'hours', size: 3_600 },
  { id: 'days', label: 'days', size: 86_400 },
] as const
export type TimeUnit = (typeof timeUnits)[number]['id']

/** Seconds as a whole number of their largest unit, as a form shows them: 7,200 is 2 hours. */
export function splitSeconds(seconds: number): { text: string; unit: TimeUnit } {
  const found = timeUnits.findLast(({ size }) => seconds !== 0 && seconds % size === 0)
  const { id, size } = found ?? timeUnits[1]
  return { text: String(seconds / size), unit: id }
}

/** What a form's number and unit are in seconds; undefined for something that is not a number. */
export function joinSeconds(text: string, unit: TimeUnit): number | undefined {
  const count = numberOf(text)
  const size = timeUnits.find(({ id }) => id === unit)?.size ?? 1
  return count === undefined ? undefined : Math.round(count * size)
}

/** A plain decimal number of a form; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  return /^\d{1,12}(\.\d{1,6})?$/.test(text.trim()) ? Number(text.trim()) : undefined
}
