import { useMemo, useRef, useState } from 'react'
import { seriesColour } from '../../../../charts/palette.ts'
import { ChartMenu } from '../../../components/charts/chart-menu.tsx'
import { Shapes } from '../../../components/charts/shapes.tsx'
import { useWidth } from '../../../components/charts/use-width.ts'
import { useZone } from '../../../components/hooks.ts'
import { formatTime } from '../../../lib/time.ts'
import type { DryRun } from '../../../api/watch/rules.ts'
import { subjectName } from '../shared/subject.tsx'
import { measuredText } from '../shared/words.ts'
import { dryPlot } from './dry-chart.ts'
import { dryCsv, readingAt } from './dry-words.ts'

const HEIGHT = 240
/** How many places the cross-hair has. */
const STEPS = 240
/** The most rows of the table; the CSV has all. */
const tableRows = 300

type Props = {
  run: DryRun
  from: number
  to: number
  /** The line at which the rule fires. */
  threshold: number | undefined
  link: string
}

function Table({ run }: { run: DryRun }) {
  const zone = useZone()
  const rows = run.series.flatMap(({ subject, points }) => points.map((point) => ({ subject, point })))
  return (
    <section
      aria-label="What would have been measured"
      // A scrolling element must be focusable, otherwise its last rows are unreachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-auto rounded-base border border-line"
      style={{ height: HEIGHT }}
    >
      <table className="w-full border-collapse text-xs">
        <thead>
          <tr className="text-left text-muted">
            {['Time', 'Subject', 'State', 'Measured'].map((head) => (
              <th key={head} scope="col" className="px-2 py-1 font-normal">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, tableRows).map(({ subject, point }) => (
            <tr key={`${subject.id} ${point.timestamp}`} className="border-t border-line">
              <td className="px-2 py-1 whitespace-nowrap">{formatTime(point.timestamp, zone)}</td>
              <td className="px-2 py-1">{subjectName(subject)}</td>
              <td className="px-2 py-1">{point.state}</td>
              <td className="px-2 py-1">{measuredText(point.value, run.unit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > tableRows && (
        <p className="p-2 text-xs text-muted">The first {tableRows} changes; the CSV has all.</p>
      )}
    </section>
  )
}

/** A mark of the legend, with its name. */
function Mark({
  children,
  colour,
  shape,
}: {
  children: string
  colour: string
  shape: 'line' | 'dash' | 'area' | 'tip'
}) {
  return (
    <li className="flex min-w-0 items-center gap-1.5">
      <svg width={14} height={10} aria-hidden="true" className="shrink-0">
        {shape === 'line' && <path d="M0 5h14" stroke={colour} strokeWidth={2} />}
        {shape === 'dash' && <path d="M0 5h14" stroke={colour} strokeDasharray="4 3" />}
        {shape === 'area' && <path d="M0 0h14v10h-14z" fill={colour} fillOpacity={0.25} />}
        {shape === 'tip' && <path d="M2 1h10l-5 8z" fill={colour} />}
      </svg>
      <span className="truncate">{children}</span>
    </li>
  )
}

/**
 * A dry run as a chart: what was measured, the threshold, when it would have fired and been sent, and the spans without
 * data. The cross-hair is a slider: arrow keys move it, and what lies below it is read out.
 */
export function DryChart({ run, from, to, threshold, link }: Props) {
  const { ref, width } = useWidth()
  const zone = useZone()
  const drawing = useRef<SVGSVGElement>(null)
  const [at, setAt] = useState<number>()
  const [isTable, setTable] = useState(false)
  const plot = useMemo(
    () => (width === 0 ? null : dryPlot(run, { width, height: HEIGHT, from, to, threshold, unit: run.unit })),
    [run, width, from, to, threshold],
  )
  const timeOf = (step: number): number => from + ((to - from) * step) / STEPS
  const words = (step: number): string =>
    `${formatTime(Math.round(timeOf(step)), zone)}: ${readingAt(run, timeOf(step))}`
  const name = 'Dry run'
  return (
    <figure className="m-0 flex min-w-0 flex-col" aria-label={name}>
      <figcaption className="flex items-start justify-between gap-2">
        <div className="min-w-0 flex-1">
          <p className="min-h-5 text-xs text-muted max-md:min-h-10">
            {at === undefined
              ? `${plot && plot.axisUnit !== '' ? `In ${plot.axisUnit}, fitted, ` : ''}from ${formatTime(from, zone)}. Point at the chart, or use the arrow keys.`
              : words(at)}
          </p>
        </div>
        <ChartMenu
          name={name}
          file={[name]}
          csv={() => dryCsv(run)}
          picture={() =>
            drawing.current === null ? null : { svg: drawing.current, heading: name, note: run.unit }
          }
          link={link}
          table={isTable}
          onTable={setTable}
        />
      </figcaption>
      <div ref={ref} className="relative mt-1 min-w-0" style={{ height: HEIGHT }}>
        {isTable ? (
          <Table run={run} />
        ) : (
          plot && (
            <>
              <svg ref={drawing} width={width} height={HEIGHT} className="block" aria-hidden="true">
                <Shapes shapes={plot.shapes} />
              </svg>
              {at !== undefined && (
                <div
                  className="pointer-events-none absolute top-0 left-0 w-px bg-line-strong"
                  style={{
                    height: plot.geometry.plotHeight,
                    transform: `translate(${plot.geometry.x(timeOf(at))}px, ${plot.geometry.top}px)`,
                  }}
                />
              )}
              <input
                type="range"
                className="peer absolute m-0 cursor-crosshair touch-pan-y appearance-none opacity-0"
                style={{
                  left: plot.geometry.left,
                  top: plot.geometry.top,
                  width: plot.geometry.plotWidth,
                  height: plot.geometry.plotHeight,
                }}
                min={0}
                max={STEPS}
                step={1}
                value={at ?? STEPS}
                aria-label={`${name}: cross-hair over time`}
                aria-valuetext={words(at ?? STEPS)}
                onChange={(event) => setAt(event.currentTarget.valueAsNumber)}
                onPointerMove={(event) => {
                  const box = event.currentTarget.getBoundingClientRect()
                  const share = (event.clientX - box.left) / Math.max(1, box.width)
                  setAt(Math.round(Math.min(1, Math.max(0, share)) * STEPS))
                }}
                onPointerLeave={() => setAt(undefined)}
                onBlur={() => setAt(undefined)}
              />
              <div className="pointer-events-none absolute inset-0 rounded-small outline-offset-2 outline-accent peer-focus-visible:outline-2" />
            </>
          )
        )}
      </div>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted" aria-label="Legend">
        {run.unit !== 'events' &&
          run.series.map(({ subject }, index) => (
            <Mark key={subject.id} colour={seriesColour(index)} shape="line">
              {subjectName(subject)}
            </Mark>
          ))}
        {threshold !== undefined && run.unit !== 'events' && (
          <Mark
            colour="var(--color-text)"
            shape="dash"
          >{`fires at ${measuredText(threshold, run.unit)}`}</Mark>
        )}
        <Mark colour="var(--color-bad)" shape="area">
          would have fired
        </Mark>
        <Mark colour="var(--color-bad)" shape="tip">
          message sent
        </Mark>
        {run.unknownSpans.length > 0 && (
          <Mark colour="var(--color-line-strong)" shape="area">
            unknown
          </Mark>
        )}
      </ul>
    </figure>
  )
}
