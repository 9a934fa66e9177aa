import { changeAt, type SeriesPoint } from '../../../charts/series/series.ts'
import { isUnfinished } from '../../../charts/series/periods.ts'

type Charted<Info> = { readonly info: Info; readonly points: readonly SeriesPoint[] }

/** How much the last whole day differs from the day before, as a share without its sign; undefined if not known. */
function changeOf(points: readonly SeriesPoint[], now: number): number | undefined {
  const last = points.findLastIndex(
    ({ timestamp, value }) => value !== null && !isUnfinished(timestamp, 'day', now),
  )
  const relative = changeAt(points, last, 'day')?.relative
  return relative == null ? undefined : Math.abs(relative)
}

/** The series whose last whole day changed most first; those whose change is not known last, in their own order. */
export function byChange<Info>(series: readonly Charted<Info>[], now: number): Info[] {
  return series
    .map(({ info, points }) => ({ info, change: changeOf(points, now) ?? -1 }))
    .toSorted((left, right) => right.change - left.change)
    .map(({ info }) => info)
}
