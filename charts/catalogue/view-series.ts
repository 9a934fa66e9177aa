import type { ViewMode } from '../../contract/metrics/view.ts'
import type { ChartSeries } from '../chart-series.ts'
import { seriesColour } from '../palette.ts'
import type { SeriesPoint } from '../series/series.ts'
import type { Owner, SeriesDefinition } from './definition.ts'
import { chainLines } from './view.ts'

/** What drawing needs to know of a series. */
export type Drawn = Pick<SeriesDefinition, 'name' | 'title' | 'unit' | 'isLevel'>

/** The series on the second axis, and the chain or network that it is of. */
export type SecondOf<Info> = { readonly facts: Owner; readonly info: Info }

/** The series of one owner, and series of other owners for comparison. */
type Choices<Info> = {
  readonly own: { readonly facts: Owner; readonly series: readonly Info[] }
  readonly beside: { readonly facts: readonly Owner[]; readonly series: readonly Info[] }
}

/** Separates the chain or network of a second series from its name. */
export const SECOND_SEPARATOR = '/'

/** The series of a `second` value: any of the own subject but `info`, or one of what stands beside it. */
export function findSecondOf<Info extends { readonly name: string }>(
  text: string,
  { own, beside }: Choices<Info>,
  info: Info,
): SecondOf<Info> | undefined {
  const [id = '', ...names] = text.split(SECOND_SEPARATOR)
  // A link from another page may name this page's own subject.
  if (names.length === 0 || id === own.facts.chainId) {
    const found = own.series.find((one) => one.name === (names[0] ?? id) && one !== info)
    return found && { facts: own.facts, info: found }
  }
  const other = beside.facts.find((one) => one.chainId === id)
  const found = beside.series.find((one) => one.name === names.join(SECOND_SEPARATOR))
  return other && found && { facts: other, info: found }
}

/** A colour for the second axis that no chain on the chart has. */
export function secondColour(chains: readonly Owner[]): string {
  const taken = new Set(chains.map((chain) => chain.index))
  const free = [1, 3, 4, 5, 2, 6, 7, 0].find((index) => !taken.has(index)) ?? 7
  return seriesColour(free)
}

type Parts<Info> = {
  readonly info: Info
  readonly second: SecondOf<Info> | undefined
  /** The chart's own chain first. */
  readonly chains: readonly Owner[]
  /**
   * The points of each chain, in the order of `chains`, then of the second series where there is one; undefined where
   * they are not known.
   */
  readonly points: readonly (readonly SeriesPoint[] | undefined)[]
  readonly mode: ViewMode
}

/** All series of a large chart whose points are known. */
export function viewSeries<Info extends Drawn>(parts: Parts<Info>): ChartSeries[] {
  const { info, second, chains, points, mode } = parts
  const lines = chains.flatMap((chain, index) => {
    const known = points[index]
    return known === undefined ? [] : [{ chain, points: known }]
  })
  const made = chainLines(info, lines, mode)
  const [own] = chains
  const beside = points[chains.length]
  if (second === undefined || own === undefined || beside === undefined) return made
  // The names of two metrics of a chain distinguish them; several chains are distinguished by their own names.
  const alone = chains.length === 1
  return [
    ...made.map((one) => (alone ? { ...one, label: info.title } : one)),
    {
      id: `second ${second.facts.chainId} ${second.info.name}`,
      label:
        second.facts.chainId === own.chainId
          ? second.info.title
          : `${second.info.title}, ${second.facts.name}`,
      colour: secondColour(chains),
      unit: second.info.unit(second.facts),
      points: beside,
      side: 'right',
      isLevel: second.info.isLevel,
    },
  ]
}
