import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import * as z from 'zod/mini'
import { timeIntervals } from '../../../contract/metrics/intervals.ts'
import { useLatest } from '../../components/hooks.ts'
import { readSearch, writeSearch } from '../../lib/search-params.ts'
import { COMPARE_SEPARATOR, viewModes, viewScales } from '../../../contract/metrics/view.ts'
import { comparedChains } from '../../../charts/catalogue/view.ts'
import {
  defaultRange,
  naturalInterval,
  readRange,
  writeRange,
  type RangeChoice,
} from '../../../charts/series/range.ts'
import type { Interval } from '../../../charts/series/periods.ts'

/** What the metrics pages keep in the URL besides the range. */
export const metricsSchema = z.object({
  /** Chosen by hand; else it follows the range. */
  interval: z.catch(z.optional(z.enum(timeIntervals)), undefined),
  /** Where the value axis starts: by the kind of series, at zero, or fitted. */
  scale: z.catch(z.enum(viewScales), 'auto'),
  /** Chain IDs to compare with, joined by `~`. */
  compare: z.catch(z.string().check(z.maxLength(500)), ''),
  mode: z.catch(z.enum(viewModes), 'plain'),
  /** A second series, on an axis of its own: its name, or the chain or network and its name (second.ts). */
  second: z.catch(z.string().check(z.maxLength(120)), ''),
  /** The order of small multiples. */
  order: z.catch(z.enum(['groups', 'moved']), 'groups'),
  /** The groups of small multiples that are open on a phone, by their places, joined by `~`. */
  open: z.catch(z.string().check(z.maxLength(40)), '0'),
  /** The series that is shown as a table. */
  table: z.catch(z.string().check(z.maxLength(40)), ''),
})
export type MetricsState = z.output<typeof metricsSchema>

/** The state in a query string: for loaders. */
export function readMetrics(
  search: URLSearchParams,
): MetricsState & { range: RangeChoice; wanted: Interval } {
  const state = readSearch(metricsSchema, search)
  const range = readRange(search)
  return { ...state, range, wanted: state.interval ?? naturalInterval(range) }
}

/** The state of a metrics page and what changes it. */
export type MetricsUrl = ReturnType<typeof readMetrics> & {
  readonly search: URLSearchParams
  /** Changes parameters; defaults are removed from the URL. */
  readonly change: (patch: Partial<MetricsState>) => void
  /** Takes a range over; Back undoes it. */
  readonly setRange: (range: RangeChoice) => void
  readonly toggleChain: (chainId: string, own: string) => void
}

/** The state of a metrics page, kept in its URL and nowhere else. */
export function useMetricsUrl(): MetricsUrl {
  const [search, setSearch] = useSearchParams()
  const keep = { replace: true, preventScrollReset: true }
  return {
    ...readMetrics(search),
    search,
    change: (patch) => setSearch((now) => writeSearch(metricsSchema, now, patch), keep),
    setRange: (range) => setSearch((now) => writeRange(now, range), { preventScrollReset: true }),
    toggleChain: (chainId, own) =>
      setSearch((now) => {
        const chosen = comparedChains(now.get('compare') ?? '', own)
        const next = chosen.includes(chainId) ? chosen.filter((id) => id !== chainId) : [...chosen, chainId]
        return writeSearch(metricsSchema, now, { compare: next.join(COMPARE_SEPARATOR) })
      }, keep),
  }
}

type ChartActions = {
  /** Opens or closes the table of a series. */
  readonly onTable: (name: string, open: boolean) => void
  /** Takes the range that was dragged over. */
  readonly onRange: (from: number, to: number) => void
  readonly onReset: () => void
}

/** What a chart changes in the URL: the same functions while the URL changes, for pages of many charts. */
export function useChartActions(url: MetricsUrl): ChartActions {
  const latest = useLatest(url)
  return useMemo(
    () => ({
      onTable: (name, open) => latest.current.change({ table: open ? name : '' }),
      onRange: (from, to) => latest.current.setRange({ from, to }),
      onReset: () => latest.current.setRange(defaultRange),
    }),
    [latest],
  )
}

/** The places of the open groups in an `open` value. */
export function openGroups(text: string): number[] {
  return text
    .split(COMPARE_SEPARATOR)
    .filter((place) => /^\d{1,2}$/.test(place))
    .map(Number)
}

/** The `open` value after a group was opened or closed. */
export function toggleGroup(text: string, place: number): string {
  const open = openGroups(text)
  const next = open.includes(place) ? open.filter((one) => one !== place) : [...open, place]
  // An empty value would be the default, the first group.
  return next.length === 0 ? 'none' : next.toSorted((left, right) => left - right).join(COMPARE_SEPARATOR)
}
