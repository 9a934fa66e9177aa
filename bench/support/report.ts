/**
 * One measured figure. `anchor` is the figure of minimal code on the same machine in the same run: on a
 * shared machine, figures of different runs differ by a quarter, ratios do not.
 */
export type Figure = {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly anchor?: { readonly name: string; readonly value: number }
  /** Bounds that docs/performance.md sets on the value, or on the ratio of value to anchor. */
  readonly budget?: Budget
}

export type Budget = {
  readonly of: 'value' | 'ratio'
  readonly bound: 'at least' | 'at most'
  readonly limit: number
}

/** Budgets on the value itself. */
export const atMost = (limit: number): Budget => ({ of: 'value', bound: 'at most', limit })
export const atLeast = (limit: number): Budget => ({ of: 'value', bound: 'at least', limit })

/** The result of one bench: figures, and sentences that explain the measurement. */
export type Report = {
  readonly title: string
  readonly figures: readonly Figure[]
  readonly notes: readonly string[]
}

/** The value divided by its anchor; undefined without an anchor or if it is 0. */
export function ratioOf(figure: Figure): number | undefined {
  return figure.anchor && figure.anchor.value !== 0 ? figure.value / figure.anchor.value : undefined
}

/** Whether a figure meets its budget; undefined without a budget. */
export function isMet(figure: Figure): boolean | undefined {
  if (!figure.budget) return undefined
  const measured = figure.budget.of === 'value' ? figure.value : ratioOf(figure)
  if (measured === undefined) return undefined
  return figure.budget.bound === 'at least'
    ? measured >= figure.budget.limit
    : measured <= figure.budget.limit
}

/** A number with three significant digits below 1,000 and without decimals above. */
export function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

const headings = ['figure', 'value', 'anchor, same run', 'ratio', 'budget', ''] as const

function cellsOf(figure: Figure): string[] {
  const ratio = ratioOf(figure)
  const met = isMet(figure)
  const { budget } = figure
  return [
    figure.name,
    `${formatNumber(figure.value)} ${figure.unit}`.trim(),
    figure.anchor ? `${formatNumber(figure.anchor.value)} (${figure.anchor.name})` : '',
    ratio === undefined ? '' : ratio.toFixed(ratio < 0.1 ? 3 : 2),
    budget
      ? `${budget.bound} ${formatNumber(budget.limit)}${budget.of === 'ratio' ? ' of the anchor' : ` ${figure.unit}`}`
      : '',
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ]
}

/** The report as a Markdown table, which is readable on a terminal and in documents. */
export function formatReport(report: Report): string {
  const rows = [headings.map(String), ...report.figures.map(cellsOf)]
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0), 3))
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  const table = [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body.map(line)]
  return [`## ${report.title}`, '', ...table, ...report.notes.flatMap((note) => ['', note]), ''].join('\n')
}

/** The value below which the given share (0 to 1) of the samples lies; NaN of none. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** The median of the samples, which one slow run on a shared machine does not affect. */
export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5)
}
