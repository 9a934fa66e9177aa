import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import { formatNumber } from '../../../lib/amounts.ts'

/** What the strip shows of each day: the part of it with a connection, or the uptime by its end. */
export const heatKinds = ['connected', 'uptime'] as const
export type HeatKind = (typeof heatKinds)[number]

/** The levels of a cell, best first. `low` is too little for a reward; `none` is a day without samples. */
const heatLevels = ['full', 'high', 'middle', 'low', 'none'] as const
export type HeatLevel = (typeof heatLevels)[number]

/** The level of a day's value in percent; without a requirement, as for L1 validators, none is too low. */
export function levelOf(value: number | null | undefined, requirement = 0): HeatLevel {
  if (value == null) return 'none'
  if (value < requirement) return 'low'
  if (value >= 99.95) return 'full'
  return value >= 95 ? 'high' : 'middle'
}

type HeatRow = {
  readonly memberId: string
  readonly name: string
  readonly requirement: number
  readonly values: readonly (number | null)[]
}

const valuesOf = (row: WatchFleetRow, kind: HeatKind): readonly (number | null)[] =>
  kind === 'connected' ? row.connectedByDay : row.uptimeByDay

/** The days that are shown at least. */
const minDays = 7
/** The widest column of a day in px: few days make a small picture, not large cells. */
const widestColumn = 48

/** How many of the newest days are worth showing: those since the first sample of any member, and at least a week. */
export function daysShown(members: readonly WatchFleetRow[]): number {
  const all = Math.max(0, ...members.map(({ connectedByDay }) => connectedByDay.length))
  const empty = members.map(({ connectedByDay, uptimeByDay }) => {
    const first = connectedByDay.findIndex((value, day) => value !== null || uptimeByDay[day] != null)
    return first === -1 ? all : first
  })
  return Math.min(all, Math.max(minDays, all - Math.min(...empty)))
}

/** How much is missing over all days: what the rows are ordered by. Days without samples count for nothing. */
const missing = ({ values }: HeatRow): number =>
  values.reduce<number>((sum, value) => sum + (value === null ? 0 : 100 - value), 0)

/** The rows of the strip, the worst first; members without any day with samples last, in their own order. */
export function heatRows(
  members: readonly WatchFleetRow[],
  kind: HeatKind,
  nameOf: (row: WatchFleetRow) => string,
): HeatRow[] {
  const days = daysShown(members)
  const rows = members.map((row) => ({
    memberId: row.memberId,
    name: nameOf(row),
    requirement: row.uptimeRequirement ?? 0,
    values: valuesOf(row, kind).slice(-days),
  }))
  const known = ({ values }: HeatRow): boolean => values.some((value) => value !== null)
  return rows.toSorted(
    (left, right) => Number(known(right)) - Number(known(left)) || missing(right) - missing(left),
  )
}

type HeatLayout = {
  readonly left: number
  readonly top: number
  readonly column: number
  readonly row: number
  readonly width: number
  readonly height: number
}

/** Places the cells: tall rows with names for few nodes, low ones without for many. */
export function layOutHeat(width: number, rowCount: number, dayCount: number): HeatLayout {
  const isTall = rowCount <= 60
  const left = isTall ? Math.min(170, Math.round(width * 0.28)) : 0
  const row = isTall ? 18 : 6
  const top = 18
  return {
    left,
    top,
    row,
    column: dayCount === 0 ? 0 : Math.min(widestColumn, (width - left) / dayCount),
    width,
    height: top + rowCount * row,
  }
}

/** One path for all cells of each level: a picture of 15,000 cells stays five elements. */
export function heatPaths(rows: readonly HeatRow[], layout: HeatLayout): Readonly<Record<HeatLevel, string>> {
  const { left, top, column, row } = layout
  const gap = row > 10 ? 2 : 1
  const width = Math.max(1, column - gap)
  const height = row - gap
  const parts: Record<HeatLevel, string[]> = { full: [], high: [], middle: [], low: [], none: [] }
  for (const [y, { values, requirement }] of rows.entries())
    for (const [x, value] of values.entries()) {
      const level = levelOf(value, requirement)
      const at = `M${(left + x * column).toFixed(1)} ${top + y * row}`
      parts[level].push(`${at}h${width.toFixed(1)}v${height}h-${width.toFixed(1)}z`)
    }
  return {
    full: parts.full.join(''),
    high: parts.high.join(''),
    middle: parts.middle.join(''),
    low: parts.low.join(''),
    none: parts.none.join(''),
  }
}

/** The cell at a point of the picture; undefined beside the cells. */
export function cellAt(
  layout: HeatLayout,
  rowCount: number,
  dayCount: number,
  x: number,
  y: number,
): { row: number; day: number } | undefined {
  const row = Math.floor((y - layout.top) / layout.row)
  const day = Math.floor((x - layout.left) / layout.column)
  return row < 0 || row >= rowCount || day < 0 || day >= dayCount ? undefined : { row, day }
}

const words: Readonly<Record<HeatKind, string>> = {
  connected: 'of the sampled time connected',
  uptime: 'uptime by the end of the day',
}

/** A cell in words: “gamma, 21 Nov: 98.2 % of the sampled time connected”. */
export function cellText(
  row: HeatRow,
  value: number | null | undefined,
  day: string,
  kind: HeatKind,
): string {
  if (value == null) return `${row.name}, ${day}: no samples`
  const low = value < row.requirement ? `, below the ${formatNumber(row.requirement, 2)} % of its reward` : ''
  return `${row.name}, ${day}: ${formatNumber(value, 2)} % ${words[kind]}${low}`
}
