import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { PagedRows } from '../../lib/paging.ts'
import { settings } from '../../lib/storage/settings.ts'
import { useMedia, useNarrow, useStore } from '../hooks.ts'
import { SkeletonRows } from '../skeleton.tsx'
import { hiddenIds, minWidth, type Column } from './columns.ts'
import { PlainBody, type BodyProps, type Whole } from './rows.tsx'

/** The heights of a row, in pixels: normal, compact, and of two lines. */
const rowHeights = { normal: 36, compact: 28, narrow: 60 } as const

type Sort = { by: string; order: 'asc' | 'desc'; onSort: (id: string) => void }

export type TableProps<Row> = {
  /** Key of the table's settings; the same table has the same id on every page. */
  id: string
  label: string
  columns: readonly Column<Row>[]
  rows: PagedRows<Row>
  rowKey: (row: Row) => string
  rowHref?: ((row: Row) => string) | undefined
  sort?: Sort | undefined
  whole?: Whole<Row> | undefined
}

type Props<Row> = TableProps<Row> & {
  /** Renders the rows; all of them by default. */
  body?: (props: BodyProps<Row>) => ReactNode
  /** How many of the rows are drawn already; all by default. */
  drawn?: number
  /** Whether more rows exist than are loaded. */
  open?: boolean
}

/** The height of a row as this page draws it, in pixels. */
function useRowHeight(): number {
  const narrow = useNarrow()
  const density = useStore(settings, (all) => all.density)
  return narrow ? rowHeights.narrow : rowHeights[density]
}

/** The place of a table's heading and of `count` rows while they load. */
export function TableSkeleton({ count }: { count: number }) {
  const height = useRowHeight()
  return (
    <div className="md:pt-9">
      <SkeletonRows count={count} height={height} />
    </div>
  )
}

/** The width that navigation, page margins and scroll bar may take, in pixels: with names, and with icons alone. */
export const beside = { names: 304, icons: 128 } as const

/** The width below which the columns would cut their figures, in pixels. */
export const widthOf = <Row,>(columns: readonly Column<Row>[]): number =>
  columns.reduce(
    (sum, { width, align }) =>
      sum +
      (width === undefined
        ? align === 'right'
          ? minWidth.figure
          : minWidth.text
        : Number.parseFloat(width)),
    0,
  )

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

/**
 * A table: sticky header, configurable columns, two lines a row when narrow. Arrow keys, Page keys, Home and End
 * move between rows, Enter opens one.
 */
export function Table<Row>({
  id,
  label,
  columns,
  rows,
  rowKey,
  rowHref,
  sort,
  whole,
  body = PlainBody,
  drawn = rows.count,
  open = false,
}: Props<Row>) {
  const narrow = useNarrow()
  const navigate = useNavigate()
  const height = useRowHeight()
  const chosen = useStore(settings, (all) => all.hiddenColumns[id])
  const [active, setActive] = useState(0)
  const table = useRef<HTMLTableElement>(null)

  // Rows compare their columns by identity, so the same choice must be the same array.
  const hidden = [...hiddenIds(columns, chosen, rows)].join()
  const shown = useMemo(() => {
    const ids = hidden.split(',')
    return columns.filter(({ id: column, narrow: place }) =>
      narrow ? place !== undefined : !ids.includes(column),
    )
  }, [columns, hidden, narrow])

  const width = widthOf(shown)
  // Only a table wider than the page scrolls: within a scrolling element headings cannot stick to the window.
  const fits = useMedia(
    `(min-width: ${width + beside.names}px), (min-width: ${width + beside.icons}px) and (max-width: 1099px)`,
  )

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

  const Body = body
  // A scrolling element must be focusable, whatever its rows contain.
  const scrolls = !fits && !narrow
  return (
    <div
      className={`min-w-0 ${scrolls ? 'scroll-hint relative overflow-x-auto' : ''}`}
      {...(scrolls && { tabIndex: 0, role: 'region', 'aria-label': `${label}, scrolls sideways` })}
    >
      {/* The rows are what takes the keys; one listener on their table serves all of them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <table
        ref={table}
        aria-label={label}
        aria-rowcount={open ? -1 : rows.count + 1}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          const row = event.target.closest<HTMLElement>('[data-row]')
          if (row) setActive(Number(row.dataset['row']))
        }}
        className={`w-full border-collapse ${narrow ? 'block [&>tbody]:block' : 'table-fixed'}`}
        {...(!narrow && { style: { minWidth: width } })}
      >
        {!narrow && (
          <colgroup>
            {shown.map((column) => (
              <col key={column.id} {...(column.width && { style: { width: column.width } })} />
            ))}
          </colgroup>
        )}
        <thead className={narrow ? 'sr-only' : fits ? 'sticky top-14 z-10 bg-surface' : ''}>
          <tr aria-rowindex={1}>
            {shown.map((column) => (
              <Heading key={column.id} column={column} sort={narrow ? undefined : sort} />
            ))}
          </tr>
        </thead>
        <Body
          rows={rows}
          columns={shown}
          rowKey={rowKey}
          height={height}
          narrow={narrow}
          active={active}
          whole={whole}
          drawn={drawn}
        />
      </table>
    </div>
  )
}

function Heading<Row>({ column, sort }: { column: Column<Row>; sort: Sort | undefined }) {
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
      className={`h-9 truncate px-3 text-xs font-normal text-muted shadow-[inset_0_-1px_0_var(--color-line)] first:pl-0 last:pr-0 ${side}`}
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
