import { DAY, HOUR, WEEK, clockText, monthName, periodStart, weekdayName } from './periods.ts'

/** A tick of the time axis: Unix seconds and its label. */
export type TimeTick = { readonly time: number; readonly label: string }

/** The marks of a value axis in the unit that is drawn, and the step between them. */
export type ValueScale = {
  readonly min: number
  readonly max: number
  readonly step: number
  readonly ticks: readonly number[]
}

const secondSteps = [HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, WEEK, 2 * WEEK] as const
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120] as const
const MEAN_MONTH = 30.44 * DAY

function dayLabel(time: number): string {
  return `${new Date(time * 1000).getUTCDate()} ${monthName(time)}`
}

function hourLabel(time: number): string {
  return periodStart(time, 'day') === time ? `${weekdayName(time)} ${dayLabel(time)}` : clockText(time)
}

function monthLabel(time: number): string {
  const date = new Date(time * 1000)
  return date.getUTCMonth() === 0 ? String(date.getUTCFullYear()) : monthName(time)
}

function fixedTicks(from: number, to: number, step: number): TimeTick[] {
  // Weeks start on Mondays; everything shorter divides a day.
  const anchor = step >= WEEK ? periodStart(from, 'week') : periodStart(from, 'day')
  const ticks: TimeTick[] = []
  for (let time = anchor; time <= to; time += step) {
    if (time < from) continue
    ticks.push({ time, label: step < DAY ? hourLabel(time) : dayLabel(time) })
  }
  return ticks
}

function monthTicks(from: number, to: number, step: number): TimeTick[] {
  const start = new Date(from * 1000)
  const ticks: TimeTick[] = []
  let month = start.getUTCFullYear() * 12 + start.getUTCMonth()
  month -= month % step
  for (;;) {
    const time = Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000
    if (time > to) return ticks
    if (time >= from)
      ticks.push({ time, label: step >= 12 ? String(Math.floor(month / 12)) : monthLabel(time) })
    month += step
  }
}

/**
 * Explicit marks for a time axis from `from` to `to` (Unix seconds), at most `max` of them, on round
 * UTC times: hours, days, Mondays, firsts of a month, years. They are given to the chart, because a
 * chart that looks for its own marks has to measure text.
 */
export function timeTicks(from: number, to: number, max: number): readonly TimeTick[] {
  if (!(to > from) || max < 1) return []
  const span = to - from
  for (const step of secondSteps) {
    if (span / step <= max) return fixedTicks(from, to, step).slice(0, max)
  }
  const step = monthSteps.find((months) => span / (months * MEAN_MONTH) <= max) ?? 120
  return monthTicks(from, to, step).slice(0, max)
}

function niceStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw))
  const unit = raw / power
  const nice = unit < 1.4 ? 1 : unit < 2.24 ? 2 : unit < 3.5 ? 2.5 : unit < 7.1 ? 5 : 10
  return nice * power
}

/** Removes what binary fractions leave behind: 0.30000000000000004 is the mark 0.3. */
function tidy(value: number, step: number): number {
  const digits = Math.max(0, Math.min(20, 3 - Math.floor(Math.log10(step))))
  return Number(value.toFixed(digits))
}

type ScaleLimits = {
  /** No mark lies above it unless a value does: 100 for shares of a whole. */
  readonly ceiling?: number
  /** Marks are whole numbers: there are no half validators. */
  readonly whole?: boolean
}

/** The step of an axis whose marks are whole numbers. */
const wholeStep = (step: number): number => (step === 2.5 ? 2 : Math.max(1, step))

/**
 * A value axis over `min` to `max` with about `count` round marks. `zero` includes 0 (sums); without it
 * the axis fits the values (prices and levels): it starts below the lowest of them, and above 0 if all are. A flat
 * series gets room above and below itself.
 */
export function valueScale(
  min: number,
  max: number,
  count: number,
  zero: boolean,
  { ceiling = Infinity, whole = false }: ScaleLimits = {},
): ValueScale {
  const given = Number.isFinite(min) && Number.isFinite(max) && max >= min
  let low = given ? min : 0
  let high = given ? max : 1
  if (zero) {
    low = Math.min(0, low)
    high = Math.max(0, high)
  }
  // Values that differ by less than a double can part into marks are flat as well.
  if (high - low <= Math.max(Math.abs(high), Math.abs(low)) * 1e-9) {
    const room = high === 0 ? 1 : Math.abs(high) * 0.1
    high += room
    if (!zero && low !== 0) low -= room
  }
  if (given && max <= ceiling) high = Math.min(high, ceiling)
  const nice = niceStep((high - low) / Math.max(1, count))
  const step = whole ? wholeStep(nice) : nice
  const first = Math.floor(low / step + 1e-9)
  const last = Math.ceil(high / step - 1e-9)
  const ticks: number[] = []
  for (let index = first; index <= last; index += 1) ticks.push(tidy(index * step, step))
  if (!zero && given && min > 0 && ticks[0] === 0) {
    const start = min - Math.min(min / 2, (high - min) / 20)
    return { min: start, max: ticks.at(-1) ?? high, step, ticks: ticks.slice(1) }
  }
  return { min: ticks[0] ?? low, max: ticks.at(-1) ?? high, step, ticks }
}
