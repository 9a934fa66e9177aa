/** A point in drawing coordinates or data units; `x` ascends within a series. */
export type XY = { readonly x: number; readonly y: number }

function extremes(points: readonly XY[]): { low: number; high: number } {
  let low = 0
  let high = 0
  for (const [index, point] of points.entries()) {
    if (point.y < (points[low]?.y ?? point.y)) low = index
    if (point.y > (points[high]?.y ?? point.y)) high = index
  }
  return { low, high }
}

function meanOf(points: readonly XY[], start: number, end: number): XY {
  let x = 0
  let y = 0
  for (let index = start; index < end; index += 1) {
    x += points[index]?.x ?? 0
    y += points[index]?.y ?? 0
  }
  const count = Math.max(1, end - start)
  return { x: x / count, y: y / count }
}

function farthest(points: readonly XY[], start: number, end: number, before: XY, after: XY): number {
  let best = start
  let bestArea = -1
  for (let index = start; index < end; index += 1) {
    const point = points[index]
    if (point === undefined) continue
    // Twice the triangle's area; the factor does not matter for a comparison.
    const area = Math.abs(
      (before.x - after.x) * (point.y - before.y) - (before.x - point.x) * (after.y - before.y),
    )
    if (area > bestArea) {
      bestArea = area
      best = index
    }
  }
  return best
}

/**
 * Largest-triangle-three-buckets: at most `count` of the points, chosen so that the line keeps its shape. Unlike the
 * plain algorithm it always keeps the first, last, lowest and highest point: a peak must not depend on the window's
 * width. `points` and the result ascend in `x`. `count` below 4 counts as 4.
 */
export function lttb(points: readonly XY[], count: number): readonly XY[] {
  const wanted = Math.max(4, Math.floor(count))
  const first = points[0]
  const last = points.at(-1)
  if (points.length <= wanted || first === undefined || last === undefined) return points

  const { low, high } = extremes(points)
  // First, last, and one reserved for a bucket with both extremes.
  const buckets = wanted - 3
  const width = (points.length - 2) / buckets
  const chosen: XY[] = [first]
  let before = first
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const start = Math.floor(bucket * width) + 1
    const end = Math.floor((bucket + 1) * width) + 1
    const nextEnd = Math.min(points.length, Math.floor((bucket + 2) * width) + 1)
    const after = end < points.length - 1 ? meanOf(points, end, nextEnd) : last
    const forced = [...new Set([Math.min(low, high), Math.max(low, high)])].filter(
      (index) => index >= start && index < end,
    )
    const picks = forced.length > 0 ? forced : [farthest(points, start, end, before, after)]
    for (const pick of picks) {
      const point = points[pick]
      if (point === undefined) continue
      chosen.push(point)
      before = point
    }
  }
  chosen.push(last)
  return chosen
}
