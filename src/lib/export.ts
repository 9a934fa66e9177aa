/** One exported column: its heading and the text of a row's cell. */
type ExportColumn<Row> = { name: string; value: (row: Row) => string }

const formula = /^[=+\-@\t\r]/

/** One CSV cell (RFC 4180). Text that a spreadsheet would execute as a formula gets a leading quote mark. */
export function csvCell(text: string): string {
  const safe = formula.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** CSV lines of rows; each line ends with CRLF. */
function csvLines<Row>(columns: readonly ExportColumn<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => `${columns.map((column) => csvCell(column.value(row))).join(',')}\r\n`).join('')
}

/** The heading line of a CSV file. */
function csvHead<Row>(columns: readonly ExportColumn<Row>[]): string {
  return `${columns.map((column) => csvCell(column.name)).join(',')}\r\n`
}

/** JSON text of any value; bigint is written as a number with all its digits. */
export function jsonText(value: unknown, space?: number): string {
  const mark = '\u0001n'
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === 'bigint' ? `${mark}${item.toString()}` : item),
    space,
  )
  return text.replace(/"\\u0001n(-?\d+)"/g, '$1')
}

export type ExportFormat = 'csv' | 'json'

/**
 * Writes the rows of all pages as parts of one file, page by page, so that a long list is never in memory twice.
 * Throws the signal's reason when it aborts. `onRows` is called with the count so far.
 */
export async function exportParts<Row>(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly ExportColumn<Row>[],
  format: ExportFormat,
  options: { signal: AbortSignal; onRows: (count: number) => void },
): Promise<string[]> {
  const parts: string[] = [format === 'csv' ? csvHead(columns) : '[']
  let count = 0
  for await (const rows of pages) {
    options.signal.throwIfAborted()
    if (format === 'csv') parts.push(csvLines(columns, rows))
    else parts.push(rows.map((row, index) => `${count + index ? ',' : ''}\n${jsonText(row)}`).join(''))
    count += rows.length
    options.onRows(count)
  }
  if (format === 'json') parts.push('\n]\n')
  return parts
}
