import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { neighbourOf, type GraphLayout } from '../../../../charts/graph/layout.ts'
import { fitView, type Size, type View } from '../../../../charts/graph/marks.ts'
import { useLatest, useMedia, useStore } from '../../../components/hooks.ts'
import { settings } from '../../../lib/storage/settings.ts'
import { Button } from '../../../components/controls.tsx'
import { centred, drawGraph, shown, vertexAt, zoomed, type Ink } from './draw.ts'
import { readInk } from './ink.ts'

type Props = {
  layout: GraphLayout
  label: string
  selected: number | undefined
  onSelect: (index: number) => void
  onOpen: (index: number) => void
  height: number
  /** Called with each view that is drawn and the size of the picture. Must be stable. */
  onView?: (view: View, size: Size) => void
  /** A place of the graph that moves to the middle; each new object moves it. */
  centre?: { x: number; y: number } | undefined
}

const steps = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' } as const
const panStep = 80
const zoomStep = 1.3

/**
 * The graph on a canvas. Dragging pans, Ctrl with the wheel or two fingers zoom; arrow keys follow edges, + and -
 * zoom, 0 shows everything, Enter opens. View and pointers are kept outside React: a frame only draws.
 */
export function GraphCanvas({ layout, label, selected, onSelect, onOpen, height, onView, centre }: Props) {
  const id = useId()
  const host = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const view = useRef<View>({ x: 0, y: 0, scale: 1 })
  const size = useRef<Size>({ width: 0, height })
  const ink = useRef<Ink | undefined>(undefined)
  const frame = useRef(0)
  const fingers = useRef(new Map<number, { x: number; y: number }>())
  const moved = useRef(0)
  const latest = useLatest({ layout, selected })
  const theme = useStore(settings, (all) => all.theme)
  const dark = useMedia('(prefers-color-scheme: dark)')

  const draw = (): void => {
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      const context = canvas.current?.getContext('2d')
      if (!context || !ink.current || size.current.width === 0) return
      const ratio = devicePixelRatio || 1
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      drawGraph(
        context,
        latest.current.layout,
        view.current,
        size.current,
        ink.current,
        latest.current.selected,
      )
      onView?.(view.current, size.current)
    })
  }
  const drawLatest = useLatest(draw)
  const change = (next: View): void => {
    view.current = next
    draw()
  }
  const middle = () => ({ x: size.current.width / 2, y: size.current.height / 2 })

  useLayoutEffect(() => {
    const box = host.current
    const surface = canvas.current
    if (!box || !surface) return
    let first = true
    const measure = (): void => {
      const ratio = devicePixelRatio || 1
      size.current = { width: box.clientWidth, height }
      surface.width = Math.round(box.clientWidth * ratio)
      surface.height = Math.round(height * ratio)
      if (first && box.clientWidth > 0) {
        view.current = fitView(layout, size.current)
        first = false
      }
      drawLatest.current()
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => {
      observer.disconnect()
      // The cleanup must cancel the frame that is pending at that time.
      // oxlint-disable-next-line react/exhaustive-deps
      cancelAnimationFrame(frame.current)
    }
  }, [layout, height, drawLatest])

  useEffect(() => {
    if (host.current) ink.current = readInk(host.current)
    drawLatest.current()
  }, [theme, dark, drawLatest])

  useEffect(() => {
    const node = selected === undefined ? undefined : layout.nodes[selected]
    if (node) view.current = shown(view.current, node, size.current)
    drawLatest.current()
  }, [selected, layout, drawLatest])

  useEffect(() => {
    if (!centre) return
    view.current = centred(view.current, centre, size.current)
    drawLatest.current()
  }, [centre, drawLatest])

  useEffect(() => {
    const surface = canvas.current
    if (!surface) return
    // React's listeners are passive and could not prevent the page from zooming.
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      view.current = zoomed(view.current, Math.exp(-event.deltaY / 300), {
        x: event.offsetX,
        y: event.offsetY,
      })
      drawLatest.current()
    }
    surface.addEventListener('wheel', onWheel, { passive: false })
    return () => surface.removeEventListener('wheel', onWheel)
  }, [drawLatest])

  const placeOf = (event: PointerEvent): { x: number; y: number } => ({
    x: event.nativeEvent.offsetX,
    y: event.nativeEvent.offsetY,
  })
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>): void => {
    const before = fingers.current.get(event.pointerId)
    if (!before) return
    const now = placeOf(event)
    const other = [...fingers.current.entries()].find(([pointer]) => pointer !== event.pointerId)?.[1]
    fingers.current.set(event.pointerId, now)
    moved.current += Math.abs(now.x - before.x) + Math.abs(now.y - before.y)
    const { x, y, scale } = view.current
    const panned = { x: x - (now.x - before.x) / scale, y: y - (now.y - before.y) / scale, scale }
    if (!other) change(panned)
    else {
      const far = (a: { x: number; y: number }) => Math.hypot(a.x - other.x, a.y - other.y)
      change(zoomed(view.current, far(now) / Math.max(1, far(before)), other))
    }
  }
  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>): void => {
    fingers.current.delete(event.pointerId)
    if (moved.current > 6) return
    const hit = vertexAt(layout, view.current, placeOf(event))
    if (hit !== undefined) onSelect(hit)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const direction = steps[event.key as keyof typeof steps] as (typeof steps)[keyof typeof steps] | undefined
    if (direction !== undefined && event.shiftKey) {
      const { x, y, scale } = view.current
      const by = panStep / scale
      const dx = direction === 'left' ? -by : direction === 'right' ? by : 0
      const dy = direction === 'up' ? -by : direction === 'down' ? by : 0
      change({ x: x + dx, y: y + dy, scale })
    } else if (direction !== undefined)
      onSelect(selected === undefined ? layout.nodes.length - 1 : neighbourOf(layout, selected, direction))
    else if (event.key === '+' || event.key === '=') change(zoomed(view.current, zoomStep, middle()))
    else if (event.key === '-') change(zoomed(view.current, 1 / zoomStep, middle()))
    else if (event.key === '0') change(fitView(layout, size.current))
    else if (event.key === 'Home') onSelect(0)
    else if (event.key === 'End') onSelect(layout.nodes.length - 1)
    else if (event.key === 'Enter' && selected !== undefined) onOpen(selected)
    else return
    event.preventDefault()
  }

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div ref={host} className="relative min-w-0 overflow-hidden rounded-base border border-line">
        {/* A drawing receives keys only as an application; the selection is described below as text. */}
        {/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
        <div
          role="application"
          aria-label={label}
          aria-describedby={`${id}-keys`}
          tabIndex={0}
          className="-outline-offset-2!"
          onKeyDown={onKeyDown}
        >
          <canvas
            ref={canvas}
            aria-hidden="true"
            style={{ width: '100%', height, touchAction: 'pan-y' }}
            className="block cursor-grab active:cursor-grabbing"
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId)
              if (fingers.current.size === 0) moved.current = 0
              fingers.current.set(event.pointerId, placeOf(event))
            }}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerUp}
            onPointerCancel={(event) => fingers.current.delete(event.pointerId)}
            onDoubleClick={(event) => {
              const { offsetX: x, offsetY: y } = event.nativeEvent
              const hit = vertexAt(layout, view.current, { x, y })
              if (hit !== undefined) onOpen(hit)
            }}
          />
        </div>
        {/* oxlint-enable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
        <div className="absolute top-2 right-2 flex gap-1">
          <Button
            small
            aria-label="Zoom out"
            onClick={() => change(zoomed(view.current, 1 / zoomStep, middle()))}
          >
            −
          </Button>
          <Button small aria-label="Zoom in" onClick={() => change(zoomed(view.current, zoomStep, middle()))}>
            +
          </Button>
          <Button small onClick={() => change(fitView(layout, size.current))}>
            Fit
          </Button>
        </div>
      </div>
      <p id={`${id}-keys`} className="sr-only">
        Arrows go to parents (left), children (right) and neighbours; with Shift they move the picture; + and
        − zoom, 0 fits, Enter opens the vertex.
      </p>
    </div>
  )
}
