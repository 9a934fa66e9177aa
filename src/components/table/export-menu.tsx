import { useState } from 'react'
import { formatInteger } from '../../lib/amounts.ts'
import type { ExportFormat } from '../../lib/export.ts'
import { DownloadIcon } from '../icons.ts'
import { Menu } from '../overlays/menu.tsx'
import { useRequest } from '../use-request.ts'
import { Button } from '../controls.tsx'
import type { Column } from './columns.ts'
import { runExport, saveServerFile, type ExportSource, type ServerFile } from './run-export.ts'

type ExportProps<Row> = { source: ExportSource<Row>; columns: readonly Column<Row>[] }

/** Exports all pages as CSV or JSON, or saves a file of the service, with progress and a Cancel button. */
export function ExportMenu<Row>({ source, columns }: ExportProps<Row>) {
  const [rows, setRows] = useState(0)
  const request = useRequest(async (wanted: ExportFormat | ServerFile, signal) => {
    setRows(0)
    const options = { signal, onRows: setRows }
    if (typeof wanted === 'string') await runExport(source, columns, wanted, options)
    else await saveServerFile(source.name, wanted, options)
  })
  const { files = [] } = source
  const scope = files.length > 0 ? 'All pages, as shown' : 'All pages'

  if (request.isPending)
    return (
      <span data-wide className="flex flex-wrap items-center gap-2 text-muted">
        <output>Exporting, {formatInteger(rows)} rows</output>
        <Button small onClick={request.cancel}>
          Cancel
        </Button>
      </span>
    )
  return (
    <span className="flex items-center gap-2">
      {request.error && (
        <span data-wide role="alert" className="min-w-0 wrap-anywhere text-bad">
          The export failed: {request.error.message}
        </span>
      )}
      <Menu
        label="Export"
        className="control control-small"
        entries={() => [
          ...files.map((file) => ({
            kind: 'action' as const,
            label: `All rows as ${file.label}`,
            note: 'By the service, exact amounts',
            onSelect: () => request.mutate(file),
          })),
          { kind: 'action', label: 'CSV', note: scope, onSelect: () => request.mutate('csv') },
          {
            kind: 'action',
            label: 'JSON',
            note: 'All pages, every field',
            onSelect: () => request.mutate('json'),
          },
        ]}
      >
        <DownloadIcon size={14} />
        <span className="max-md:sr-only">Export</span>
      </Menu>
    </span>
  )
}
