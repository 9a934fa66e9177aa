import { memo, useMemo, type ReactNode } from 'react'
import { Area, Bar, ComposedChart, Line, XAxis, YAxis } from 'recharts'
import { rowsOf } from '../../lib/series-rows.ts'
import type { ValueScale } from '../../lib/series-ticks.ts'
import { Axes } from './axes.tsx'
import { EndLabels } from './end-labels.tsx'
import { DASH, STROKE, barWidth, mostPoints, type PlotProps } from './plot.ts'
import type { ChartSeries } from './series.ts'

// Every one of these was measured (performance.md): dots, animation and hover states cost the most.
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

function domain(scale: ValueScale | null): [number, number] {
  return [scale?.min ?? 0, scale?.max ?? 1]
}

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
  return [
    <Line key={`s${index}`} {...line} yAxisId={yAxisId} dataKey={`s${index}`} stroke={colour} />,
    <Line
      key={`t${index}`}
      {...line}
      yAxisId={yAxisId}
      dataKey={`t${index}`}
      stroke={colour}
      strokeDasharray={DASH}
    />,
  ]
}

/**
 * The marks of the large chart, by recharts with the measured fast settings: number axes with given
 * domains, axes hidden (ours stand beside), thinned rows. It hears no pointer: the overlay above does.
 */
export const RechartsMarks = memo(function RechartsMarks(plot: PlotProps): ReactNode {
  const { geometry, series, interval, now, left, right, mark } = plot
  const rows = useMemo(
    () =>
      rowsOf(
        series.map((one) => ({ points: one.points, decimals: one.unit.decimals })),
        { interval, now, most: mark === 'bar' ? Infinity : mostPoints(geometry) },
      ),
    [series, interval, now, mark, geometry],
  )
  return (
    <ComposedChart
      width={geometry.width}
      height={geometry.height}
      margin={{ top: geometry.top, right: geometry.right, bottom: geometry.bottom, left: geometry.left }}
      data={rows}
      accessibilityLayer={false}
    >
      <XAxis hide type="number" dataKey="x" domain={[geometry.from, geometry.to]} allowDataOverflow />
      <YAxis hide yAxisId="left" domain={domain(left)} allowDataOverflow />
      <YAxis hide yAxisId="right" orientation="right" domain={domain(right)} allowDataOverflow />
      <Axes geometry={geometry} left={left} right={right} />
      {series.flatMap((one, index) => marksOf(one, index, plot))}
      {plot.labels && <EndLabels plot={plot} />}
    </ComposedChart>
  )
})
