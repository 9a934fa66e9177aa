import {
  exportKeys,
  exportPrimaryTable,
  exportTable,
  primaryExportKeys,
  snapshotHeader,
  type ExportFormat,
  type ExportTable,
  type PrimaryExportTable,
} from '../../../contract/sql/exports.ts'
import type { QueryOf } from '../../../contract/base/operation.ts'
import { LineParts } from '../../lib/line-parts.ts'
import { operationUrl } from '../client.ts'
import { ApiError, errorOfAnswer, isTransient } from '../errors.ts'
import { keyed, session } from '../session.ts'

type Filters<Operation extends typeof exportTable | typeof exportPrimaryTable> = Omit<
  QueryOf<Operation>,
  'format' | 'after' | 'snapshot'
>
/** A table of an EVM chain with its filters. */
export type EvmTable = { table: ExportTable; query: Filters<typeof exportTable> }
/** A table of the P- or X-Chain of a network with its filters. */
export type PrimaryTable = {
  network: string
  table: PrimaryExportTable
  query: Filters<typeof exportPrimaryTable>
}

/** Transfers in a row that may break off without a new row. */
const maxFailures = 3
const pause = 1_000

type Options = { signal: AbortSignal; onRows: (count: number) => void }

/**
 * Downloads all rows of a table as the service writes them. A transfer of lines that breaks off continues after the
 * last whole one; Parquet begins again only by hand. An abort rejects with its reason. Throws an ApiError.
 */
export async function downloadTable(
  exported: EvmTable | PrimaryTable,
  format: ExportFormat,
  { signal, onRows }: Options,
): Promise<Blob> {
  const { profile } = await session()
  const [operation, columns] =
    'network' in exported
      ? [exportPrimaryTable, primaryExportKeys[exported.table]]
      : [exportTable, exportKeys[exported.table]]
  const lines = new LineParts()
  const heads = format === 'csv' ? 1 : 0
  let snapshot: string | undefined
  for (let failures = 0; ;) {
    const before = lines.count
    const after = lines.count > heads ? keyOf(columns, format, lines.last) : undefined
    const url = operationUrl(operation, profile, exported, { ...exported.query, format, after, snapshot })
    try {
      const response = await fetch(url, { ...keyed(profile), signal })
      if (!response.ok || !response.body) throw await errorOfAnswer(response, Date.now())
      if (format === 'parquet') return await response.blob()
      snapshot ??= response.headers.get(snapshotHeader) ?? undefined
      // A heading that came alone comes again.
      if (after === undefined) lines.clear()
      const reader = response.body.getReader()
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        lines.add(read.value)
        onRows(Math.max(0, lines.count - heads))
      }
      return new Blob(lines.parts())
    } catch (cause) {
      signal.throwIfAborted()
      const error =
        cause instanceof ApiError
          ? cause
          : new ApiError('network', 'The transfer broke off.', { name: 'Network', cause })
      lines.dropRest()
      failures = lines.count > before ? 1 : failures + 1
      // The service may not have noticed yet that the transfer ended: then it counts as running, which is a 429.
      const isPassing = error.status === 429 || isTransient(error)
      if (lines.count === 0 || !isPassing || failures > maxFailures) throw error
      await new Promise((resolve) => setTimeout(resolve, pause * 2 ** failures))
    }
  }
}

/** The key of a row in its file, as a continued export takes it. */
function keyOf(columns: readonly string[], format: ExportFormat, line: string): string {
  // The key's integers follow the chain or the network.
  if (format === 'csv')
    return line
      .split(',')
      .slice(1, columns.length + 1)
      .join(',')
  const row = JSON.parse(line) as Readonly<Record<string, unknown>>
  return columns.map((name) => String(row[name])).join(',')
}
