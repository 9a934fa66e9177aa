import { useEffect, useRef, type ReactNode } from 'react'
import { lazy } from '../lazy.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { useLatest, useNarrow, useRecovery } from '../hooks.ts'
import { ColumnsIcon, DownloadIcon } from '../icons.ts'
import { LazyExtra } from '../part.tsx'
import type { ColumnsProps } from './column-menu.tsx'
import type { ExportProps } from './export-menu.tsx'
import type { ExportSource } from './run-export.ts'
import { PlainBody, type BodyProps } from './rows.tsx'
import { Table, type TableProps } from './table.tsx'

const ColumnMenu = lazy(() =>
  import('./column-menu.tsx').then((module) => ({ default: module.ColumnMenu })),
) as unknown as <Row>(props: ColumnsProps<Row>) => ReactNode
const ExportMenu = lazy(() =>
  import('./export-menu.tsx').then((module) => ({ default: module.ExportMenu })),
) as unknown as <Row>(props: ExportProps<Row>) => ReactNode

// A menu's place before its code has come: the button without what it does.
const columnsPlace = (
  <span className="control control-small" aria-hidden="true">
    <ColumnsIcon size={14} />
    <span>Columns</span>
  </span>
)
const exportPlace = (
  <span className="control control-small" aria-hidden="true">
    <DownloadIcon size={14} />
    <span className="max-md:sr-only">Export</span>
  </span>
)

const windowFrom = 100
const VirtualBody = lazy(() =>
  import('./virtual-body.tsx').then((module) => ({ default: module.VirtualBody })),
) as unknown as <Row>(props: BodyProps<Row>) => ReactNode

export type More = {
  has: boolean
  loading: boolean
  load: () => void
  /** Shown instead of the button when the last page could not be had. */
  failed?: ReactNode
}

type Props<Row> = TableProps<Row> & {
  /** What a row is: “block”. */
  noun: string
  /** What rows are, where that is not the noun with an s. */
  nouns?: string | undefined
  more?: More
  source?: ExportSource<Row>
  /** Filters and jumps, left of the table's own buttons. */
  tools?: ReactNode
  /** Rows that wait above the first one, in a list that can grow there. */
  fresh?: { count: number; onShow: () => void } | undefined
}

function WindowBody<Row>(props: BodyProps<Row>) {
  return (
    <LazyExtra fallback={<PlainBody {...props} />}>
      <VirtualBody {...props} />
    </LazyExtra>
  )
}

/**
 * A list of many pages: a table with its row count, column chooser, export of all pages, a pill for rows
 * that wait, and rows drawn only near the window past 100.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { noun, nouns = `${noun}s`, more, source, tools, fresh, ...table } = props
  const { id, columns, rows } = table
  const narrow = useNarrow()
  return (
    <div className="flex min-w-0 flex-col">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2 pb-2">
        <div className="flex flex-wrap items-center gap-2">{tools}</div>
        <div className="flex items-center gap-2 max-md:w-full max-md:justify-between">
          {fresh && <Fresh {...fresh} />}
          <output className="text-xs text-muted">
            {formatInteger(rows.count)} {plural(rows.count, noun, nouns)} loaded
            {more && !more.has ? ', all' : ''}
          </output>
          <span className="flex items-center gap-2 max-md:order-2">
            {!narrow && (
              <LazyExtra fallback={columnsPlace}>
                <ColumnMenu id={id} columns={columns} />
              </LazyExtra>
            )}
            {source && (
              <LazyExtra fallback={exportPlace}>
                <ExportMenu source={source} columns={columns} />
              </LazyExtra>
            )}
          </span>
        </div>
      </div>
      <Table {...table} open={more?.has ?? false} body={rows.count > windowFrom ? WindowBody : PlainBody} />
      {more && <MoreRows more={more} nouns={nouns} />}
    </div>
  )
}

/** The pill for rows that wait. Its place is kept while there are none, so that nothing moves when it comes. */
function Fresh({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <span className="flex min-w-24 justify-end max-md:order-1 max-md:justify-center">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="h-7 rounded-full bg-accent px-3 text-xs font-strong text-on-accent"
        >
          {formatInteger(count)} new
        </button>
      )}
    </span>
  )
}

function MoreRows({ more, nouns }: { more: More; nouns: string }) {
  const sentinel = useRef<HTMLDivElement>(null)
  const load = useLatest(more.load)
  const watching = more.has && !more.loading && more.failed === undefined
  useEffect(() => {
    const element = sentinel.current
    if (!watching || !element) return
    // A page that arrives may leave the sentinel in view without a new crossing: each is watched anew.
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load.current(), {
      rootMargin: '800px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [load, watching])
  useRecovery(() => more.failed !== undefined && load.current())
  if (more.failed !== undefined) return <>{more.failed}</>
  if (!more.has) return null
  return (
    <div ref={sentinel} className="flex justify-center py-4">
      <button type="button" className="control" disabled={more.loading} onClick={more.load}>
        {more.loading ? `Loading more ${nouns}` : 'Load more'}
      </button>
    </div>
  )
}
