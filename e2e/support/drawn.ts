import { expect, type Locator } from '@playwright/test'

type Drawn = {
  /** Pixels from the left and the top of the chart, in the order of time; the open period is left out. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
  /** The baseline of the bars; undefined for a line. */
  readonly base: number | undefined
}

/** The values that the marks of a chart with one series show, read from its paths. */
async function drawnIn(figure: Locator): Promise<Drawn> {
  const paths = await figure
    .locator('svg path:not([stroke-dasharray]):not([stroke=none])')
    .evaluateAll((all) => all.map((path) => path.getAttribute('d') ?? ''))
  const number = '(-?[\\d.]+)'
  const bars = new RegExp(
    // A small chart draws all bars in one path from the baseline; recharts draws one path per bar, from its
    // top left.
    `M\\s*${number},${number}\\s*(?:V${number}\\s*h${number}|h\\s*${number}\\s*v\\s*${number}\\s*h)`,
    'g',
  )
  const found = paths.flatMap((path) => [...path.matchAll(bars)].map((match) => match.map(Number)))
  if (found.length > 0)
    return {
      points: found.map(([, x = 0, y = 0, top = NaN, width = NaN, wide = 0]) =>
        Number.isNaN(top) ? { x: x + wide / 2, y } : { x: x + width / 2, y: top },
      ),
      base: Math.max(
        ...found.map(([, , y = 0, top = NaN, , , tall = 0]) => (Number.isNaN(top) ? y + tall : y)),
      ),
    }
  const line = paths.find((path) => /^M[^Zh]+[LH][^Zh]+$/.test(path)) ?? ''
  // A level is steps (`linePath`).
  const points = [...line.matchAll(new RegExp(`[ML]${number},${number}|V${number}H${number}`, 'g'))]
  return {
    points: points.map(([, x, y, height, to]) => ({ x: Number(x ?? to), y: Number(y ?? height) })),
    base: undefined,
  }
}

/**
 * Fails unless the chart draws the last of `values` (one a period, oldest first) to scale: pixels and values may
 * differ
 * by one scale and one offset only, and bars start at 0. recharts leaves out a bar of 0.
 */
export async function expectDrawn(figure: Locator, values: readonly number[], least: number): Promise<void> {
  const { points, base } = await drawnIn(figure)
  expect(points.length).toBeGreaterThanOrEqual(least)
  const [first, last] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0]
  const gaps = points.slice(1).map(({ x }, index) => x - (points[index]?.x ?? 0))
  const narrowest = Math.min(...gaps)
  // Each gap is rounded to whole periods separately, because the errors of rounded pixels would add up.
  let at = 0
  const places = [0, ...gaps.map((gap) => (at += Math.round(gap / narrowest)))]
  const shown = values.slice(-1 - at)
  const placed = new Map(points.map((point, index) => [places[index] ?? 0, point]))
  expect(placed.size).toBe(points.length)
  const left = shown.filter((_, index) => !placed.has(index))
  expect(left).toEqual(left.map(() => (base === undefined ? Number.NaN : 0)))

  const known = [...placed].map(([index, { x, y }]) => ({ index, x, y, value: shown[index] ?? Number.NaN }))
  const low = known.reduce((one, other) => (other.value < one.value ? other : one))
  const high = known.reduce((one, other) => (other.value > one.value ? other : one))
  const scale = high.value === low.value ? 0 : (high.y - low.y) / (high.value - low.value)
  if (high.value > low.value) expect(scale, `${low.value} to ${high.value}`).toBeLessThan(0)
  for (const { index, x, y, value } of known) {
    expect(Math.abs(y - (low.y + scale * (value - low.value)))).toBeLessThan(0.3)
    expect(Math.abs(x - (first + ((last - first) * index) / (shown.length - 1)))).toBeLessThan(0.3)
  }
  if (base !== undefined && scale < 0) expect(Math.abs(low.y - scale * low.value - base)).toBeLessThan(0.5)
}
