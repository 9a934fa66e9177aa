import type { ComponentProps, ReactNode } from 'react'
import { endsOpen } from '../../../charts/drawn-points.ts'
import { startOf } from '../../../charts/catalogue/view.ts'
import type { ChartSeries } from '../../../charts/chart-series.ts'
import type { Interval } from '../../../charts/series/periods.ts'
import type { TimeRange } from '../../../charts/series/range.ts'
import { Chart } from '../../components/charts/chart.tsx'
import { LeadMarks } from '../../components/charts/large-marks.tsx'
import { ChartInstead } from './bodies.tsx'
import type { SeriesInfo } from './series-info.ts'
import { useChartActions, type MetricsUrl } from './state.ts'

type Props = {
  readonly id: string
  readonly name: string
  /** What the layers count, for a chart that is empty or failed, and of whom: “This service”. */
  readonly info: SeriesInfo
  readonly of: string
  /** The content that replaces the chart; undefined to show the chart. */
  readonly instead: ComponentProps<typeof ChartInstead>['loaded'] | undefined
  readonly series: readonly ChartSeries[]
  readonly interval: Interval
  readonly range: TimeRange
  readonly now: number
  /** The height of the plot in pixels. */
  readonly height: number
  /** The line above the chart; `open`: the last period has not ended. */
  readonly note: (open: boolean) => string
  readonly url: MetricsUrl
  /** The value of `table` in the URL while the chart is shown as a table. */
  readonly table: string
  /** The path and query of the page. */
  readonly link: string
  readonly copies?: ComponentProps<typeof Chart>['copies']
  readonly onRetry: () => void
}

/** A large stacked chart of counts, or its replacement, over the range in the URL. */
export function StackedChart(props: Props): ReactNode {
  const { info, of, instead, series, interval, range, now, height, note, url, table, onRetry } = props
  const actions = useChartActions(url)
  if (instead !== undefined)
    return <ChartInstead info={info} chainName={of} loaded={instead} height={height + 24} onRetry={onRetry} />
  return (
    <Chart
      id={props.id}
      name={props.name}
      heading={
        <p className="text-xs text-muted">{note(series.some((one) => endsOpen(one, { interval, now })))}</p>
      }
      series={series}
      interval={interval}
      now={now}
      from={startOf(range, series, now)}
      to={range.to}
      sum
      zero
      stacked={series.length > 1}
      height={height}
      marks={LeadMarks}
      endLabels
      link={props.link}
      copies={props.copies}
      table={url.table === table}
      onTable={(next) => actions.onTable(table, next)}
      onRange={actions.onRange}
      onReset={actions.onReset}
    />
  )
}
