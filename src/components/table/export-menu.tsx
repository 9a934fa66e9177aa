import { useEffect, useRef, useState } from 'react'
import { formatInteger } from '../../lib/amounts.ts'
import type { ExportFormat } from '../../lib/export.ts'
import { DownloadIcon } from '../icons.ts'
import { Menu } from '../overlays/menu.tsx'
import type { Column } from './columns.ts'
import type { ExportSource } from './run-export.ts'

type State = { kind: 'idle' } | { kind: 'running'; rows: number } | { kind: 'failed'; message: string }

/** Exports all pages as CSV or JSON, shows how far it is, and can be cancelled. */
export function ExportMenu<Row>({
  source,
  columns,
}: {
  source: ExportSource<Row>
  columns: readonly Column<Row>[]
}) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])

  const run = async (format: ExportFormat): Promise<void> => {
    const { signal } = (controller.current = new AbortController())
    setState({ kind: 'running', rows: 0 })
    try {
      const { runExport } = await import('./run-export.ts')
      await runExport(source, columns, format, {
        signal,
        onRows: (rows) => setState({ kind: 'running', rows }),
      })
      setState({ kind: 'idle' })
    } catch (error) {
      setState(
        signal.aborted
          ? { kind: 'idle' }
          : { kind: 'failed', message: error instanceof Error ? error.message : String(error) },
      )
    }
  }

  if (state.kind === 'running')
    return (
      <span className="flex items-center gap-2 text-muted">
        <output>Exporting, {formatInteger(state.rows)} rows</output>
        <button type="button" className="control control-small" onClick={() => controller.current?.abort()}>
          Cancel
        </button>
      </span>
    )
  return (
    <span className="flex items-center gap-2">
      {state.kind === 'failed' && (
        <span role="alert" className="text-bad">
          The export failed: {state.message}
        </span>
      )}
      <Menu
        label="Export"
        className="control control-small"
        entries={() => [
          { kind: 'action', label: 'CSV', note: 'All pages', onSelect: () => void run('csv') },
          { kind: 'action', label: 'JSON', note: 'All pages, every field', onSelect: () => void run('json') },
        ]}
      >
        <DownloadIcon size={14} />
        <span className="max-md:sr-only">Export</span>
      </Menu>
    </span>
  )
}
