import { memo, useMemo, type ReactNode } from 'react'
import { drawing } from '../../lib/series/series.ts'
import { Axes } from './axes.tsx'
import { yOf } from './geometry.ts'
import { areaPath, barPath, linePath } from './paths.ts'
import { DASH, DOT, STROKE, barWidth, mostPoints, type PlotProps } from './plot.ts'
import type { ChartSeries } from './series.ts'

function SeriesMarks({ one, plot }: { one: ChartSeries; plot: PlotProps }): ReactNode {
  const { geometry, interval, now, mark } = plot
  const scale = one.side === 'right' ? plot.right : plot.left
  const paths = useMemo(() => {
    if (scale === null) return null
    const most = mark === 'bar' ? Infinity : mostPoints(geometry)
    const { segments, tail } = drawing(one.points, { interval, now, most, decimals: one.unit.decimals })
    const y = (value: number): number => yOf(geometry, scale, value)
    const base = y(Math.max(scale.min, Math.min(0, scale.max)))
    if (mark === 'bar') {
      const width = barWidth(geometry, interval)
      return {
        bars: barPath(segments.flat(), geometry.x, y, base, width),
        open: barPath(tail.slice(-1), geometry.x, y, base, width),
      }
    }
    return {
      area: mark === 'area' ? areaPath(segments, geometry.x, y, base) : '',
      line: linePath(segments, geometry.x, y),
      tail: linePath([tail], geometry.x, y),
      dots: linePath(
        [...segments, tail].filter((run) => run.length === 1),
        geometry.x,
        y,
      ),
    }
  }, [one.points, one.unit.decimals, geometry, scale, mark, interval, now])

  if (paths === null) return null
  if (paths.bars !== undefined)
    return (
      <>
        <path d={paths.bars} fill={one.colour} fillOpacity={0.85} />
        <path
          d={paths.open}
          fill={one.colour}
          fillOpacity={0.2}
          stroke={one.colour}
          strokeWidth={1}
          strokeDasharray={DASH}
        />
      </>
    )
  return (
    <g fill="none" stroke={one.colour} strokeWidth={STROKE} strokeLinecap="round" strokeLinejoin="round">
      {paths.area !== '' && <path d={paths.area} fill={one.colour} fillOpacity={0.12} stroke="none" />}
      <path d={paths.line} />
      <path d={paths.tail} strokeDasharray={DASH} />
      {paths.dots !== '' && <path d={paths.dots} strokeWidth={DOT} />}
    </g>
  )
}

/**
 * The axes and marks of a small chart in plain SVG: one path a series. Seventeen of these paint in a fraction of the
 * time of seventeen recharts (docs/performance.md). They support neither stacks nor names at line ends.
 */
export const SmallMarks = memo(function SmallMarks(plot: PlotProps): ReactNode {
  const { geometry } = plot
  return (
    <svg width={geometry.width} height={geometry.height} aria-hidden="true" className="block">
      <Axes geometry={geometry} left={plot.left} right={plot.right} />
      {plot.series.map((one) => (
        <SeriesMarks key={one.id} one={one} plot={plot} />
      ))}
    </svg>
  )
})
