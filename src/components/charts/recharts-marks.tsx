import { memo, useMemo, type ReactNode } from 'react'
import { Area, Bar, CartesianGrid, ComposedChart, Line, XAxis, YAxis } from 'recharts'
import { rowsOf } from '../../../charts/series/rows.ts'
import { shortText } from '../../../charts/series/units.ts'
import { EndLabels } from './end-labels.tsx'
import { DASH, DOT, STROKE, valueLabels, barWidth, maxPoints, type PlotProps } from '../../../charts/plot.ts'
import type { ChartSeries, Side } from '../../../charts/chart-series.ts'
import { TimeTick } from './time-tick.tsx'

// Dots, animations and hover states are recharts' largest costs (docs/performance.md).
const quick = { isAnimationActive: false, legendType: 'none', tooltipType: 'none' } as const
const line = {
  ...quick,
  type: 'linear',
  dot: false,
  activeDot: false,
  strokeWidth: STROKE,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

function marksOf(one: ChartSeries, index: number, plot: PlotProps): ReactNode[] {
  const yAxisId = one.side ?? 'left'
  const colour = one.colour
  if (plot.mark === 'bar') {
    const bar = {
      ...quick,
      yAxisId,
      stackId: plot.stacked ? yAxisId : one.id,
      barSize: barWidth(plot.geometry, plot.interval),
      activeBar: false,
    } as const
    return [
      <Bar key={`s${index}`} {...bar} dataKey={`s${index}`} fill={colour} fillOpacity={0.85} />,
      <Bar
        key={`o${index}`}
        {...bar}
        dataKey={`o${index}`}
        fill={colour}
        fillOpacity={0.2}
        stroke={colour}
        strokeDasharray={DASH}
      />,
    ]
  }
  if (plot.mark === 'area' || plot.stacked) {
    const opacity = plot.stacked ? 0.35 : 0.12
    const stack = (key: string) => (plot.stacked ? { stackId: `${key}-${yAxisId}` } : {})
    return [
      <Area
        key={`s${index}`}
        {...line}
        {...stack('s')}
        yAxisId={yAxisId}
        dataKey={`s${index}`}
        stroke={colour}
        fill={colour}
        fillOpacity={opacity}
      />,
      <Area
        key={`t${index}`}
        {...line}
        {...stack('t')}
        yAxisId={yAxisId}
        dataKey={`t${index}`}
        stroke={colour}
        strokeDasharray={DASH}
        fill={colour}
        fillOpacity={opacity / 3}
      />,
    ]
  }
  // As `linePath` draws them.
  const type = one.isLevel ? 'step' : line.type
  return [
    <Line key={`s${index}`} {...line} type={type} yAxisId={yAxisId} dataKey={`s${index}`} stroke={colour} />,
    <Line
      key={`t${index}`}
      {...line}
      type={type}
      yAxisId={yAxisId}
      dataKey={`t${index}`}
      stroke={colour}
      strokeDasharray={DASH}
    />,
  ]
}

/** Dots for isolated points, which a line would not show. */
function LonePoints({ one, index }: { one: ChartSeries; index: number }): ReactNode {
  return (
    <Line
      {...line}
      yAxisId={one.side ?? 'left'}
      dataKey={`d${index}`}
      stroke="none"
      dot={{ r: DOT / 2, fill: one.colour, stroke: 'none' }}
    />
  )
}

function valueAxis(plot: PlotProps, side: Side): ReactNode {
  const scale = plot[side]
  if (scale === null) return <YAxis key={side} yAxisId={side} hide domain={[0, 1]} />
  return (
    <YAxis
      key={side}
      yAxisId={side}
      orientation={side}
      width={plot.geometry[side]}
      domain={[scale.min, scale.max]}
      ticks={[...scale.ticks]}
      tickFormatter={(value: number) => shortText(value, scale.step)}
      {...valueLabels}
    />
  )
}

/**
 * The axes and marks of a large chart, drawn by recharts with the measured settings of docs/performance.md: number
 * axes with given domains and ticks, thinned rows. Pointer, keyboard, cross-hair and tooltip are shared with small
 * charts (`PointerLayer`, `Overlay`), because recharts' own synchronization redraws all charts of a page at each
 * move.
 */
export const RechartsMarks = memo(function RechartsMarks(plot: PlotProps): ReactNode {
  const { geometry, series, interval, now, left, right, mark, stacked } = plot
  const rows = useMemo(
    () =>
      rowsOf(
        series.map((one) => ({ points: one.points, decimals: one.unit.decimals })),
        { interval, now, max: mark === 'bar' ? Infinity : maxPoints(geometry), stacked },
      ),
    [series, interval, now, mark, stacked, geometry],
  )
  const gridSide = left === null ? 'right' : 'left'
  const labels = new Map(geometry.timeTicks.map(({ time, label }) => [time, label]))
  const lone = (index: number): boolean =>
    mark !== 'bar' && !stacked && rows.some((row) => row[`d${index}`] != null)
  return (
    <ComposedChart
      width={geometry.width}
      height={geometry.height}
      margin={{
        top: geometry.top,
        right: right === null ? geometry.right : 0,
        bottom: 0,
        left: left === null ? geometry.left : 0,
      }}
      data={rows}
      accessibilityLayer={false}
    >
      <CartesianGrid
        vertical={false}
        yAxisId={gridSide}
        stroke="var(--color-line)"
        shapeRendering="crispEdges"
        syncWithTicks
      />
      <XAxis
        type="number"
        dataKey="x"
        domain={[geometry.from, geometry.to]}
        allowDataOverflow
        height={geometry.bottom}
        ticks={geometry.timeTicks.map(({ time }) => time)}
        tickFormatter={(time: number) => labels.get(time) ?? ''}
        tick={<TimeTick width={geometry.width} />}
        interval={0}
        tickSize={4}
        tickLine={{ stroke: 'var(--color-line-strong)' }}
        axisLine={(left ?? right)?.min === 0 && { stroke: 'var(--color-line-strong)' }}
      />
      {valueAxis(plot, 'left')}
      {valueAxis(plot, 'right')}
      {series.flatMap((one, index) => marksOf(one, index, plot))}
      {series.map((one, index) => lone(index) && <LonePoints key={one.id} one={one} index={index} />)}
      {plot.labels && <EndLabels plot={plot} />}
    </ComposedChart>
  )
})
