import { useState } from 'react'
import { formatInteger } from '../../lib/amounts.ts'
import type { ExportFormat } from '../../lib/export.ts'
import { Menu } from '../overlays/menu.tsx'
import { useRequest } from '../use-request.ts'
import type { Column } from './columns.ts'
import { exportLabel } from './menu-labels.tsx'
import type { ExportSource } from './run-export.ts'

export type ExportProps<Row> = { source: ExportSource<Row>; columns: readonly Column<Row>[] }

/** Exports all pages as CSV or JSON, with progress and a Cancel button. */
export function ExportMenu<Row>({ source, columns }: ExportProps<Row>) {
  const [rows, setRows] = useState(0)
  const request = useRequest(async (format: ExportFormat, signal) => {
    setRows(0)
    const { runExport } = await import('./run-export.ts')
    await runExport(source, columns, format, { signal, onRows: setRows })
  })

  if (request.isPending)
    return (
      <span className="flex items-center gap-2 text-muted">
        <output>Exporting, {formatInteger(rows)} rows</output>
        <button type="button" className="control control-small" onClick={request.cancel}>
          Cancel
        </button>
      </span>
    )
  return (
    <span className="flex items-center gap-2">
      {request.error && (
        <span role="alert" className="text-bad">
          The export failed: {request.error.message}
        </span>
      )}
      <Menu
        label="Export"
        className="control control-small"
        entries={() => [
          { kind: 'action', label: 'CSV', note: 'All pages', onSelect: () => request.mutate('csv') },
          {
            kind: 'action',
            label: 'JSON',
            note: 'All pages, every field',
            onSelect: () => request.mutate('json'),
          },
        ]}
      >
        {exportLabel}
      </Menu>
    </span>
  )
}
