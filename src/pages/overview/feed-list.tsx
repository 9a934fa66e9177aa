import { useState, type FocusEvent, type ReactNode } from 'react'
import { PauseIcon, PlayIcon } from '../../components/icons.ts'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { Failed } from '../shared/failed.tsx'

const rowHeight = 52

type Keep = Record<'onPointerEnter' | 'onPointerLeave' | 'onFocus', () => void> & {
  onBlur: (event: FocusEvent<HTMLElement>) => void
}

/** Whether a feed is held still: paused by its button, or while the pointer or the focus is in one of its lists. */
export function useStill(): { still: boolean; paused: boolean; toggle: () => void; keep: Keep } {
  const [paused, setPaused] = useState(false)
  const [touched, setTouched] = useState(false)
  return {
    still: paused || touched,
    paused,
    toggle: () => setPaused((now) => !now),
    keep: {
      onPointerEnter: () => setTouched(true),
      onPointerLeave: () => setTouched(false),
      onFocus: () => setTouched(true),
      // Moving the focus from row to row does not leave the list.
      onBlur: (event) => setTouched(event.currentTarget.contains(event.relatedTarget)),
    },
  }
}

type ActionsProps = {
  /** The number of blocks that arrived while the feed was held. */
  waiting: number
  onShow: () => void
  paused: boolean
  onToggle: () => void
}

/** The buttons above a feed: show what waits, and pause. */
export function FeedActions({ waiting, onShow, paused, onToggle }: ActionsProps) {
  return (
    <>
      {waiting > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="h-7 rounded-full bg-accent px-3 text-xs font-strong text-on-accent"
        >
          {formatInteger(waiting)} new
        </button>
      )}
      <button
        type="button"
        className="control control-small"
        aria-pressed={paused}
        onClick={onToggle}
        title={paused ? 'Resume updates' : 'Pause updates'}
      >
        {paused ? <PlayIcon size={14} /> : <PauseIcon size={14} />}
        {paused ? 'Paused' : 'Pause'}
      </button>
    </>
  )
}

type FeedProps = {
  label: string
  /** The number of rows that have their place. */
  shown: number
  query: { isPending: boolean; error: unknown; refetch: () => unknown }
  keep: Keep
  failed: string
  empty: string
  rows: ReactNode[] | undefined
}

/**
 * A list of a feed: its rows, or loading, failed or empty at the same height. While the pointer or the focus is in it,
 * `keep` tells its owner to hold the rows still.
 */
export function FeedList({ label, query, keep, failed, empty, rows, shown }: FeedProps) {
  // The same height before, while and after they load, so that nothing below shifts.
  return (
    <div style={{ minHeight: shown * rowHeight + 1 }} className="border-t border-line">
      {rows === undefined ? (
        query.isPending ? (
          <SkeletonRows count={shown} height={rowHeight} />
        ) : (
          <Failed title={failed} error={query.error} onRetry={() => void query.refetch()} />
        )
      ) : rows.length === 0 ? (
        <EmptyState title={empty}>It appears here as soon as the node has sent it.</EmptyState>
      ) : (
        <ul aria-label={label} {...keep}>
          {rows.map((line, place) => (
            // Each position keeps its element while the blocks move through it, so that nothing shifts.
            <li
              key={place}
              style={{ height: rowHeight }}
              className="flex items-center justify-between gap-4 overflow-hidden border-b border-line"
            >
              {line}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
