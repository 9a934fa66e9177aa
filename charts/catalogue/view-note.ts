import type { ViewMode } from '../../contract/metrics/view.ts'
import type { ChartSeries } from '../chart-series.ts'
import { dashedNote, type Interval } from '../series/periods.ts'
import type { Owner } from './definition.ts'
import type { Drawn } from './view-series.ts'
import { isFitted } from './view.ts'

type NoteParts<Info> = {
  readonly info: Info
  readonly own: Owner
  readonly series: readonly ChartSeries[]
  readonly interval: Interval
  readonly mode: ViewMode
  readonly zero: boolean
  /** Whether the last period has not ended. */
  readonly open: boolean
}

/** The note below a large chart: units, interval, axis and dashed parts. */
export function viewNote<Info extends Drawn>(parts: NoteParts<Info>): string[] {
  const { info, own, series, interval, mode, zero, open } = parts
  const right = series.find(({ side }) => side === 'right')?.unit.symbol
  return [
    mode === 'indexed'
      ? 'mean of each chain = 100'
      : `${info.unit(own).symbol}${right === undefined ? '' : ' on the left'}`,
    ...(right === undefined ? [] : [`${right} on the right`]),
    `by ${interval}`,
    mode === 'stacked'
      ? 'stacked, axis from 0'
      : isFitted(zero, series)
        ? 'axis fitted to the values'
        : 'axis from 0',
    ...(open ? [dashedNote(interval)] : []),
  ].filter((part) => part !== '')
}
