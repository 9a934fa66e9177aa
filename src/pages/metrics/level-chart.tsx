import { startsAtZero } from '../../../charts/catalogue/view.ts'
import { useState, type ReactNode } from 'react'
import { Chart } from '../../components/charts/chart.tsx'
import { createCrosshair, CrosshairContext } from '../../components/charts/crosshair.ts'
import { Readout } from '../../components/charts/readout.tsx'
import type { ChartSeries } from '../../../charts/chart-series.ts'
import { LargeMarks } from '../../components/charts/large-marks.tsx'
import type { Interval } from '../../../charts/series/periods.ts'
import { Failed, type Failure } from '../shared/failed.tsx'
import { ChartSkeleton } from './bodies.tsx'
import { RangeControl, ScaleControl } from './controls.tsx'
import { useEmbedCopies } from '../embed/embed-copies.ts'
import { useChartActions, useMetricsUrl } from './state.ts'

const PLOT = 200

type Props = {
  id: string
  title: string
  /** What the chart shows, as the title's tooltip. */
  about: string
  /** The chart's subject, which starts its file names: “NodeID-…”. */
  of: string
  /** Undefined while loading. */
  series: readonly ChartSeries[] | undefined
  /** Shown instead of a chart without points. */
  empty: ReactNode
  /** What the series are from. */
  query: { readonly data: unknown } & NonNullable<Failure['query']>
  interval: Interval
  now: number
  bounds: { from: number | null; to: number }
  link: string
  /** The operation of its picture, the path of the picture without `/embed` and the format, and its query if not the page's. */
  picture: { operationId: string; path: string; search?: URLSearchParams }
  /** Whether the values are sums of their periods. */
  sum?: boolean
}

/** Charts of levels below their controls; a reading of one is one of all. */
export function LevelCharts({
  interval,
  note,
  children,
}: {
  interval: Interval
  /** What all of them have to be read with, below them. */
  note?: string
  children: ReactNode
}) {
  const url = useMetricsUrl()
  const [crosshair] = useState(createCrosshair)
  return (
    <CrosshairContext value={crosshair}>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <RangeControl range={url.range} onChange={url.setRange} />
        <ScaleControl current={url.scale} onChange={(scale) => url.change({ scale })} />
        <span className="text-xs text-muted">by {interval}, UTC</span>
      </div>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">{children}</div>
      {note !== undefined && <p className="pt-3 text-xs text-muted">{note}</p>}
    </CrosshairContext>
  )
}

/** A chart of a level over time; range, scale and table are in the URL. */
export function LevelChart(props: Props) {
  const {
    id,
    title,
    about,
    of,
    series,
    empty,
    query,
    interval,
    now,
    bounds,
    link,
    picture,
    sum = false,
  } = props
  const url = useMetricsUrl()
  const zero = startsAtZero(url.scale, sum)
  const starts = (series ?? []).flatMap((one) => one.points[0]?.timestamp ?? [])
  // What began within the range is drawn from there on: before it there is nothing to see.
  const from = Math.max(bounds.from ?? 0, Math.min(now, ...starts))
  const [first] = series ?? []
  const failed = query.error && !query.data
  const actions = useChartActions(url)
  const copies = useEmbedCopies(
    picture.operationId,
    picture.path,
    picture.search ?? url.search,
    `${of}, ${title}`,
  )
  const heading = (
    <h2 className="font-strong" title={about}>
      {title}
    </h2>
  )
  return (
    <div className="min-w-0 rounded-base border border-line px-3 pt-2 pb-1" style={{ minHeight: PLOT + 62 }}>
      {failed || !first || starts.length === 0 ? (
        <>
          {heading}
          {failed ? (
            <Failed title={`${title} could not be loaded.`} query={query} />
          ) : series ? (
            empty
          ) : (
            <ChartSkeleton height={PLOT + 24} />
          )}
        </>
      ) : (
        <Chart
          id={id}
          name={`${of}, ${title}`}
          heading={heading}
          note={<Readout series={first} interval={interval} now={now} />}
          series={series ?? []}
          interval={interval}
          now={now}
          from={from}
          to={bounds.to}
          sum={sum}
          zero={zero}
          height={PLOT}
          marks={LargeMarks}
          endLabels
          link={link}
          copies={copies}
          table={url.table === id}
          onTable={(open) => actions.onTable(id, open)}
          onRange={actions.onRange}
          onReset={actions.onReset}
        />
      )}
    </div>
  )
}
