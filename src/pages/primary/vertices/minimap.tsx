import { useEffect, useMemo, useRef, useState, type PointerEvent } from 'react'
import type { GraphLayout } from '../../../../charts/graph/layout.ts'
import type { Size } from '../../../../charts/graph/marks.ts'
import { useMedia, useStore } from '../../../components/hooks.ts'
import { settings } from '../../../lib/storage/settings.ts'
import { drawBars, drawGraph, type Part } from './draw.ts'
import { readInk } from './ink.ts'
import { boxOf, mapOf, placeIn } from './minimap-layout.ts'

const HEIGHT = 84

type Props = {
  layout: GraphLayout
  /** The part that the large picture shows. */
  part: Part | undefined
  /** Called with the place of the graph that was pressed or dragged to. */
  onCentre: (place: { x: number; y: number }) => void
}

function Drawing({ layout, part, onCentre }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [size, setSize] = useState<Size>({ width: 0, height: HEIGHT })
  const map = useMemo(() => mapOf(layout, size), [layout, size])

  useEffect(() => {
    const box = host.current
    if (!box) return
    const observer = new ResizeObserver(() => setSize({ width: box.clientWidth, height: HEIGHT }))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    const [box, surface] = [host.current, canvas.current]
    const context = surface?.getContext('2d')
    if (!box || !surface || !context || size.width === 0) return
    const ratio = devicePixelRatio || 1
    surface.width = Math.round(size.width * ratio)
    surface.height = Math.round(size.height * ratio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const { bins, scaleX, scaleY, x, y } = map
    if (bins) drawBars(context, { bins, scaleY }, size, readInk(box))
    else drawGraph(context, layout, { x, y, scale: scaleX }, size, readInk(box), undefined)
  }, [layout, map, size])

  const centre = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    onCentre(placeIn(map, { x: event.clientX - box.left, y: event.clientY - box.top }))
  }
  const frame = part && boxOf(map, part, size)
  return (
    <div
      ref={host}
      aria-hidden="true"
      title="The whole graph"
      className="relative min-w-0 cursor-pointer overflow-hidden rounded-base border border-line"
      style={{ height: HEIGHT, touchAction: 'pan-y' }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        centre(event)
      }}
      onPointerMove={(event) => {
        if (event.buttons !== 0) centre(event)
      }}
    >
      <canvas ref={canvas} className="block" style={{ width: '100%', height: HEIGHT }} />
      {frame && frame.right > frame.left && frame.bottom > frame.top && (
        <span
          className="pointer-events-none absolute rounded-sm border-2 border-accent"
          style={{
            left: frame.left,
            top: frame.top,
            width: frame.right - frame.left,
            height: frame.bottom - frame.top,
          }}
        />
      )}
    </div>
  )
}

/**
 * The whole graph, small or as bars of its levels, with a frame around the part that the large picture shows. It is for pointers: keys move the
 * large picture itself.
 */
export function Minimap(props: Props) {
  const theme = useStore(settings, (all) => all.theme)
  const dark = useMedia('(prefers-color-scheme: dark)')
  // A canvas does not follow the theme by itself: it is drawn again with the colours of the other one.
  return <Drawing key={`${theme} ${dark}`} {...props} />
}
