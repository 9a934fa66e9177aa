import type { ExportFormat, ExportTable } from '../../../contract/sql/exports.ts'
import { useOffers } from '../current.ts'
import type { ExportQuery } from './exports.ts'

const formats = [
  ['csv', 'CSV'],
  ['jsonl', 'JSON lines'],
  ['parquet', 'Parquet'],
] as const satisfies readonly (readonly [ExportFormat, string])[]

/** The files that the service makes of a whole table; none in a deployment without exports. */
export function useTableFiles(table: ExportTable, query: ExportQuery) {
  const offered = useOffers('exportTable')
  return offered
    ? formats.map(([format, label]) => ({
        label,
        ending: format,
        load: async (options: { signal: AbortSignal; onRows: (count: number) => void }): Promise<Blob> => {
          const { downloadTable } = await import('./exports.ts')
          return downloadTable(table, query, format, options)
        },
      }))
    : []
}
