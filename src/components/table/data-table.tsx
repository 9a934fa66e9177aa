import { useEffect, useRef, type ReactNode } from 'react'
import { lazy } from '../lazy.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { useLatest, useNarrow, useRecovery } from '../hooks.ts'
import { LazyExtra } from '../part.tsx'
import { Button } from '../controls.tsx'
import type { ExportSource } from './run-export.ts'
import { PlainBody, type BodyProps } from './rows.tsx'
import { Table, type TableProps } from './table.tsx'
import { useSteps } from './use-steps.ts'
import { ColumnMenu } from './column-menu.tsx'
import { ExportMenu } from './export-menu.tsx'

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
  const { noun, nouns = `${noun}s`, more, source, tools, fresh, instead, loaded, ...table } = props
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
            {!narrow && <ColumnMenu id={id} columns={columns} rows={rows} />}
            {source && !isEmpty && <ExportMenu source={source} columns={columns} />}
          </span>
        </div>
      </div>
      {instead ?? (
        <>
          <Table
            {...table}
            open={more?.has ?? false}
            drawn={drawn}
            body={rows.count > windowFrom ? WindowBody : PlainBody}
          />
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

function MoreRows({ more, nouns }: { more: More; nouns: string }) {
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
