import { useMemo, useState, type KeyboardEvent, type PointerEvent } from 'react'
import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import { DAY, monthName, weekdayName } from '../../../../charts/series/periods.ts'
import { useWidth } from '../../../components/charts/use-width.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { shorten } from '../../../lib/text.ts'
import { Choice } from '../../shared/choice.tsx'
import { Button } from '../../../components/controls.tsx'
import { cellAt, cellText, heatPaths, heatRows, layOutHeat, type HeatKind, type HeatLevel } from './heat.ts'
import { memberName } from './member-name.ts'

const looks: Readonly<Record<HeatLevel, { fill: string; opacity: number; words: string }>> = {
  full: { fill: 'var(--color-series-3)', opacity: 0.4, words: 'all of it' },
  high: { fill: 'var(--color-series-3)', opacity: 1, words: '95 % and more' },
  middle: { fill: 'var(--color-warn)', opacity: 0.75, words: 'less' },
  low: { fill: 'var(--color-bad)', opacity: 1, words: 'too little for a reward' },
  none: { fill: 'none', opacity: 1, words: 'no samples' },
}
const levels = Object.entries(looks) as [HeatLevel, (typeof looks)[HeatLevel]][]

/** How many rows are shown at first; the worst come first. */
const firstRows = 20
/** How many names fit into the picture. */
const namedRows = 60
/** The width of a label such as "25 Nov". */
const labelWidth = 40

const dayText = (time: number): string =>
  `${weekdayName(time)} ${new Date(time * 1000).getUTCDate()} ${monthName(time)}`

function Swatch({ level }: { level: HeatLevel }) {
  const { fill, opacity } = looks[level]
  return (
    <svg width={12} height={12} aria-hidden="true">
      <rect
        x={0.5}
        y={0.5}
        width={11}
        height={11}
        rx={2}
        fill={fill}
        fillOpacity={opacity}
        stroke={level === 'none' ? 'var(--color-line-strong)' : 'none'}
      />
      {level === 'low' && <path d="M2 6h8" stroke="var(--color-surface)" strokeWidth={2} />}
    </svg>
  )
}

/** A name of at most `max` characters. Names of a fleet mostly differ at their ends, so these stay. */
function shortName(name: string, max: number): string {
  const half = Math.max(2, Math.floor((max - 1) / 2))
  return name.length > max ? shorten(name, half, half) : name
}

type Props = {
  members: readonly WatchFleetRow[]
  /** The start of the newest day, Unix seconds. */
  lastDay: number
  kind: HeatKind
  onKind: (kind: HeatKind) => void
}

