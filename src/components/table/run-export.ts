import { download } from '../../lib/download.ts'
import { exportParts, type ExportFormat } from '../../lib/export.ts'
import type { Column } from './columns.ts'

/** The rows of an export: every page of the list, not only the loaded ones. */
export type ExportSource<Row> = {
  /** The file's name without its ending. */
  name: string
  pages: (signal: AbortSignal) => AsyncIterable<readonly Row[]>
}

/** Writes all pages of a list to one file and saves it; an abort rejects with its reason. */
export async function runExport<Row>(
  source: ExportSource<Row>,
  columns: readonly Column<Row>[],
  format: ExportFormat,
  options: { signal: AbortSignal; onRows: (count: number) => void },
): Promise<void> {
  const exported = columns.flatMap(({ header, text }) => (text ? [{ name: header, value: text }] : []))
  const parts = await exportParts(source.pages(options.signal), exported, format, options)
  download(`${source.name}.${format}`, format === 'csv' ? 'text/csv' : 'application/json', parts)
}
