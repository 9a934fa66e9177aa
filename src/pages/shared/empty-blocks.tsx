import { useCallback, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { Link } from '../../components/link.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { blockRows, type BlockRow, type FoldBlock } from '../../lib/empty-runs.ts'
import { pagedRows, type PagedRows } from '../../lib/paging.ts'
import { Button } from '../../components/controls.tsx'

/** Blocks of a last run from which on further pages wait for their button: an idle chain would be loaded to its end. */
const longRun = 100

/** Rows that fill a window. While there are fewer, a page that loads by itself would move what is in view. */
const windowful = 20

/** Whether a list of blocks shows empty ones one by one, in the URL. */
export const emptyBlocksSchema = z.object({ empty: z.catch(z.enum(['fold', 'show']), 'fold') })
type EmptyBlocks = z.infer<typeof emptyBlocksSchema>

/** A button that shows empty blocks one by one, or folds them. */
export function EmptyToggle({
  empty,
  onChange,
}: {
  empty: EmptyBlocks['empty']
  onChange: (next: EmptyBlocks) => void
}) {
  const shown = empty === 'show'
  return (
    <Button
      small
      aria-pressed={shown}
      title={shown ? 'Group empty blocks' : 'Show empty blocks one by one'}
      onClick={() => onChange({ empty: shown ? 'fold' : 'show' })}
    >
      Show empty blocks
    </Button>
  )
}

type Href = ((height: string) => string) | undefined

/** The row of a run of empty blocks: how many there are, their heights, and the time of the newest. */
function RunRow({
  row,
  href,
  nouns,
  narrow,
}: {
  row: BlockRow<TimedBlock>
  href: Href
  nouns: string
  narrow: boolean
}) {
  const { run, blockNumber } = row
  if (!run) return null
  const words = `${formatInteger(run.count)} ${run.open ? 'or more ' : ''}${nouns}`
  const heights = `${formatInteger(run.oldest)}–${formatInteger(blockNumber)}`
  const first = href ? (
    <Link to={href(blockNumber)} className="link truncate">
      {words}
    </Link>
  ) : (
    <span className="truncate">{words}</span>
  )
  const time = <TimeAgo at={row.blockTimestamp} />
  if (narrow)
    return (
      <div className="flex flex-col items-start gap-0.5 text-muted">
        {first}
        <span className="flex w-full justify-between gap-2">
          <span>{heights}</span>
          {time}
        </span>
      </div>
    )
  return (
    <div className="flex items-center justify-between gap-3 text-muted">
      <span className="flex min-w-0 gap-2">
        {first}
        <span className="whitespace-nowrap">{heights}</span>
      </span>
      {time}
    </div>
  )
}

type TimedBlock = FoldBlock & { readonly blockTimestamp: number }

type Folding<Block> = {
  pages: readonly (readonly Block[])[]
  more: boolean
  empty: EmptyBlocks['empty']
  /** The address of the same list from a height on, with its empty blocks one by one; undefined: there is none. */
  hrefFrom: Href
  /** What the blocks of a run are: “empty blocks”. */
  nouns: string
}

/** The rows of a list of blocks in which runs of empty blocks are one row, and what its table needs for them. */
export function useFolded<Block extends TimedBlock>({
  pages,
  more,
  empty,
  hrefFrom,
  nouns,
}: Folding<Block>): {
  rows: PagedRows<BlockRow<Block>>
  loaded: number
  held: boolean
  whole: (row: BlockRow<Block>, narrow: boolean) => ReactNode | undefined
} {
  const all = pagedRows<BlockRow<Block>>(pages)
  const rows = empty === 'fold' ? blockRows(pages, more) : all
  const last = rows.at(rows.count - 1)?.run
  return {
    rows,
    loaded: all.count,
    held: empty === 'fold' && (rows.count < windowful || (last !== undefined && last.count >= longRun)),
    whole: useCallback(
      (row: BlockRow<Block>, narrow: boolean) =>
        row.run && <RunRow row={row} href={hrefFrom} nouns={nouns} narrow={narrow} />,
      [hrefFrom, nouns],
    ),
  }
}
