import { useRef, type ReactNode } from 'react'
import { csvCell } from '../../lib/export.ts'
import { toDrawn } from '../../../charts/series/series.ts'
import { strongestTint, type WeekHour } from '../../../charts/series/transforms.ts'
import { shortText, withUnit, type Unit } from '../../../charts/series/units.ts'
import { ChartMenu } from './chart-menu.tsx'
import { useWidth } from './use-width.ts'

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const LEFT = 36
const TOP = 18
const ROW = 30
/** Below this width the map scrolls sideways: narrower cells would not fit their figures. */
const LEAST = 720
/** The strongest tint; text on it has a contrast of 4.5 in both themes. */
const STRONGEST = 0.5

type Props = {
  readonly name: string
  readonly heading: ReactNode
  readonly cells: readonly WeekHour[]
  readonly unit: Unit
  readonly link: string
  readonly table: boolean
  readonly onTable: (open: boolean) => void
}

function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

function place(cell: WeekHour): string {
  return `${days[cell.day] ?? ''} ${hourText(cell.hour)}`
}

/** A sentence with the busiest and the quietest hour, and the strongest tint where outliers exceed it. */
export function summary(cells: readonly WeekHour[], unit: Unit): string {
  const known = cells.filter((cell) => cell.mean !== null)
  const sorted = known.toSorted((a, b) => (a.mean ?? 0) - (b.mean ?? 0))
  const low = sorted[0]
  const high = sorted.at(-1)
  if (low?.mean == null || high?.mean == null) return 'No whole hour in this range.'
  const text = (mean: number): string => withUnit(shortText(toDrawn(mean, unit.decimals)), unit)
  const words = `Busiest ${place(high)} UTC, ${text(high.mean)} on average; quietest ${place(low)}, ${text(low.mean)}.`
  const strongest = strongestTint(cells)
  return strongest < high.mean ? `${words} The strongest tint is for ${text(strongest)} and more.` : words
}

/** From 0 to 1; means beyond the strongest tint, which the summary names, have it too. */
const tintOf = (mean: number, strongest: number): number =>
  mean >= strongest && mean > 0 ? 1 : strongest === 0 ? 0 : mean / strongest

/** The means of the 168 hours of a week as CSV: one row an hour. */
export function heatMapCsv(cells: readonly WeekHour[], unit: Unit): string {
  const head = ['day', 'hour_utc', csvCell(`mean (${unit.symbol})`), 'hours_counted'].join(',')
  const rows = cells.map((cell) => {
    const mean = cell.mean === null ? '' : String(toDrawn(cell.mean, unit.decimals))
    return [days[cell.day], hourText(cell.hour), mean, String(cell.count)].join(',')
  })
  return [head, ...rows].map((line) => `${line}\r\n`).join('')
}

function Table({ name, cells, unit }: Pick<Props, 'name' | 'cells' | 'unit'>): ReactNode {
  return (
    <section
      aria-label={name}
      // A scrolling element must be focusable, otherwise its last columns are unreachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-auto rounded-base border border-line"
    >
      <table className="w-full border-collapse text-right text-xs">
        <caption className="sr-only">{`${name}, ${unit.symbol}`}</caption>
        <thead>
          <tr>
            <th scope="col" className="px-2 py-1 text-left">
              UTC
            </th>
            {days.map((day) => (
              <th key={day} scope="col" className="px-2 py-1">
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 24 }, (_, hour) => (
            <tr key={hour} className="border-t border-line">
              <th scope="row" className="px-2 py-1 text-left font-normal text-muted">
                {hourText(hour)}
              </th>
              {days.map((day, index) => {
                const mean = cells[index * 24 + hour]?.mean
                return (
                  <td key={day} className="px-2 py-1 font-mono">
                    {mean == null ? '–' : shortText(toDrawn(mean, unit.decimals))}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The weekly rhythm: the mean of every hour, by tint and by figure, so that it does not depend on colour. */
export function HeatMap({ name, heading, cells, unit, link, table, onTable }: Props): ReactNode {
  const { ref, width } = useWidth()
  const drawing = useRef<SVGSVGElement>(null)
  const strongest = strongestTint(cells)
  const drawn = Math.max(LEAST, width)
  const column = (drawn - LEFT) / 24
  const height = TOP + 7 * ROW
  const words = summary(cells, unit)
  return (
    <figure className="m-0 flex min-w-0 flex-col" aria-label={name}>
      <figcaption className="flex items-start justify-between gap-2">
        <div className="min-w-0 flex-1">
          {heading}
          <p className="text-xs text-muted">{words}</p>
        </div>
        <ChartMenu
          name={name}
          file={[name]}
          csv={() => heatMapCsv(cells, unit)}
          picture={() => (drawing.current === null ? null : { svg: drawing.current, note: words })}
          link={link}
          table={table}
          onTable={onTable}
        />
      </figcaption>
      {table ? (
        <Table name={name} cells={cells} unit={unit} />
      ) : (
        <section
          aria-label={`${name}, picture`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          ref={ref}
          className="mt-2 overflow-x-auto"
          style={{ minHeight: height }}
        >
          {width > 0 && (
            <svg ref={drawing} role="img" aria-label={words} width={drawn} height={height} className="block">
              {Array.from({ length: 24 }, (_, hour) => (
                <text
                  key={hour}
                  x={LEFT + (hour + 0.5) * column}
                  y={12}
                  fontSize={11}
                  textAnchor="middle"
                  fill="var(--color-muted)"
                >
                  {String(hour).padStart(2, '0')}
                </text>
              ))}
              {days.map((day, index) => (
                <text key={day} x={0} y={TOP + index * ROW + 19} fontSize={11} fill="var(--color-muted)">
                  {day}
                </text>
              ))}
              {cells.map((cell) => {
                const x = LEFT + cell.hour * column
                const y = TOP + cell.day * ROW
                const share = cell.mean === null ? 0 : tintOf(cell.mean, strongest)
                return (
                  <g key={`${cell.day}-${cell.hour}`}>
                    <rect
                      x={x + 1}
                      y={y + 1}
                      width={column - 2}
                      height={ROW - 2}
                      rx={3}
                      fill={cell.mean === null ? 'none' : 'var(--color-accent)'}
                      fillOpacity={0.04 + share * (STRONGEST - 0.04)}
                      stroke={cell.mean === null ? 'var(--color-line)' : 'none'}
                    />
                    {cell.mean !== null && (
                      <text
                        x={x + column / 2}
                        y={y + 19}
                        fontSize={10}
                        textAnchor="middle"
                        fill="var(--color-text)"
                      >
                        {shortText(toDrawn(cell.mean, unit.decimals))}
                      </text>
                    )}
                  </g>
                )
              })}
            </svg>
          )}
        </section>
      )}
    </figure>
  )
}
