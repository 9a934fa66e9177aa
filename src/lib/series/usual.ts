import { formatInteger } from '../amounts.ts'
import { percentText } from '../../../charts/series/units.ts'
import { DAY, HOUR, periodStart } from '../../../charts/series/periods.ts'
import type { SeriesPoint } from '../../../charts/series/series.ts'

/** Fewer days of a weekday than this have no mean that could be called usual. */
const minWeeks = 4
/** The latest so many days of a weekday are the usual ones. */
const maxWeeks = 12

/** The counts of the 24 whole hours that ended at `to` (Unix seconds). */
export type LastDay = { readonly to: number; readonly count: number }

/** The last 24 hours of a count beside the mean of the same weekday. */
export type Usual = LastDay & {
  /** The weekday that holds the middle of the 24 hours: "Sunday". */
  readonly weekday: string
  /** How many days of this weekday are in the mean. */
  readonly weeks: number
  readonly mean: number
  /** The difference as a share of the mean (0.18 is 18 % more); null when the mean is 0. */
  readonly relative: number | null
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

const weekdayOf = (time: number): string => weekdays[new Date(time * 1000).getUTCDay()] ?? ''

/** A count that is given as points of whole periods of one chain, oldest first. */
export type Counts = {
  /** By hour, at least of the last 25 hours. */
  readonly hours: readonly SeriesPoint[]
  /** By day, UTC. */
  readonly days: readonly SeriesPoint[]
}

/**
 * The sum of several series at each timestamp. A series that lacks a timestamp had nothing to count then; where one
 * has an unknown value, the sum is unknown too.
 */
export function summed(list: readonly (readonly SeriesPoint[])[]): SeriesPoint[] {
  const sums = new Map<number, number | null>()
  for (const points of list)
    for (const { timestamp, value } of points) {
      const before = sums.get(timestamp) ?? 0
      const unknown = value === null || sums.get(timestamp) === null
      sums.set(timestamp, unknown ? null : before + Number(value))
    }
  return [...sums]
    .map(([timestamp, value]) => ({ timestamp, value }))
    .sort((a, b) => a.timestamp - b.timestamp)
}

/**
 * The count of the 24 whole hours up to the start of the hour of `now`. Hours without a point count nothing: a series
 * begins with the first block of its chain and ends at the head (docs/metrics.md). Null without any hour, and when an
 * hour is unknown.
 */
export function lastDay(hours: readonly SeriesPoint[], now: number): LastDay | null {
  const to = periodStart(now, 'hour')
  const within = hours.filter(({ timestamp }) => timestamp >= to - DAY && timestamp < to)
  if (hours.length === 0 || within.some(({ value }) => value === null)) return null
  return { to, count: within.reduce((sum, { value }) => sum + Number(value), 0) }
}

/**
 * The last 24 hours against the average of the same weekday: of the latest twelve such days that ended before the 24
 * hours began. The first day of the series is left out, because the chain may have begun in it. Null when the last 24
 * hours are unknown, or with fewer than four such days.
 */
export function againstUsual({ hours, days }: Counts, now: number): Usual | null {
  const last = lastDay(hours, now)
  if (last === null) return null
  const weekday = weekdayOf(last.to - DAY / 2 - HOUR / 2)
  const same = days
    .slice(1)
    .filter(
      ({ timestamp, value }) =>
        value !== null && timestamp + DAY <= last.to - DAY && weekdayOf(timestamp) === weekday,
    )
    .slice(-maxWeeks)
  if (same.length < minWeeks) return null
  const mean = same.reduce((sum, { value }) => sum + Number(value), 0) / same.length
  return { ...last, weekday, weeks: same.length, mean, relative: mean === 0 ? null : last.count / mean - 1 }
}

/**
 * The last 24 hours of several chains together against what is usual for them. A chain that has too few weeks for a
 * usual day counts on neither side: it would make every day unusual. Null when no chain has enough, or one is unknown.
 */
export function togetherAgainstUsual(chains: readonly Counts[], now: number): Usual | null {
  if (chains.some(({ hours }) => hours.length > 0 && lastDay(hours, now) === null)) return null
  const usuals = chains.flatMap((counts) => againstUsual(counts, now) ?? [])
  const [first] = usuals
  if (first === undefined) return null
  const count = usuals.reduce((sum, usual) => sum + usual.count, 0)
  const mean = usuals.reduce((sum, usual) => sum + usual.mean, 0)
  const weeks = Math.max(...usuals.map((usual) => usual.weeks))
  return { ...first, count, mean, weeks, relative: mean === 0 ? null : count / mean - 1 }
}

/** "18 %", "6.2 %": a share without its sign, whole from 10 % on; empty when it rounds to nothing. */
function shareText(relative: number): string {
  const percent = Math.abs(relative) * 100
  const text = percent >= 10 ? formatInteger(Math.round(percent)) : percent.toFixed(1).replace(/\.0$/, '')
  return text === '0' ? '' : `${text} %`
}

/** "12.6×", "13×": how many times the usual, for what is at least twice as much. */
const timesText = (times: number): string =>
  `${times >= 100 ? formatInteger(Math.round(times)) : Number(times.toPrecision(3))}×`

/** "18 % above a usual Sunday", "12.6× a usual Sunday"; how many weeks make it usual stands elsewhere. */
export function usualWords({ relative, weekday, count }: Usual): string {
  if (relative === null) return count === 0 ? `none, like a usual ${weekday}` : `a usual ${weekday} has none`
  if (relative >= 1) return `${timesText(relative + 1)} a usual ${weekday}`
  const share = shareText(relative)
  if (share === '') return `like a usual ${weekday}`
  return `${share} ${relative > 0 ? 'above' : 'below'} a usual ${weekday}`
}

/** The same as a cell of a table has it: "+18 %", "12.6×". */
export function usualFigure(relative: number): string {
  return relative >= 1 ? timesText(relative + 1) : percentText(relative)
}

/** From which distance to its usual a chain is worth a word: half as much again, or half of it. */
const unusualFrom = { more: 0.5, less: -0.5 } as const
const maxNamed = 3

/** What is unusual today: the chains that are far from their usual, the farthest first; undefined while one is unknown. */
export function unusualText(
  chains: readonly { readonly name: string; readonly usual: Usual | null }[],
): string {
  const far = chains
    .flatMap(({ name, usual }) => {
      const relative = usual?.relative ?? null
      if (usual === null || relative === null) return []
      return relative >= unusualFrom.more || relative <= unusualFrom.less ? [{ name, usual, relative }] : []
    })
    // Twice the usual is as far from it as half of it.
    .toSorted(
      (a, b) => Math.abs(Math.log(b.relative + 1 || 1e-9)) - Math.abs(Math.log(a.relative + 1 || 1e-9)),
    )
  if (far.length === 0) return ''
  const named = far.slice(0, maxNamed).map(({ name, usual }) => `${name}, ${usualWords(usual)}`)
  const more = far.length > maxNamed ? ` and ${formatInteger(far.length - maxNamed)} more` : ''
  return `Unusual today: ${named.join('; ')}${more}.`
}
