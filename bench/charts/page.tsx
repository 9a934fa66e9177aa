import { useMemo, useState, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { CartesianGrid, Legend, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts'
import { Chart } from '../../src/components/charts/chart.tsx'
import { CrosshairContext, createCrosshair } from '../../src/components/charts/crosshair.ts'
import { Readout } from '../../src/components/charts/readout.tsx'
import { RechartsMarks } from '../../src/components/charts/recharts-marks.tsx'
import type { ChartSeries } from '../../charts/chart-series.ts'
import { SmallMarks } from '../../src/components/charts/small-marks.tsx'
import { useNear } from '../../src/components/charts/use-near.ts'
import type { SeriesPoint } from '../../charts/series/series.ts'
import { NOW, POINTS, hourlySeries } from './data.ts'
import { framesWhile } from '../support/page-frames.ts'
import '../../src/styles/index.css'

export type Variant =
  'paths' | 'paths near the viewport' | 'recharts, ours' | 'recharts, defaults' | 'recharts, syncId'

/** A chart has this size in every variant. */
const WIDTH = 440
const HEIGHT = 200
const FROM = NOW - POINTS * 3600

const ignore = (): void => undefined

function HouseChart({
  index,
  points,
  marks,
}: {
  index: number
  points: SeriesPoint[]
  marks: typeof SmallMarks
}): ReactNode {
  const series = useMemo<ChartSeries[]>(
    () => [
      {
        id: 'c',
        label: 'C-Chain',
        colour: 'var(--color-series-1)',
        unit: { symbol: 'tx', decimals: 0 },
        points,
      },
    ],
    [points],
  )
  const [own] = series
  return (
    <Chart
      id={`chart-${index}`}
      name={`Chart ${index}`}
      heading={<h3>Chart {index}</h3>}
      note={own === undefined ? undefined : <Readout series={own} interval="hour" now={NOW} />}
      series={series}
      interval="hour"
      now={NOW}
      from={FROM}
      to={NOW}
      sum
      zero
      height={HEIGHT}
      marks={marks}
      link="/"
      table={false}
      onTable={ignore}
      onRange={ignore}
      onReset={ignore}
    />
  )
}

function NearOnly({ children }: { children: ReactNode }): ReactNode {
  const { ref, near } = useNear()
  return (
    <div ref={ref} style={{ height: HEIGHT + 28 }}>
      {near && children}
    </div>
  )
}

function DefaultChart({ points, sync }: { points: SeriesPoint[]; sync: boolean }): ReactNode {
  return (
    <LineChart width={WIDTH} height={HEIGHT} data={points} {...(sync && { syncId: 'all' })}>
      <CartesianGrid />
      <XAxis dataKey="timestamp" />
      <YAxis />
      <Tooltip />
      <Legend />
      <Line type="monotone" dataKey="value" stroke="#0462d3" />
    </LineChart>
  )
}

function Page({ variant, all }: { variant: Variant; all: SeriesPoint[][] }): ReactNode {
  const [store] = useState(createCrosshair)
  return (
    <CrosshairContext value={store}>
      <div style={{ display: 'grid', gridTemplateColumns: `repeat(3, ${WIDTH}px)`, gap: 16 }}>
        {all.map((points, index) => {
          const key = `chart-${index}`
          if (variant === 'paths')
            return <HouseChart key={key} index={index} points={points} marks={SmallMarks} />
          if (variant === 'paths near the viewport')
            return (
              <NearOnly key={key}>
                <HouseChart index={index} points={points} marks={SmallMarks} />
              </NearOnly>
            )
          if (variant === 'recharts, ours')
            return <HouseChart key={key} index={index} points={points} marks={RechartsMarks} />
          return <DefaultChart key={key} points={points} sync={variant === 'recharts, syncId'} />
        })}
      </div>
    </CrosshairContext>
  )
}

/** Every chart has at least this one path once its marks are drawn. */
function drawnCharts(): number {
  const curves = document.querySelectorAll('.recharts-line-curve, .recharts-area-curve').length
  const own = document.querySelectorAll('figure svg.block path').length
  return Math.max(document.querySelectorAll('.recharts-surface').length === 0 ? 0 : curves, own)
}

function nextPaint(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      // A message sent in a frame is handled after that frame has been painted.
      const channel = new MessageChannel()
      channel.port1.addEventListener('message', () => resolve(performance.now()))
      channel.port1.start()
      channel.port2.postMessage(null)
    })
  })
}

/** Milliseconds from data in hand until the last chart's marks have been painted. */
async function cold(variant: Variant, count: number, expected: number): Promise<number> {
  const all = Array.from({ length: count }, (_, index) => hourlySeries(index + 1))
  const container = document.getElementById('root')
  if (container === null) throw new Error('no root')
  // The code is compiled and idle before the clock starts; it has never drawn.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const start = performance.now()
  createRoot(container).render(<Page variant={variant} all={all} />)
  for (;;) {
    const at = await nextPaint()
    if (drawnCharts() >= expected) return at - start
    if (at - start > 20_000)
      throw new Error(`${variant}: ${drawnCharts()} of ${expected} charts drawn in 20 s`)
  }
}

/**
 * Frame times in milliseconds while the pointer crosses the first chart: from one frame to the next,
 * with the browser's frame limit off, so that whatever a move causes is in some frame.
 */
async function hover(moves: number): Promise<number[]> {
  const target =
    document.querySelector('figure input[type=range]') ?? document.querySelector('.recharts-wrapper')
  if (target === null) throw new Error('no chart to hover')
  const box = target.getBoundingClientRect()
  return framesWhile(moves, (move) => {
    const clientX = box.left + 70 + ((move * 7) % Math.max(1, box.width - 90))
    const options = { bubbles: true, clientX, clientY: box.top + box.height / 2, pointerType: 'mouse' }
    target.dispatchEvent(new PointerEvent('pointermove', options))
    target.dispatchEvent(new MouseEvent('mousemove', options))
  })
}

/** Whether the pointer really moved something: the bench must not praise a chart that ignores it. */
function answers(): number {
  return document.querySelectorAll('[data-crosshair-dot], .recharts-active-dot, .recharts-tooltip-cursor')
    .length
}

declare global {
  // Only an interface merges with the one of the DOM.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Window {
    bench: { cold: typeof cold; hover: typeof hover; answers: typeof answers }
  }
}
window.bench = { cold, hover, answers }
