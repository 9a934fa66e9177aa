import { axisShapes } from '../axes.ts'
import { axisWidth, layOut, yOf } from '../geometry.ts'
import { seriesColour } from '../palette.ts'
import { barPath } from '../paths.ts'
import { DAY, periodEnd, periodStart, type Interval } from '../series/periods.ts'
import { toDrawn } from '../series/series.ts'
import { valueScale } from '../series/ticks.ts'
import type { Shape } from '../shapes.ts'
import { drawSheet, emptyShape, type Picture, type SheetOptions } from '../sheet.ts'

/** The kinds of locked amounts, in stacking order, in the colours that their buckets have among balances. */
export const unlockKinds = [
  { id: 'STAKING_END', label: 'Staking ends', colour: seriesColour(1) },
  { id: 'STAKEABLE_LOCK', label: 'Lock ends (may be staked)', colour: seriesColour(4) },
  { id: 'PLATFORM_LOCK', label: 'Lock ends', colour: seriesColour(5) },
] as const
type Kind = (typeof unlockKinds)[number]['id']

/** An amount that becomes free, as the API lists it. */
type Unlock = {
  /** Unix seconds of 64 bits. */
  readonly timestamp: number | bigint
  readonly kind: string
  readonly asset: { readonly assetId: string; readonly amount: string }
}

/** The amounts that unlock in one period, from `start` (inclusive) to `end` (exclusive). */
export type UnlockBin = { start: number; end: number; amounts: Record<Kind, bigint>; total: bigint }

const years = 365 * DAY
/** Later unlocks would compress all earlier ones into one bar. */
const farthest = 20 * years

/** Days for two months, weeks for two years, else months. */
const intervalOf = (span: number): Interval =>
  span <= 62 * DAY ? 'day' : span <= 2 * years ? 'week' : 'month'

export type UnlockPlan = {
  interval: Interval
  from: number
  to: number
  /** Oldest first, without empty periods. */
  bins: UnlockBin[]
  /** The amount that unlocks after more than twenty years, or never. */
  later: bigint
}

/** The unlocks of one asset from `now` (Unix seconds) on, by period. */
export function unlockPlan(unlocks: readonly Unlock[], assetId: string, now: number): UnlockPlan {
  const own = unlocks.filter(({ asset }) => asset.assetId === assetId)
  const near = own.filter(({ timestamp }) => BigInt(timestamp) <= BigInt(now + farthest))
  const last = near.reduce((latest, { timestamp }) => Math.max(latest, Number(timestamp)), now)
  const interval = intervalOf(last - now)
  const bins = new Map<number, UnlockBin>()
  for (const { timestamp, kind, asset } of near) {
    const start = periodStart(Number(timestamp), interval)
    const bin = bins.get(start) ?? {
      start,
      end: periodEnd(start, interval),
      amounts: { STAKING_END: 0n, STAKEABLE_LOCK: 0n, PLATFORM_LOCK: 0n },
      total: 0n,
    }
    const known = unlockKinds.find(({ id }) => id === kind)?.id ?? 'PLATFORM_LOCK'
    bin.amounts[known] += BigInt(asset.amount)
    bin.total += BigInt(asset.amount)
    bins.set(start, bin)
  }
  return {
    interval,
    from: periodStart(now, interval),
    to: periodEnd(last, interval),
    bins: [...bins.values()].sort((a, b) => a.start - b.start),
    later: own.reduce(
      (sum, { timestamp, asset }) =>
        BigInt(timestamp) > BigInt(now + farthest) ? sum + BigInt(asset.amount) : sum,
      0n,
    ),
  }
}

/** The decimals of AVAX on the P- and X-Chain. */
const DECIMALS = 9
const RIGHT = 8
const THINNEST = 4
const WIDEST = 28
const ROWS_EVERY = 48
/** A small amount stays visible beside a large one, in pixels. */
const LEAST = 1.5

const drawn = (amount: bigint): number => toDrawn(amount, DECIMALS)

/** The scale of a plan's amounts on an area of a height. */
export const unlockScale = ({ bins }: UnlockPlan, rows: number) =>
  valueScale(0, Math.max(...bins.map(({ total }) => drawn(total))), rows, true)

/** The width of the bars of a plan on a plot of a width, in pixels. */
export function unlockBarWidth({ bins: [first], from, to }: UnlockPlan, plot: number): number {
  const period = first === undefined ? 0 : ((first.end - first.start) / Math.max(1, to - from)) * plot
  return Math.max(THINNEST, Math.min(WIDEST, period - 2))
}

function unlockShapes(plan: UnlockPlan, width: number, height: number): Shape[] {
  const { bins, from, to } = plan
  const scale = unlockScale(plan, Math.max(2, Math.round(height / ROWS_EVERY)))
  const geometry = layOut({ width, height, from, to, left: axisWidth(scale), right: RIGHT })
  const wide = unlockBarWidth(plan, geometry.plotWidth)
  const base = yOf(geometry, scale, 0)
  // Half a bar of margin at either end.
  const place = (time: number): number =>
    geometry.left + wide / 2 + ((time - from) / Math.max(1, to - from)) * (geometry.plotWidth - wide)
  const bars = unlockKinds.map((): string[] => [])
  for (const bin of bins) {
    let top = base
    for (const [index, { id }] of unlockKinds.entries()) {
      if (bin.amounts[id] === 0n) continue
      const high = Math.max(LEAST, base - yOf(geometry, scale, drawn(bin.amounts[id])))
      bars[index]?.push(
        barPath([{ x: (bin.start + bin.end) / 2, y: top - high }], place, (y) => y, top, wide),
      )
      top -= high
    }
  }
  return [
    ...axisShapes({ ...geometry, x: place }, scale, null),
    ...unlockKinds.flatMap(({ colour }, index): Shape[] =>
      bars[index]?.length ? [{ kind: 'path', d: bars[index].join(''), fill: colour }] : [],
    ),
  ]
}

/** Draws when amounts become free, as bars over time: by day, week or month. */
export function drawUnlocks(
  options: SheetOptions & { readonly plan: UnlockPlan; readonly empty: string },
): Picture {
  const { plan, empty } = options
  const known = plan.bins.length > 0
  return drawSheet(options, known ? unlockKinds : [], (width, height) =>
    known ? unlockShapes(plan, width, height) : [emptyShape(width / 2, height / 2, empty)],
  )
}
