import type { TimeInterval } from '../../../contract/metrics/intervals.ts'
import type { RangePreset } from '../../../contract/metrics/view.ts'
import type { SeriesDefinition } from '../../../charts/catalogue/definition.ts'
import { boundsOf, sharedInterval } from '../../../charts/catalogue/view.ts'
import { periodStart, type Interval } from '../../../charts/series/periods.ts'
import {
  defaultRange,
  naturalInterval,
  type RangeChoice,
  type TimeRange,
} from '../../../charts/series/range.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import { checkPeriods } from './metric-points.ts'

/** What a query says of the time axis (contract/pictures/form.ts). */
type TimeQuery = {
  readonly range?: RangePreset | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly interval?: TimeInterval | undefined
}

/** The range of a query, as the pages read it. Throws a 400 where a page would fall back to its default. */
function rangeOf({ range, from, to }: TimeQuery): RangeChoice {
  if (from === undefined && to === undefined) return range === undefined ? defaultRange : { preset: range }
  if (from === undefined || to === undefined)
    throw badRequest([`${from === undefined ? 'from' : 'to'}: is required, because the other end is given`])
  if (to <= from) throw badRequest(['to: must be after from'])
  return { from, to }
}

/** The time axis of a chart: its periods, and the one that is open. */
export type TimeAxis = { readonly interval: Interval; readonly now: number; readonly bounds: TimeRange }

type Periods = Pick<SeriesDefinition, 'intervals' | 'planned'>

/**
 * The time axis that a page would have for a query at a time (Unix seconds). Throws a 400 for a range that is none, and
 * for one of too many periods.
 */
export function timeAxis(
  query: TimeQuery,
  at: number,
  info: Periods,
  second?: Pick<Periods, 'intervals'>,
): TimeAxis {
  const choice = rangeOf(query)
  const interval = sharedInterval(info, second, query.interval ?? naturalInterval(choice))
  // The open period changes with the hour; within it, the same data makes the same picture.
  const now = periodStart(at, 'hour')
  const bounds = boundsOf(info, choice, interval, now)
  checkPeriods(bounds, interval)
  return { interval, now, bounds }
}

/** What decides how a time axis is drawn, beside its bounds: of the time, only which period is open. */
export const axisForm = ({ interval, now }: TimeAxis): readonly unknown[] => [periodStart(now, interval)]
