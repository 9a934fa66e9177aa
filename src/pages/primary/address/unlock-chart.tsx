import { useRef } from 'react'
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis, type TooltipContentProps } from 'recharts'
import { unlocksChart } from '../../../../contract/pictures/charts.ts'
import { ChartMenu } from '../../../components/charts/chart-menu.tsx'
import { axisWidth } from '../../../../charts/geometry.ts'
import { valueLabels } from '../../../../charts/plot.ts'
import type { Readings } from '../../../components/charts/readings.ts'
import { TimeTick } from '../../../components/charts/time-tick.tsx'
import { TooltipBox } from '../../../components/charts/tooltip.tsx'
import { useWidth } from '../../../components/charts/use-width.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { exactAmount, formatAmount, plainAmount } from '../../../lib/amounts.ts'
import { csvCell } from '../../../lib/export.ts'
import { DAY, dateText, rangeLabel } from '../../../../charts/series/periods.ts'
import { timeTicks } from '../../../../charts/series/ticks.ts'
import { shortText } from '../../../../charts/series/units.ts'
import { toDrawn } from '../../../../charts/series/series.ts'
import { isoTime } from '../../../lib/time.ts'
import {
  unlockBarWidth,
  unlockKinds,
  unlockScale,
  type UnlockBin,
  type UnlockPlan,
} from '../../../../charts/spread/unlocks.ts'
import { useEmbedCopies } from '../../embed/embed-copies.ts'

const HEIGHT = 180
const RIGHT = 8
const TICK_DISTANCE = 72

const amountText = (value: bigint): string => `${formatAmount(value, avaxDecimals, 2)} AVAX`
const periodText = ({ start, end }: UnlockBin): string =>
  end - start <= DAY ? dateText(start) : rangeLabel(start, end)

