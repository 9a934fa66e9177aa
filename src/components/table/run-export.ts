import { download } from '../../lib/download.ts'
import { exportParts, type ExportFormat } from '../../lib/export.ts'
import type { Column } from './columns.ts'

/** Where an export's rows come from: every page of the list, not only what is loaded. */
export type ExportSource<Row> = {
  /** The file's name without its ending. */
  name: string
  pages: (signal: AbortSignal) => AsyncIterable<readonly Row[]>
}

/** Reads every page of a list into one file and hands it to the browser; an abort ends it with its reason. */
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
