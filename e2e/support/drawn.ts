import { expect, type Locator } from '@playwright/test'

type Drawn = {
  /** Pixels from the left and the top of the chart, in the order of time; the open period is left out. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
  /** The foot of the bars; undefined for a line. */
  readonly base: number | undefined
}

/** What the marks of a chart with one series show, read from its paths. */
async function drawnIn(figure: Locator): Promise<Drawn> {
  const paths = await figure
    .locator('svg path:not([stroke-dasharray]):not([stroke=none])')
    .evaluateAll((all) => all.map((path) => path.getAttribute('d') ?? ''))
  const number = '(-?[\\d.]+)'
  const bars = new RegExp(
    // A small chart draws all bars in one path, from the foot; recharts draws one path a bar, from its top left.
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
  const line = paths.find((path) => /^M[^Zh]+L[^Zh]+$/.test(path)) ?? ''
  const points = [...line.matchAll(new RegExp(`[ML]${number},${number}`, 'g'))]
  return { points: points.map(([, x, y]) => ({ x: Number(x), y: Number(y) })), base: undefined }
}

/**
 * Fails unless the chart draws the last of `values` (one a period, oldest first), each at its height: pixels and values
 * differ by one scale and one offset only, and bars stand on 0.
 */
export async function expectDrawn(figure: Locator, values: readonly number[], least: number): Promise<void> {
  const { points, base } = await drawnIn(figure)
  expect(points.length).toBeGreaterThanOrEqual(least)
  const shown = values.slice(-points.length)
  expect(shown).toHaveLength(points.length)
  const place = (value: number): number => shown.indexOf(value)
  const [low, high] = [Math.min(...shown), Math.max(...shown)]
  const yOf = (value: number): number => points[place(value)]?.y ?? Number.NaN
  const scale = high === low ? 0 : (yOf(high) - yOf(low)) / (high - low)
  if (high > low) expect(scale).toBeLessThan(0)
  const step = ((points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0)) / (points.length - 1)
  for (const [index, { x, y }] of points.entries()) {
    expect(Math.abs(y - (yOf(low) + scale * ((shown[index] ?? 0) - low)))).toBeLessThan(0.3)
    expect(Math.abs(x - ((points[0]?.x ?? 0) + step * index))).toBeLessThan(0.3)
  }
  if (base !== undefined && scale < 0) expect(Math.abs(yOf(low) - scale * low - base)).toBeLessThan(0.5)
}