function csvOf(bins: readonly UnlockBin[]): string {
  const heading = ['from', 'before', ...unlockKinds.map(({ label }) => label), 'Total, AVAX']
  const rows = bins.map(({ start, end, amounts, total }) => [
    isoTime(start),
    isoTime(end),
    ...unlockKinds.map(({ id }) => plainAmount(amounts[id], avaxDecimals)),
    plainAmount(total, avaxDecimals),
  ])
  return [heading, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

function Legend() {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {unlockKinds.map(({ id, label, colour }) => (
        <li key={id} className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-[2px]" style={{ background: colour }} />
          {label}
        </li>
      ))}
    </ul>
  )
}

/** The place of recharts' cursor, in pixels. */
type CursorProps = { x?: number; y?: number; width?: number; height?: number }

/** The tooltip of one period: its amounts by kind and their sum, or the one kind that it has. */
function readingsOf(bin: UnlockBin): Readings {
  const kinds = unlockKinds.filter(({ id }) => bin.amounts[id] > 0n)
  const [only] = kinds.length === 1 ? kinds : []
  return {
    period: `${periodText(bin)}: ${only?.label ?? amountText(bin.total)}`,
    rows: kinds.map(({ id, label, colour }) => ({
      id,
      label,
      colour,
      value: amountText(bin.amounts[id]),
      change: null,
    })),
  }
}

const tooltip = ({ active, payload }: TooltipContentProps) => {
  const bin = (payload[0]?.payload as { bin: UnlockBin } | undefined)?.bin
  return active && bin !== undefined ? <TooltipBox readings={readingsOf(bin)} /> : null
}

/** The cross-hair at the bar that the tooltip is of; recharts' own covers half of a chart with few bars. */
function CrossHair({ x = 0, y = 0, width = 0, height = 0 }: CursorProps) {
  const middle = x + width / 2
  return <line x1={middle} x2={middle} y1={y} y2={y + height} stroke="var(--color-line-strong)" />
}

function Bars({ plan, width }: { plan: UnlockPlan; width: number }) {
  const { bins, from, to } = plan
  const drawn = (amount: bigint): number => toDrawn(amount, avaxDecimals)
  const scale = unlockScale(plan, 3)
  const left = axisWidth(scale)
  const plot = width - left - RIGHT
  const ticks = timeTicks(from, to, Math.max(2, Math.floor(plot / TICK_DISTANCE)))
  const labels = new Map(ticks.map(({ time, label }) => [time, label]))
  // Half a bar of margin at either end.
  const wide = unlockBarWidth(plan, plot)
  const rows = bins.map((bin) => ({
    bin,
    x: (bin.start + bin.end) / 2,
    ...Object.fromEntries(unlockKinds.map(({ id }) => [id, drawn(bin.amounts[id])])),
  }))
  return (
    <BarChart
      width={width}
      height={HEIGHT}
      margin={{ top: 8, right: RIGHT, bottom: 0, left: 0 }}
      data={rows}
      title={`${unlocksChart.title}, by period`}
    >
      <CartesianGrid vertical={false} stroke="var(--color-line)" shapeRendering="crispEdges" syncWithTicks />
      <XAxis
        type="number"
        dataKey="x"
        domain={[from, to]}
        padding={{ left: wide / 2, right: wide / 2 }}
        allowDataOverflow
        height={22}
        ticks={ticks.map(({ time }) => time)}
        tickFormatter={(time: number) => labels.get(time) ?? ''}
        tick={<TimeTick width={width} />}
        interval={0}
        tickSize={4}
        tickLine={{ stroke: 'var(--color-line-strong)' }}
        axisLine={{ stroke: 'var(--color-line-strong)' }}
      />
      <YAxis
        width={left}
        domain={[scale.min, scale.max]}
        ticks={[...scale.ticks]}
        tickFormatter={(value: number) => shortText(value, scale.step)}
        {...valueLabels}
      />
      <Tooltip isAnimationActive={false} cursor={<CrossHair />} content={tooltip} />
      {unlockKinds.map(({ id, colour }) => (
        <Bar
          key={id}
          dataKey={id}
          stackId="kinds"
          barSize={wide}
          fill={colour}
          isAnimationActive={false}
          activeBar={false}
          // A small amount stays visible beside a large one.
          minPointSize={(value) => (Number(value) > 0 ? 1.5 : 0)}
        />
      ))}
    </BarChart>
  )
}

function Table({ bins }: { bins: readonly UnlockBin[] }) {
  const cell = 'px-3 py-1.5 text-right whitespace-nowrap'
  return (
    <section
      aria-label={`${unlocksChart.title}, by period`}
      // A scrolling element must be focusable, otherwise its lower rows are unreachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-base border border-line"
    >
      <table className="w-full border-collapse">
        <thead>
          <tr>
            {['Period (UTC)', ...unlockKinds.map(({ label }) => label), 'Total, AVAX'].map((text, index) => (
              <th
                key={text}
                scope="col"
                className={`border-b border-line px-3 py-2 text-xs font-strong ${index === 0 ? 'text-left' : 'text-right'}`}
              >
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bins.map((bin) => (
            <tr key={bin.start} className="border-b border-line last:border-0">
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {periodText(bin)}
              </th>
              {unlockKinds.map(({ id }) => (
                <td key={id} className={cell}>
                  {exactAmount(bin.amounts[id], avaxDecimals)}
                </td>
              ))}
              <td className={cell}>{exactAmount(bin.total, avaxDecimals)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type Props = {
  plan: UnlockPlan
  /** The path of its picture without `/embed` and the format. */
  path: string
  link: string
  table: boolean
  onTable: (open: boolean) => void
}

/** When AVAX unlocks, as bars over time: by day, week or month. */
export function UnlockChart({ plan, path, link, table, onTable }: Props) {
  const { ref, width } = useWidth()
  const drawing = useRef<HTMLDivElement>(null)
  const name = `${unlocksChart.title}, by ${plan.interval}`
  const copies = useEmbedCopies('getUnlocksPicture', path, new URLSearchParams(), name)
  return (
    <figure className="m-0 flex min-w-0 flex-col gap-2" aria-label={name}>
      <figcaption className="flex items-start justify-between gap-2">
        <Legend />
        <ChartMenu
          name={name}
          file={['unlocks']}
          csv={() => csvOf(plan.bins)}
          picture={() => {
            const svg = drawing.current?.querySelector('svg')
            return svg == null ? null : { svg, note: `AVAX · by ${plan.interval}` }
          }}
          link={link}
          copies={copies}
          table={table}
          onTable={onTable}
        />
      </figcaption>
      {table ? (
        <Table bins={plan.bins} />
      ) : (
        <div ref={ref} style={{ minHeight: HEIGHT }}>
          <div ref={drawing}>{width > 0 && <Bars plan={plan} width={width} />}</div>
        </div>
      )}
    </figure>
  )
}
