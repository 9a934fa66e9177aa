import { download } from '../../lib/download.ts'
import { exportParts, type ExportFormat } from '../../lib/export.ts'
import type { Column } from './columns.ts'

/** The rows of an export: every page of the list, not only the loaded ones. */
export type ExportSource<Row> = {
  /** The file's name without its ending. */
  name: string
  pages: (signal: AbortSignal) => AsyncIterable<readonly Row[]>
  /** Files of the list that the service makes. */
  files?: readonly ServerFile[]
}

/** A file that the service makes of all rows: the name of its format, and the ending of its name. */
export type ServerFile = {
  readonly label: string
  readonly ending: string
  readonly load: (options: ExportOptions) => Promise<Blob>
}

type ExportOptions = { signal: AbortSignal; onRows: (count: number) => void }

/** Writes all pages of a list to one file and saves it; an abort rejects with its reason. */
export async function runExport<Row>(
  source: ExportSource<Row>,
  columns: readonly Column<Row>[],
  format: ExportFormat,
  options: ExportOptions,
): Promise<void> {
  const exported = columns.flatMap(({ header, text }) => (text ? [{ name: header, value: text }] : []))
  const parts = await exportParts(source.pages(options.signal), exported, format, options)
  download(`${source.name}.${format}`, format === 'csv' ? 'text/csv' : 'application/json', parts)
}

/** Saves a file that the service makes; an abort rejects with its reason. */
export async function saveServerFile(name: string, file: ServerFile, options: ExportOptions): Promise<void> {
  const blob = await file.load(options)
  download(`${name}.${file.ending}`, blob.type, [blob])
}
