import {
  useCallback,
  useMemo,
  useRef,
  useSyncExternalStore,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { periodMiddle } from '../../../charts/series/periods.ts'
import { useCrosshairStore } from './crosshair.ts'
import { selectedRange } from './overlay.tsx'
import { readingsAt, spoken } from './readings.ts'
import type { PlotProps } from '../../../charts/plot.ts'

type PointerProps = {
  readonly chartId: string
  /** What the chart shows, for its accessible name. */
  readonly name: string
  readonly plot: PlotProps
  /** Called with a selected range of whole periods (Unix seconds, `to` exclusive). */
  readonly onRange?: ((from: number, to: number) => void) | undefined
  readonly onReset?: (() => void) | undefined
}

const PAGE = 10
/** A shorter drag is a click. */
const DRAG = 5
/** How long a finger rests, in milliseconds, until it selects; one that moves further than SLIP before does not. */
const HOLD = 400
const SLIP = 10

function nearest(times: readonly number[], time: number): number {
  let low = 0
  let high = times.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  const after = times[low]
  const before = times[low - 1]
  if (after === undefined) return -1
  return before !== undefined && time - before < after - time ? low - 1 : low
}

function step(key: string): number | 'first' | 'last' | null {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return -1
  if (key === 'ArrowRight' || key === 'ArrowUp') return 1
  if (key === 'PageDown') return -PAGE
  if (key === 'PageUp') return PAGE
  if (key === 'Home') return 'first'
  if (key === 'End') return 'last'
  return null
}

/**
 * Handles pointer and keyboard of a chart. Assistive technology sees a slider over time whose text is the reading;
 * "View
 * as table" in the menu is the complete alternative.
 *
 * Arrow keys move the cross-hair (Page keys by ten, Home and End to the ends) and select with Shift, Enter applies
 * the
 * selection, Escape clears it, then the cross-hair. Dragging selects; a double click resets the range. Touch moves
 * the cross-hair and leaves vertical scrolling to the browser; the reading stays until the next touch. A finger that
 * rests for a moment selects from there on until it is lifted; two fingers select what is between them.
 */
export function PointerLayer({ chartId, name, plot, onRange, onReset }: PointerProps): ReactNode {
  const store = useCrosshairStore()
  const { geometry, series, interval, now } = plot
  const led = useSyncExternalStore(
    store.subscribe,
    () => (store.get().source === chartId ? store.get().time : null),
    () => null,
  )
  const times = useMemo(() => {
    const all = new Set(
      series.flatMap((one) => one.points.map((point) => periodMiddle(point.timestamp, interval))),
    )
    return [...all].filter((time) => time >= geometry.from && time <= geometry.to).sort((a, b) => a - b)
  }, [series, interval, geometry.from, geometry.to])
  const drag = useRef<{ anchor: number; x: number } | null>(null)
  /** The times under the fingers on the chart. */
  const fingers = useRef(new Map<number, number>()).current
  const hold = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)

  const release = (): void => {
    clearTimeout(hold.current?.timer)
    hold.current = null
  }

  const area = useCallback((element: HTMLInputElement) => {
    const still = (event: Event): void => {
      if (drag.current !== null) event.preventDefault()
    }
    // React listens passively: only a listener that may cancel a move keeps the page from scrolling.
    element.addEventListener('touchmove', still, { passive: false })
    return () => {
      element.removeEventListener('touchmove', still)
      clearTimeout(hold.current?.timer)
    }
  }, [])

  const snapped = (event: PointerEvent<HTMLElement>): number | null => {
    const box = event.currentTarget.getBoundingClientRect()
    return times[nearest(times, geometry.timeAt(geometry.left + event.clientX - box.left))] ?? null
  }

  const take = (): void => {
    const { selection } = store.get()
    store.dropSelection()
    if (selection === null || selection.from === selection.to || onRange === undefined) return
    const { from, to } = selectedRange(selection, interval)
    onRange(from, to)
  }

  /** Selects from the first finger to the last. */
  const selectBetween = (): void => {
    const under = [...fingers.values()]
    store.select(chartId, Math.min(...under), Math.max(...under))
  }

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    const time = snapped(event)
    if (time === null) return
    store.point(chartId, time)
    if (event.button !== 0 || onRange === undefined) return
    const { clientX: x, clientY: y } = event
    if (event.pointerType !== 'touch') {
      drag.current = { anchor: time, x }
      event.currentTarget.setPointerCapture(event.pointerId)
      return
    }
    release()
    if (event.isPrimary) fingers.clear()
    fingers.set(event.pointerId, time)
    if (fingers.size > 1) {
      drag.current = { anchor: time, x }
      selectBetween()
      return
    }
    const timer = setTimeout(() => {
      hold.current = null
      drag.current = { anchor: time, x }
      store.select(chartId, time, time)
    }, HOLD)
    hold.current = { timer, x, y }
  }

  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const time = snapped(event)
    if (time === null) return
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, time)
    if (drag.current !== null && fingers.size > 1) return selectBetween()
    const from = drag.current
    const rest = hold.current
    if (rest !== null && Math.hypot(event.clientX - rest.x, event.clientY - rest.y) > SLIP) release()
    if (from !== null && Math.abs(event.clientX - from.x) >= DRAG) store.select(chartId, from.anchor, time)
    else store.point(chartId, time)
  }

  const onPointerUp = (event: PointerEvent<HTMLElement>): void => {
    release()
    fingers.delete(event.pointerId)
    if (drag.current === null) return
    drag.current = null
    take()
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const state = store.get()
    const current = state.source === chartId ? state.time : null
    const by = step(event.key)
    if (by !== null) {
      event.preventDefault()
      const start = current === null ? times.length : nearest(times, current)
      const to = by === 'first' ? 0 : by === 'last' ? times.length - 1 : start + by
      const time = times[Math.min(times.length - 1, Math.max(0, to))]
      if (time === undefined) return
      if (event.shiftKey && onRange !== undefined)
        store.select(chartId, state.selection?.from ?? current ?? time, time)
      else {
        store.dropSelection()
        store.point(chartId, time)
      }
    } else if (event.key === 'Enter' && state.selection !== null) {
      event.preventDefault()
      take()
    } else if (event.key === 'Escape' && current !== null) {
      event.preventDefault()
      if (state.selection === null) store.leave(chartId)
      else store.dropSelection()
    }
  }

  const leave = (): void => store.leave(chartId)
  const last = times.length - 1
  const at = led === null ? last : nearest(times, led)
  const box = {
    left: geometry.left,
    top: geometry.top,
    width: geometry.plotWidth,
    height: geometry.plotHeight,
  }
  return (
    <>
      <input
        ref={area}
        type="range"
        className="peer absolute m-0 cursor-crosshair touch-pan-y appearance-none opacity-0 select-none"
        style={box}
        min={0}
        max={Math.max(0, last)}
        step={1}
        value={Math.max(0, at)}
        aria-label={`${name}: cross-hair over time`}
        aria-valuetext={spoken(readingsAt(series, times[at] ?? geometry.to, interval, now))}
        onChange={(event) => {
          const time = times[event.currentTarget.valueAsNumber]
          // A drag moves the slider's thumb too; the pointer's position counts, not the thumb's.
          if (time !== undefined && drag.current === null) store.point(chartId, time)
        }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          // The browser scrolls instead.
          release()
          fingers.clear()
          drag.current = null
          leave()
        }}
        onContextMenu={(event) => {
          if (drag.current !== null || hold.current !== null) event.preventDefault()
        }}
        onPointerLeave={(event) => {
          if (drag.current !== null) return
          // A finger leaves as soon as it is lifted, before anyone has read the figure.
          if (event.pointerType === 'touch')
            addEventListener('pointerdown', leave, { once: true, capture: true })
          else leave()
        }}
        onBlur={leave}
        onDoubleClick={onReset}
        onKeyDown={onKeyDown}
      />
      <div
        className="pointer-events-none absolute rounded-small outline-offset-2 outline-accent peer-focus-visible:outline-2"
        style={box}
      />
    </>
  )
}
