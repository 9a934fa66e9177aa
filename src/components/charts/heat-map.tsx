import { useRef, type ReactNode } from 'react'
import { csvCell } from '../../lib/export.ts'
import { toDrawn } from '../../../charts/series/series.ts'
import type { WeekHour } from '../../../charts/series/transforms.ts'
import { shortText, type Unit } from '../../../charts/series/units.ts'
import { hourText, weekDays, weekHeight, weekShapes, weekSummary } from '../../../charts/spread/week.ts'
import { ChartMenu, type ChartCopy } from './chart-menu.tsx'
import { Shapes } from './shapes.tsx'
import { useWidth } from './use-width.ts'

const ROW = 30
/** Below this width the map scrolls sideways: its cells would be narrower than a finger can tell apart. */
const LEAST = 288

type Props = {
  readonly name: string
  readonly heading: ReactNode
  readonly cells: readonly WeekHour[]
  readonly unit: Unit
  readonly link: string
  readonly copies?: readonly ChartCopy[] | undefined
  readonly table: boolean
  readonly onTable: (open: boolean) => void
}

/** The means of the 168 hours of a week as CSV: one row an hour. */
function heatMapCsv(cells: readonly WeekHour[], unit: Unit): string {
  const head = ['day', 'hour_utc', csvCell(`mean (${unit.symbol})`), 'hours_counted'].join(',')
  const rows = cells.map((cell) => {
    const mean = cell.mean === null ? '' : String(toDrawn(cell.mean, unit.decimals))
    return [weekDays[cell.day], hourText(cell.hour), mean, String(cell.count)].join(',')
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
            {weekDays.map((day) => (
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
              {weekDays.map((day, index) => {
                const mean = cells[index * 24 + hour]?.mean
                return (
                  <td key={day} className="px-2 py-1">
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

/** The weekly pattern of a series. */
export function HeatMap(props: Props): ReactNode {
  const { name, heading, cells, unit, link, copies, table, onTable } = props
  const { ref, width } = useWidth()
  const drawing = useRef<SVGSVGElement>(null)
  const drawn = Math.max(LEAST, width)
  const height = weekHeight(ROW)
  const words = weekSummary(cells, unit)
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
          copies={copies}
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
              <Shapes shapes={weekShapes(cells, unit, drawn, ROW, 'onHover')} />
            </svg>
          )}
        </section>
      )}
    </figure>
  )
}
