import {
  lazy,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { useNavigate } from 'react-router'
import { formatInteger } from '../../lib/amounts.ts'
import type { PagedRows } from '../../lib/paging.ts'
import { settings } from '../../lib/settings.ts'
import { plural } from '../../lib/text.ts'
import { useLatest, useNarrow, useStore } from '../hooks.ts'
import { ColumnMenu } from './column-menu.tsx'
import { hiddenIds, type Column } from './columns.ts'
import { ExportMenu, type ExportSource } from './export-menu.tsx'
import { PlainBody, type BodyProps } from './rows.tsx'

const windowFrom = 100
const VirtualBody = lazy(() =>
  import('./virtual-body.tsx').then((module) => ({ default: module.VirtualBody })),
) as unknown as <Row>(props: BodyProps<Row>) => ReactNode

/** The heights of a row, in pixels: normal, compact, and of two lines. */
export const rowHeights = { normal: 36, compact: 28, narrow: 60 } as const

export type More = {
  has: boolean
  loading: boolean
  load: () => void
  /** Shown instead of the button when the last page could not be had. */
  failed?: ReactNode
}

type Props<Row> = {
  /** Names the table's settings; the same table has the same id on every page. */
  id: string
  label: string
  /** What a row is: “block”. */
  noun: string
  columns: readonly Column<Row>[]
  rows: PagedRows<Row>
  rowKey: (row: Row) => string
  rowHref?: (row: Row) => string
  more?: More
  sort?: { by: string; order: 'asc' | 'desc'; onSort: (id: string) => void }
  source?: ExportSource<Row>
  /** Filters and jumps, left of the table's own buttons. */
  tools?: ReactNode
  /** Rows that wait above the first one. */
  fresh?: { count: number; onShow: () => void } | undefined
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

/**
 * A list: sticky header, chosen columns, rows drawn only near the window past 100, two lines a row when
 * narrow. Arrows, Page keys, Home and End move between rows, Enter opens one.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { id, label, noun, columns, rows, rowKey, rowHref, more, sort, source, tools, fresh } = props
  const narrow = useNarrow()
  const navigate = useNavigate()
  const density = useStore(settings, (all) => all.density)
  const chosen = useStore(settings, (all) => all.hiddenColumns[id])
  const [active, setActive] = useState(0)
  const table = useRef<HTMLTableElement>(null)
  const height = narrow ? rowHeights.narrow : rowHeights[density]

  // Rows compare their columns by identity, so the same choice must stay the same array.
  const shown = useMemo(() => {
    const hidden = hiddenIds(columns, chosen)
    return columns.filter((column) => (narrow ? column.narrow !== undefined : !hidden.has(column.id)))
  }, [columns, chosen, narrow])

  const focusRow = (index: number): void => {
    const find = () => table.current?.querySelector<HTMLElement>(`[data-row="${index}"]`)
    setActive(index)
    const row = find()
    if (row) row.focus()
    else {
      const top = (table.current?.getBoundingClientRect().top ?? 0) + scrollY
      scrollTo({ top: top + index * height - innerHeight / 2 })
      requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus()))
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>): void => {
    const target = event.target
    if (!(target instanceof HTMLTableRowElement) || target.dataset['row'] === undefined) return
    const at = Number(target.dataset['row'])
    const row = rows.at(at)
    if (event.key === 'Enter' && row !== undefined && rowHref) {
      event.preventDefault()
      void navigate(rowHref(row))
      return
    }
    const step = steps[event.key]
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? rows.count - 1
          : step === undefined
            ? undefined
            : at + step
    if (next === undefined) return
    event.preventDefault()
    focusRow(Math.min(rows.count - 1, Math.max(0, next)))
  }

  const body: BodyProps<Row> = { rows, columns: shown, rowKey, height, narrow, active }
  return (
    <div className="flex min-w-0 flex-col">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2 pb-2">
        <div className="flex flex-wrap items-center gap-2">{tools}</div>
        <div className="flex items-center gap-2 max-md:w-full max-md:justify-between">
          <output className="text-xs text-muted">
            {formatInteger(rows.count)} {plural(rows.count, noun)} loaded{more && !more.has ? ', all' : ''}
          </output>
          <span className="flex items-center gap-2">
            {!narrow && <ColumnMenu id={id} columns={columns} />}
            {source && <ExportMenu source={source} columns={columns} />}
          </span>
        </div>
      </div>
      <div className="relative min-w-0 md:max-lg:overflow-x-auto">
        {fresh && fresh.count > 0 && (
          <div className="sticky top-16 z-20 flex h-0 justify-center">
            <button
              type="button"
              onClick={fresh.onShow}
              className="z-20 mt-1 h-7 rounded-full bg-accent px-3 text-xs font-strong text-on-accent shadow-float md:mt-10"
            >
              {formatInteger(fresh.count)} new
            </button>
          </div>
        )}
        {/* The rows are what takes the keys; one listener on their table serves all of them. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <table
          ref={table}
          aria-label={label}
          aria-rowcount={more?.has ? -1 : rows.count + 1}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            const row = event.target.closest<HTMLElement>('[data-row]')
            if (row) setActive(Number(row.dataset['row']))
          }}
          className={`w-full border-collapse ${narrow ? 'block [&>tbody]:block' : 'table-fixed md:min-w-[760px]'}`}
        >
          {!narrow && (
            <colgroup>
              {shown.map((column) => (
                <col key={column.id} {...(column.width && { style: { width: column.width } })} />
              ))}
            </colgroup>
          )}
          <thead className={narrow ? 'sr-only' : 'z-10 bg-surface lg:sticky lg:top-14'}>
            <tr aria-rowindex={1}>
              {shown.map((column) => (
                <Heading key={column.id} column={column} sort={sort} />
              ))}
            </tr>
          </thead>
          {rows.count > windowFrom ? (
            <Suspense fallback={<PlainBody {...body} />}>
              <VirtualBody {...body} />
            </Suspense>
          ) : (
            <PlainBody {...body} />
          )}
        </table>
      </div>
      {more && <MoreRows more={more} noun={noun} />}
    </div>
  )
}

function Heading<Row>({ column, sort }: { column: Column<Row>; sort: Props<Row>['sort'] }) {
  const sorted = sort && sort.by === column.id ? sort.order : undefined
  const side = column.align === 'right' ? 'text-right' : 'text-left'
  const arrow = sorted === 'asc' ? ' ↑' : sorted === 'desc' ? ' ↓' : ''
  return (
    <th
      scope="col"
      {...(sort &&
        column.sortable && {
          'aria-sort': sorted === undefined ? 'none' : sorted === 'asc' ? 'ascending' : 'descending',
        })}
      className={`h-9 truncate px-2 text-xs font-normal text-muted shadow-[inset_0_-1px_0_var(--color-line)] first:pl-0 last:pr-0 ${side}`}
    >
      {sort && column.sortable ? (
        <button type="button" className="hover:text-text" onClick={() => sort.onSort(column.id)}>
          {column.header}
          {arrow}
        </button>
      ) : (
        column.header
      )}
    </th>
  )
}

function MoreRows({ more, noun }: { more: More; noun: string }) {
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
  if (more.failed !== undefined) return <>{more.failed}</>
  if (!more.has) return null
  return (
    <div ref={sentinel} className="flex justify-center py-4">
      <button type="button" className="control" disabled={more.loading} onClick={more.load}>
        {more.loading ? `Loading more ${noun}s` : 'Load more'}
      </button>
    </div>
  )
}
