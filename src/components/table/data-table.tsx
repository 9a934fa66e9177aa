import { useEffect, useRef, type ReactNode, startTransition, useState } from 'react'
import { lazy } from '../lazy.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { useLatest, useNarrow, useRecovery, useStore } from '../hooks.ts'
import { LazyExtra } from '../part.tsx'
import { Button } from '../controls.tsx'
import type { ExportSource } from './run-export.ts'
import { PlainBody, type BodyProps } from './rows.tsx'
import { Table, type TableProps } from './table.tsx'
import { ExportMenu } from './export-menu.tsx'
import type { PagedRows } from '../../lib/paging.ts'
import { settings } from '../../lib/storage/settings.ts'
import { ColumnsIcon } from '../icons.ts'
import { Menu } from '../overlays/menu.tsx'
import { hiddenIds, type Column } from './columns.ts'

const windowFrom = 100
const VirtualBody = lazy(() => import('./virtual-body.tsx'), 'VirtualBody') as unknown as <Row>(
  props: BodyProps<Row> & { key?: string },
) => ReactNode

export type More = {
  has: boolean
  loading: boolean
  load: () => void
  /** Shown instead of the button when the last page failed to load. */
  failed?: ReactNode
  /** Whether further pages wait for the button, although the end is in view. */
  held?: boolean
}

/** Of a list that came as a whole. */
export const noMore: More = { has: false, loading: false, load: () => undefined }

type Props<Row> = TableProps<Row> & {
  /** What one row is: “block”. */
  noun: string
  /** The plural of `noun`; by default with an s. */
  nouns?: string | undefined
  more?: More
  /** What was loaded, if a row may stand for several; by default the number of rows. */
  loaded?: number | undefined
  source?: ExportSource<Row>
  /** Filters, shown left of the table's own buttons. */
  tools?: ReactNode
  /** Shown below the filters until there are rows: their place, or why they could not be loaded. */
  instead?: ReactNode
  /** Pictures of the rows, drawn instead of the table. */
  pictures?: ReactNode
  /** New rows that are not shown yet, in a list that grows at its top. */
  fresh?: { count: number; onShow: () => void } | undefined
}

function WindowBody<Row>(props: BodyProps<Row>) {
  return (
    <LazyExtra fallback={<PlainBody {...props} />}>
      {/* With other heights, and where a narrow table begins, another body measures anew. */}
      <VirtualBody key={`${props.narrow} ${props.height}`} {...props} />
    </LazyExtra>
  )
}

/**
 * A paged list: a table with its row count, a column menu, an export of all pages and a pill for new rows. With
 * more than 100 rows only those near the viewport are rendered.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { noun, nouns = `${noun}s`, more, source, tools, fresh, instead, pictures, loaded, ...table } = props
  const { id, columns, rows } = table
  const count = loaded ?? rows.count
  const narrow = useNarrow()
  // Of a longer one, these are shown until the code that draws only a part of it is there.
  const drawn = useSteps(Math.min(rows.count, windowFrom))
  // What is below the table says why it is empty; there is nothing to count or to export.
  const isEmpty = count === 0 && instead === undefined && more?.has === false
  return (
    <div className="flex min-w-0 flex-col">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2 pb-2">
        <div className="flex max-w-full min-w-0 flex-wrap items-center gap-2">{tools}</div>
        <div className="ml-auto flex items-center gap-2 max-md:w-full max-md:justify-between max-md:has-[[data-wide]]:flex-wrap">
          {fresh && <Fresh {...fresh} />}
          <RowCount
            text={
              instead === undefined && !isEmpty ? rowCountText(count, noun, nouns, more?.has ?? false) : ''
            }
          />
          <span className="flex min-w-0 items-center gap-2 max-md:order-2">
            {!narrow && !pictures && <ColumnMenu id={id} columns={columns} rows={rows} />}
            {source && !isEmpty && <ExportMenu source={source} columns={columns} />}
          </span>
        </div>
      </div>
      {instead ?? (
        <>
          {pictures ?? (
            <Table
              {...table}
              open={more?.has ?? false}
              drawn={drawn}
              body={rows.count > windowFrom ? WindowBody : PlainBody}
            />
          )}
          {more && <MoreRows more={more} nouns={nouns} />}
        </>
      )}
    </div>
  )
}

/** "46 validators", and of a longer list "First 50 blocks". */
export const rowCountText = (count: number, noun: string, nouns: string, hasMore: boolean): string =>
  `${hasMore ? 'First ' : ''}${formatInteger(count)} ${plural(count, noun, nouns)}`

/** How many rows a list shows, for the eye and for screen readers. */
export function RowCount({ text }: { text: string }) {
  return (
    <output aria-label="Rows" className="text-xs text-muted">
      {text}
    </output>
  )
}

/** A pill that shows new rows. Its space stays reserved while there are none, so that the layout does not shift. */
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

/** The end of a list: it loads the next page when it comes near, or when its button is pressed, and says why one failed. */
export function MoreRows({ more, nouns }: { more: More; nouns: string }) {
  const sentinel = useRef<HTMLDivElement>(null)
  const load = useLatest(more.load)
  const watching = more.has && !more.loading && !more.held && more.failed === undefined
  useEffect(() => {
    const element = sentinel.current
    if (!watching || !element) return
    // The sentinel may stay in view after a page has loaded, so each page gets a new observer.
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
      <Button disabled={more.loading} onClick={more.load}>
        {more.loading ? `Loading more ${nouns}` : 'Load more'}
      </Button>
    </div>
  )
}

/** Rows of a step: about what a window of 900 pixels shows. */
const step = 16

/**
 * How many of `count` rows to draw now: the first at once, and those below in the next frames, because drawing and placing
 * fifty rows in one task keeps a slow machine from painting and answering.
 */
function useSteps(count: number): number {
  const [drawn, setDrawn] = useState(step)
  useEffect(() => {
    if (drawn >= count) return
    const frame = requestAnimationFrame(() => startTransition(() => setDrawn(drawn + step)))
    return () => cancelAnimationFrame(frame)
  }, [drawn, count])
  return Math.min(count, drawn)
}

type ColumnsProps<Row> = { id: string; columns: readonly Column<Row>[]; rows: PagedRows<Row> }

/** Shows and hides the columns of a table; the choice is stored in the browser under the table's id. */
function ColumnMenu<Row>({ id, columns, rows }: ColumnsProps<Row>) {
  const chosen = useStore(settings, (all) => all.hiddenColumns[id])
  const hidden = hiddenIds(columns, chosen, rows)
  const toggle = (column: string, shown: boolean): void => {
    const next = new Set(hidden)
    if (shown) next.delete(column)
    else next.add(column)
    settings.set((now) => ({ ...now, hiddenColumns: { ...now.hiddenColumns, [id]: [...next] } }))
  }
  return (
    <Menu
      label="Columns"
      className="control control-small"
      entries={() =>
        columns.map((column) => ({
          kind: 'check',
          label: column.header,
          checked: !hidden.has(column.id),
          disabled: column.always ?? false,
          onChange: (shown) => toggle(column.id, shown),
        }))
      }
    >
      <ColumnsIcon size={14} />
      <span>Columns</span>
    </Menu>
  )
}
