import type { ReactNode } from 'react'
import type { comparisonReasons } from '../../../charts/catalogue/view.ts'
import { seriesColour } from '../../../charts/palette.ts'
import type { ChainFacts } from '../../api/current.ts'
import type { Figure } from '../../components/figures.tsx'
import { ChevronDownIcon, CloseIcon } from '../../components/icons.ts'
import type { MenuEntry } from '../../components/overlays/popups.tsx'
import { Menu } from '../../components/overlays/menu.tsx'
import { ChainDot } from '../shared/chain-dot.tsx'
import { Button } from '../../components/controls.tsx'
import type { MetricsState } from './state.ts'

/** A line of the chart with its figures; all lines have figures with the same labels or some of them. */
type ComparedLine = {
  readonly id: string
  readonly name: string
  readonly colour: string
  readonly figures: readonly Figure[]
}

/** The figures of several series of one chart: a row a series, a column a figure. */
export function ComparedFigures({
  label,
  lines,
}: {
  label: string
  lines: readonly ComparedLine[]
}): ReactNode {
  const labels = [...new Set(lines.flatMap(({ figures }) => figures.map((figure) => figure.label)))]
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
            <th scope="col" className="py-1.5 pr-3 text-left text-xs font-normal text-muted">
              Series
            </th>
            {labels.map((text) => (
              <th
                key={text}
                scope="col"
                className="px-3 py-1.5 text-right text-xs font-normal whitespace-nowrap text-muted"
              >
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ id, name, colour, figures }) => (
            <tr key={id} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-3 text-left font-strong md:whitespace-nowrap">
                <span
                  className="mr-2 inline-block size-2.5 rounded-full align-baseline"
                  style={{ background: colour }}
                />
                {name}
              </th>
              {labels.map((text) => {
                const figure = figures.find(({ label: own }) => own === text)
                const title = [figure?.title, figure?.note].filter((part) => typeof part === 'string')
                return (
                  <td
                    key={text}
                    className="px-3 py-1.5 text-right whitespace-nowrap tabular-nums"
                    title={title.join(' · ') || undefined}
                  >
                    {figure?.value ?? <span className="text-muted">–</span>}
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

const modes = [
  { id: 'plain', label: 'Absolute', not: 'noPlain' },
  { id: 'stacked', label: 'Stacked', not: 'noStack' },
  { id: 'indexed', label: 'Indexed, mean = 100', not: 'noIndex' },
] as const

/** How several chains are laid over each other, as entries of a menu; what is not possible says why. */
export function modeEntries(
  isCurrent: (mode: MetricsState['mode']) => boolean,
  reasons: ReturnType<typeof comparisonReasons>,
  onChange: (mode: MetricsState['mode']) => void,
): MenuEntry[] {
  return [
    { kind: 'heading', label: 'Chains' },
    ...modes.map(({ id, label, not }): MenuEntry => {
      const reason = reasons[not]
      return {
        kind: 'radio',
        label,
        checked: isCurrent(id),
        onSelect: () => onChange(id),
        ...(reason !== undefined && { note: reason, disabled: true }),
      }
    }),
  ]
}

/** Chooses chains to lay beside the page's own. */
export function CompareControl({
  own,
  comparable,
  chosen,
  onToggle,
}: {
  own: ChainFacts
  comparable: readonly ChainFacts[]
  chosen: readonly string[]
  onToggle: (chainId: string) => void
}): ReactNode {
  const others = comparable.filter((chain) => chain.chainId !== own.chainId)
  const entries = (): MenuEntry[] => [
    { kind: 'heading', label: `Compare ${own.name} with` },
    ...others.map((chain): MenuEntry => ({
      kind: 'check',
      label: chain.name,
      checked: chosen.includes(chain.chainId),
      onChange: () => onToggle(chain.chainId),
    })),
  ]
  const shown = others.filter((chain) => chosen.includes(chain.chainId))
  return (
    <>
      <Menu label="Compare with other chains" entries={entries} align="start">
        Compare
        <ChevronDownIcon size={14} className="text-muted" />
      </Menu>
      {shown.length > 0 && (
        <span className="flex items-center gap-1.5 text-xs text-muted">
          <ChainDot index={own.index} />
          {own.name}
        </span>
      )}
      {shown.map((chain) => (
        <Button
          key={chain.chainId}
          className="h-7 rounded-full text-xs"
          aria-label={`Stop comparing with ${chain.name}`}
          onClick={() => onToggle(chain.chainId)}
        >
          <span className="size-2.5 rounded-full" style={{ background: seriesColour(chain.index) }} />
          {chain.name}
          <CloseIcon size={12} />
        </Button>
      ))}
    </>
  )
}
