import type { ViewMode } from '../../contract/metrics/view.ts'
import type { ChartSeries } from '../chart-series.ts'
import type { Interval } from '../series/periods.ts'
import type { Owner } from './definition.ts'
import type { Drawn, SecondOf } from './view-series.ts'
import { isFitted } from './view.ts'

type NoteParts<Info> = {
  readonly info: Info
  readonly second: SecondOf<Info> | undefined
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
  const { info, second, own, series, interval, mode, zero, open } = parts
  return [
    mode === 'indexed'
      ? 'first period = 100'
      : `${info.unit(own).symbol}${second === undefined ? '' : ' on the left'}`,
    ...(second === undefined ? [] : [`${second.info.unit(second.facts).symbol} on the right`]),
    `by ${interval}`,
    mode === 'stacked'
      ? 'stacked, axis from 0'
      : isFitted(zero, series)
        ? 'axis fitted to the values'
        : 'axis from 0',
    ...(open ? [`the last ${interval} has not ended and is dashed`] : []),
  ].filter((part) => part !== '')
}