const moves: Readonly<Record<string, readonly [row: number, day: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [10, 0],
  PageUp: [-10, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
}

const clamp = (value: number, max: number): number => Math.max(0, Math.min(max, value))

/**
 * The days of each node as cells, the worst nodes first. One tab stop: arrow keys move a cursor over the cells, and
 * what it stands on is read out.
 */
export function HeatStrip({ members, lastDay, kind, onKind }: Props) {
  const { ref, width } = useWidth()
  const [isWhole, setWhole] = useState(false)
  const [cursor, setCursor] = useState<{ row: number; day: number }>()
  const every = useMemo(() => heatRows(members, kind, memberName), [members, kind])
  const rows = useMemo(() => (isWhole ? every : every.slice(0, firstRows)), [every, isWhole])
  const days = rows[0]?.values.length ?? 0
  const firstDay = lastDay - (days - 1) * DAY
  const layout = useMemo(() => layOutHeat(width, rows.length, days), [width, rows.length, days])
  const drawn = useMemo(() => heatPaths(rows, layout), [rows, layout])
  const at = cursor && { row: clamp(cursor.row, rows.length - 1), day: clamp(cursor.day, days - 1) }
  const textAt = (place: { row: number; day: number }): string => {
    const one = rows[place.row]
    return one === undefined
      ? ''
      : cellText(one, one.values[place.day], dayText(firstDay + place.day * DAY), kind)
  }
  const reading = at && textAt(at)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    const from = at ?? { row: 0, day: days - 1 }
    const next =
      at === undefined && !event.key.startsWith('Page')
        ? from
        : { row: clamp(from.row + move[0], rows.length - 1), day: clamp(from.day + move[1], days - 1) }
    setCursor(next)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    setCursor(
      cellAt(
        layout,
        rows.length,
        days,
        event.clientX - box.left + layout.left,
        event.clientY - box.top + layout.top,
      ),
    )
  }
  const every7 = Math.max(1, Math.ceil(70 / Math.max(1, layout.column)))
  return (
    <figure className="m-0 flex min-w-0 flex-col gap-2" aria-label="Uptime by day and node">
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Choice
          label="What the strip shows"
          options={[
            { id: 'connected' as const, label: 'Connected, by day' },
            { id: 'uptime' as const, label: 'Uptime so far' },
          ]}
          current={kind}
          onChange={onKind}
        />
        <ul className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted" aria-label="Legend">
          {levels.map(([level, { words }]) => (
            <li key={level} className="flex items-center gap-1.5">
              <Swatch level={level} />
              {words}
            </li>
          ))}
        </ul>
      </figcaption>
      {/* The line is always there, so that nothing moves when the pointer enters. */}
      <p className="min-h-5 truncate text-xs text-muted max-md:min-h-10 max-md:whitespace-normal">
        {reading ?? 'Worst first.'}
      </p>
      <div ref={ref} className="relative min-w-0" style={{ height: layout.height }}>
        {width > 0 && (
          <>
            <svg width={width} height={layout.height} aria-hidden="true" className="block">
              {Array.from({ length: days }, (_, day) =>
                day % every7 === 0 ? (
                  <text
                    key={day}
                    // The newest label would end beyond the edge.
                    x={Math.min(layout.left + day * layout.column, width - labelWidth)}
                    y={11}
                    fontSize={11}
                    fill="var(--color-muted)"
                  >
                    {dayText(firstDay + day * DAY).slice(4)}
                  </text>
                ) : null,
              )}
              {rows.length <= namedRows &&
                rows.map(({ memberId, name }, index) => (
                  <text
                    key={memberId}
                    x={0}
                    y={layout.top + index * layout.row + 12}
                    fontSize={11}
                    fill={at?.row === index ? 'var(--color-text)' : 'var(--color-muted)'}
                  >
                    {shortName(name, (layout.left - 8) / 6.2)}
                  </text>
                ))}
              {levels.map(([level, { fill, opacity }]) => (
                <path
                  key={level}
                  d={drawn[level]}
                  fill={fill}
                  fillOpacity={opacity}
                  {...(level === 'none' && { stroke: 'var(--color-line)' })}
                />
              ))}
              {/* A bar through the worst cells, so that they differ by more than colour. */}
              {layout.row > 10 &&
                rows.flatMap(({ memberId, values, requirement }, y) =>
                  values.map((value, x) =>
                    value !== null && value < requirement ? (
                      <path
                        key={`${memberId}-${x}`}
                        d={`M${layout.left + x * layout.column + 2} ${layout.top + y * layout.row + layout.row / 2 - 1}h${Math.max(1, layout.column - 6)}`}
                        stroke="var(--color-surface)"
                        strokeWidth={2}
                      />
                    ) : null,
                  ),
                )}
              {at && (
                <rect
                  x={layout.left + at.day * layout.column - 1}
                  y={layout.top + at.row * layout.row - 1}
                  width={layout.column}
                  height={layout.row}
                  fill="none"
                  stroke="var(--color-text)"
                  strokeWidth={1.5}
                />
              )}
            </svg>
            <input
              type="range"
              className="peer absolute m-0 cursor-crosshair touch-pan-y appearance-none opacity-0"
              style={{
                left: layout.left,
                top: layout.top,
                width: Math.max(1, days * layout.column),
                height: Math.max(1, layout.height - layout.top),
              }}
              max={Math.max(0, rows.length * days - 1)}
              value={at ? at.row * days + at.day : Math.max(0, days - 1)}
              aria-label="Uptime by day and node: arrow keys move between days and nodes"
              aria-valuetext={reading ?? textAt({ row: 0, day: Math.max(0, days - 1) })}
              onChange={() => undefined}
              onKeyDown={onKeyDown}
              onPointerMove={onPointerMove}
              onPointerLeave={() => setCursor(undefined)}
              onBlur={() => setCursor(undefined)}
            />
            <div className="pointer-events-none absolute inset-0 rounded-small outline-offset-2 outline-accent peer-focus-visible:outline-2" />
          </>
        )}
      </div>
      {every.length > firstRows && (
        <Button small className="self-start" onClick={() => setWhole((now) => !now)}>
          {isWhole ? `Show the worst ${firstRows}` : `Show all ${formatInteger(every.length)}`}
        </Button>
      )}
    </figure>
  )
}
