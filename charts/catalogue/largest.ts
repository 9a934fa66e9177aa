import { maxSeries } from '../../contract/metrics/view.ts'
import type { ChartSeries } from '../chart-series.ts'
import { seriesColour } from '../palette.ts'
import type { SeriesPoint } from '../series/series.ts'
import { stacked, total } from '../series/transforms.ts'
import type { Owner, SeriesDefinition } from './definition.ts'
import { chainLines, type Line } from './view.ts'

/** The chains with colours of their own: one beyond the colours gets the first that none of the others has. */
function coloured(chains: readonly Owner[]): Owner[] {
  const free = Array.from({ length: maxSeries }, (_, index) => index).filter((index) =>
    chains.every((chain) => chain.index !== index),
  )
  return chains.map((chain) =>
    chain.index < maxSeries ? chain : { ...chain, index: free.shift() ?? chain.index },
  )
}

/** The chains that a stack does not name: how many, and what they count together. */
type Others = { readonly count: number; readonly points: readonly SeriesPoint[] }

/** The layers of a stack of many chains: those with the largest sums, in the order of the list, above them all others. */
export function largestLayers(
  info: Pick<SeriesDefinition, 'unit'>,
  largest: readonly Line[],
  others: Others | undefined,
): ChartSeries[] {
  const colours = coloured(largest.map(({ chain }) => chain))
  const layers = chainLines(
    info,
    largest.map(({ chain, points }, index) => ({ chain: colours[index] ?? chain, points })),
    'stacked',
  )
  const [first] = largest
  if (first === undefined || others === undefined || Number(total(others.points) ?? 0) === 0) return layers
  const label = `Other (${others.count})`
  const unit = info.unit(first.chain)
  return [...layers, { id: 'other', label, colour: seriesColour(maxSeries), unit, points: others.points }]
}

/** The layers of a stack of any number of chains: the eight with the largest sums in the range, and all others as one. */
export function largestChains(info: Pick<SeriesDefinition, 'unit'>, lines: readonly Line[]): ChartSeries[] {
  const sizes = new Map(lines.map((line) => [line, Number(total(line.points) ?? 0)]))
  const bySize = lines.toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))
  const largest = new Set(bySize.slice(0, maxSeries))
  const others = bySize.slice(maxSeries)
  return largestLayers(
    info,
    lines.filter((line) => largest.has(line)),
    others.length > 0
      ? { count: others.length, points: stacked(others.map((line) => line.points)).at(-1) ?? [] }
      : undefined,
  )
}

/** What a stack of more chains than it names says of them. */
export const largestNote = (count: number): string => `the ${maxSeries} largest of ${count} chains`
