import { useMemo, useRef, type ComponentType, type ReactNode } from 'react'
import { allZeroWords, isAllZero } from '../../../charts/drawn-points.ts'
import { rangeLabel } from '../../../charts/series/periods.ts'
import { ChartMenu, type ChartCopy } from './chart-menu.tsx'
import { lazy } from '../lazy.ts'
import { LazyPart } from '../part.tsx'
import { Skeleton } from '../skeleton.tsx'
import { Overlay } from './overlay.tsx'
import { plotOf, type PlotOptions, type PlotProps } from '../../../charts/plot.ts'
import { PointerLayer } from './pointer.tsx'
import type { ChartSeries } from '../../../charts/chart-series.ts'
import { useWidth } from './use-width.ts'
import { seriesCsv } from '../../lib/series/csv.ts'

const ChartTable = lazy(() => import('./chart-table.tsx'), 'ChartTable')

type ChartProps = PlotOptions & {
  /** Unique on the page: distinguishes charts that share a cross-hair. */
  readonly id: string
  /** What the chart shows: its accessible name and its files' name. */
  readonly name: string
  /** The visible title line. */
  readonly heading: ReactNode
  /** Below the title: unit, scale, what is dashed. */
  readonly note?: ReactNode
  readonly height: number
  /** `SmallMarks` for small multiples, `LeadMarks` for what a page opens with, `LargeMarks` for every other chart. */
  readonly marks: ComponentType<PlotProps>
  /** What its menu says of how it is drawn. */
  readonly remarks?: readonly string[]
  /** The path and query that "Copy link" copies. */
  readonly link: string
  /** What else its menu copies. */
  readonly copies?: readonly ChartCopy[] | undefined
  readonly table: boolean
  readonly onTable: (open: boolean) => void
  readonly onRange?: ((from: number, to: number) => void) | undefined
  readonly onReset?: (() => void) | undefined
}

/** Scales and geometry of a chart at a width; null until the width is known. */
function usePlot(props: ChartProps, width: number): PlotProps | null {
  const { series, interval, now, from, to, sum, zero, stacked = false, height, endLabels = false } = props
  return useMemo(
    () =>
      width === 0
        ? null
        : plotOf({ series, interval, now, from, to, sum, zero, stacked, endLabels }, width, height),
    [series, interval, now, from, to, sum, zero, stacked, height, endLabels, width],
  )
}

/** Names above the plot, for charts without room at the line ends. */
function Legend({ series }: { series: readonly ChartSeries[] }): ReactNode {
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {series.map((one) => (
        <li key={one.id} className="flex items-center gap-1.5">
          <span className="h-[3px] w-3 rounded-full" style={{ background: one.colour }} />
          {one.label}
        </li>
      ))}
    </ul>
  )
}

/**
 * A chart: heading, marks, cross-hair, pointer and keyboard control, and a menu (CSV, PNG, copy link, view as
 * table). `marks` draws the marks; everything else is the same for small and large charts.
 */
export function Chart(props: ChartProps): ReactNode {
  const { id, name, heading, note, series, interval, now, from, to, height, marks: Marks, table } = props
  const { ref, width } = useWidth()
  const plot = usePlot(props, width)
  const drawing = useRef<HTMLDivElement>(null)
  const flat = useMemo(() => isAllZero(series), [series])
  const named = !flat && series.length > 1 && props.endLabels === true && plot?.labels === null

  const csv = (): string =>
    seriesCsv(
      series.map((one) => {
        const { symbol, decimals } = one.unit
        const what = series.length > 1 ? one.label : name
        return { heading: symbol === '' ? what : `${what} (${symbol})`, points: one.points, decimals }
      }),
    )
  const picture = (): { svg: SVGSVGElement; heading: string; note: string } | null => {
    const svg = drawing.current?.querySelector('svg')
    const units = [...new Set(series.map((one) => one.unit.symbol))].filter((symbol) => symbol !== '')
    return svg == null
      ? null
      : {
          svg,
          heading: `${name}, ${rangeLabel(from, to)}`,
          note: [...units, `by ${interval}`].join(' · '),
        }
  }

  return (
    <figure className="m-0 flex min-w-0 flex-col" aria-label={name}>
      <figcaption className="flex items-start justify-between gap-2">
        <div className="min-w-0 flex-1">
          {heading}
          {note}
        </div>
        <ChartMenu
          name={name}
          file={[name, interval]}
          csv={csv}
          {...(!flat && { picture })}
          link={props.link}
          copies={props.copies}
          remarks={props.remarks}
          table={table}
          onTable={props.onTable}
        />
      </figcaption>
      {named && <Legend series={series} />}
      <div ref={ref} className="relative mt-1 min-w-0" style={{ height }}>
        {table ? (
          <LazyPart title="The table" fallback={<Skeleton height={height} />}>
            <ChartTable
              caption={`${name}, by ${interval}`}
              series={series}
              interval={interval}
              now={now}
              height={height}
            />
          </LazyPart>
        ) : flat ? (
          <p className="flex h-full items-center justify-center text-xs text-muted">{allZeroWords}</p>
        ) : (
          plot && (
            <>
              <div ref={drawing}>
                <Marks {...plot} />
              </div>
              <PointerLayer
                chartId={id}
                name={name}
                plot={plot}
                onRange={props.onRange}
                onReset={props.onReset}
              />
              <Overlay chartId={id} plot={plot} />
            </>
          )
        )}
      </div>
    </figure>
  )
}
