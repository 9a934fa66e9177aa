import { useRef } from 'react'
import { ChartMenu } from '../../../components/charts/chart-menu.tsx'
import { fileName } from '../../../components/charts/png.ts'
import { useWidth } from '../../../components/charts/use-width.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { formatAmount, plainAmount } from '../../../lib/amounts.ts'
import { csvCell } from '../../../lib/export.ts'
import { DAY, dateText, rangeLabel } from '../../../lib/series-periods.ts'
import { timeTicks } from '../../../lib/series-ticks.ts'
import { isoTime } from '../../../lib/time.ts'
import { bucketColour } from './bucket-bar.tsx'
import { unlockKinds, type UnlockBin, type UnlockPlan } from './unlocks.ts'

const HEIGHT = 180
const TOP = 20
const BOTTOM = 22
const TICK_DISTANCE = 72
const THINNEST = 4

const amountText = (value: bigint): string => `${formatAmount(value, avaxDecimals, 2)} AVAX`
const periodText = ({ start, end }: UnlockBin): string =>
  end - start <= DAY ? dateText(start) : rangeLabel(start, end)

function csvOf(bins: readonly UnlockBin[]): string {
  const heading = ['from', 'before', ...unlockKinds.map(({ label }) => label), 'Together, AVAX']
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
      {unlockKinds.map(({ id, label, bucket }) => (
        <li key={id} className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-[2px]" style={{ background: bucketColour(bucket) }} />
          {label}
        </li>
      ))}
    </ul>
  )
}

function Bars({ plan, width }: { plan: UnlockPlan; width: number }) {
  const { bins, from, to } = plan
  const most = bins.reduce((high, { total }) => (total > high ? total : high), 1n)
  const span = Math.max(1, to - from)
  const x = (time: number): number => ((time - from) / span) * width
  const plot = HEIGHT - TOP - BOTTOM
  const tall = (amount: bigint): number =>
    amount === 0n ? 0 : Math.max(1.5, (Number((amount * 10_000n) / most) / 10_000) * plot)
  const highest = bins.find(({ total }) => total === most)
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true" className="block">
      <line x1={0} x2={width} y1={TOP + plot} y2={TOP + plot} stroke="var(--color-line-strong)" />
      {timeTicks(from, to, Math.max(2, Math.floor(width / TICK_DISTANCE))).map((tick) => (
        <text
          key={tick.time}
          x={Math.min(width - 2, Math.max(0, x(tick.time)))}
          y={HEIGHT - 6}
          fontSize={11}
          textAnchor={x(tick.time) > width - 30 ? 'end' : x(tick.time) < 30 ? 'start' : 'middle'}
          fill="var(--color-muted)"
        >
          {tick.label}
        </text>
      ))}
      {bins.map((bin) => {
        const wide = Math.max(THINNEST, Math.min(28, x(bin.end) - x(bin.start) - 2))
        const left = Math.min(width - wide, Math.max(0, (x(bin.start) + x(bin.end)) / 2 - wide / 2))
        let top = TOP + plot
        return (
          <g key={bin.start}>
            <title>
              {[
                `${periodText(bin)}: ${amountText(bin.total)}`,
                ...unlockKinds
                  .filter(({ id }) => bin.amounts[id] > 0n)
                  .map(({ id, label }) => `${label}: ${amountText(bin.amounts[id])}`),
              ].join('\n')}
            </title>
            <rect x={left - 2} y={TOP} width={wide + 4} height={plot} fill="transparent" />
            {unlockKinds.map(({ id, bucket }) => {
              const height = tall(bin.amounts[id])
              top -= height
              return height === 0 ? null : (
                <rect key={id} x={left} y={top} width={wide} height={height} fill={bucketColour(bucket)} />
              )
            })}
            {bin === highest && (
              <text
                x={left + wide / 2}
                y={TOP - 6}
                fontSize={11}
                textAnchor={left > width - 80 ? 'end' : left < 80 ? 'start' : 'middle'}
                fill="var(--color-text)"
              >
                {amountText(bin.total)}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

function Table({ bins }: { bins: readonly UnlockBin[] }) {
  const cell = 'px-3 py-1.5 text-right font-mono text-mono whitespace-nowrap'
  return (
    <section
      aria-label="What becomes free, by period"
      // A part that scrolls must be reachable by keys, or its lower rows are not.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-base border border-line"
    >
      <table className="w-full border-collapse">
        <thead>
          <tr>
            {['Period (UTC)', ...unlockKinds.map(({ label }) => label), 'Together, AVAX'].map(
              (text, index) => (
                <th
                  key={text}
                  scope="col"
                  className={`border-b border-line px-3 py-2 text-xs font-strong ${index === 0 ? 'text-left' : 'text-right'}`}
                >
                  {text}
                </th>
              ),
            )}
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
                  {formatAmount(bin.amounts[id], avaxDecimals, avaxDecimals)}
                </td>
              ))}
              <td className={cell}>{formatAmount(bin.total, avaxDecimals, avaxDecimals)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type Props = { plan: UnlockPlan; link: string; table: boolean; onTable: (open: boolean) => void }

/** When AVAX becomes free, as bars on a line of time: by day, week or month, as far as it reaches. */
export function UnlockChart({ plan, link, table, onTable }: Props) {
  const { ref, width } = useWidth()
  const drawing = useRef<HTMLDivElement>(null)
  const name = `What becomes free, by ${plan.interval}`
  return (
    <figure className="m-0 flex min-w-0 flex-col gap-2" aria-label={name}>
      <figcaption className="flex items-start justify-between gap-2">
        <Legend />
        <ChartMenu
          name={name}
          file={fileName('ridgeline', 'unlocks')}
          csv={() => csvOf(plan.bins)}
          picture={() => {
            const svg = drawing.current?.querySelector('svg')
            return svg == null ? null : { svg, note: `AVAX · by ${plan.interval}` }
          }}
          link={link}
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
