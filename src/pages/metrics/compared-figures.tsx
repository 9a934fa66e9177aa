import type { ReactNode } from 'react'
import type { Figure } from '../../components/figures.tsx'

/** A line of the chart with its figures; all lines have figures with the same labels or some of them. */
export type ComparedLine = {
  readonly id: string
  readonly name: string
  readonly colour: string
  readonly figures: readonly Figure[]
}

/** The figures of several series of one chart: a column a series, a row a figure. */
export function ComparedFigures({
  label,
  lines,
}: {
  label: string
  lines: readonly ComparedLine[]
}): ReactNode {
  const rows = [...new Set(lines.flatMap(({ figures }) => figures.map((figure) => figure.label)))]
  return (
    <section
      aria-label={label}
      // A scrolling element must be focusable, otherwise its last columns are unreachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-x-auto border-y border-line"
    >
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col" className="py-2 pr-3 text-left text-xs font-normal text-muted">
              Figure
            </th>
            {lines.map(({ id, name, colour }) => (
              <th
                key={id}
                scope="col"
                className="px-3 py-2 text-right text-xs font-strong md:whitespace-nowrap"
              >
                <span
                  className="mr-1.5 inline-block size-2.5 rounded-full align-baseline"
                  style={{ background: colour }}
                />
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-3 text-xs font-normal text-muted md:whitespace-nowrap">
                {row}
              </th>
              {lines.map(({ id, figures }) => {
                const figure = figures.find((one) => one.label === row)
                const title = [figure?.title, figure?.note].filter((text) => typeof text === 'string')
                return (
                  <td
                    key={id}
                    className="px-3 py-1.5 text-right font-strong whitespace-nowrap tabular-nums"
                    title={title.join(' · ') || undefined}
                  >
                    {figure?.value ?? <span className="font-normal text-muted">–</span>}
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
