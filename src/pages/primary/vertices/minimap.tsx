import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { useMedia, useStore } from '../../../components/hooks.ts'
import { settings } from '../../../lib/storage/settings.ts'
import { axisHeight, drawGraph, wholeView, type Part, type Size, type View } from './draw.ts'
import { readInk } from './ink.ts'
import type { GraphLayout } from './layout.ts'

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
  const view: View = wholeView(layout, size)

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
    drawGraph(context, layout, wholeView(layout, size), size, readInk(box), undefined)
  }, [layout, size])

  const centre = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    onCentre({
      x: view.x + (event.clientX - box.left) / view.scale,
      y: view.y + (event.clientY - box.top) / view.scale,
    })
  }
  const frame = part && {
    left: Math.max(0, (part.left - view.x) * view.scale),
    top: Math.max(0, (part.top - view.y) * view.scale),
    right: Math.min(size.width, (part.right - view.x) * view.scale),
    bottom: Math.min(size.height - axisHeight, (part.bottom - view.y) * view.scale),
  }
  return (
    <div
      ref={host}
      aria-hidden="true"
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
 * The whole graph, small, with a frame around the part that the large picture shows. It is for pointers: keys move the
 * large picture itself.
 */
export function Minimap(props: Props) {
  const theme = useStore(settings, (all) => all.theme)
  const dark = useMedia('(prefers-color-scheme: dark)')
  // A canvas does not follow the theme by itself: it is drawn again with the colours of the other one.
  return <Drawing key={`${theme} ${dark}`} {...props} />
}
