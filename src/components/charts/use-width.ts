import { useCallback, useState } from 'react'

/** The width of an element in whole CSS pixels, 0 before it is known. Pass `ref` to the element. */
export function useWidth(): {
  ref: (element: HTMLElement | null) => (() => void) | undefined
  width: number
} {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    // The first width is read at once: waiting for the observer would paint an empty chart first.
    setWidth(Math.floor(element.clientWidth))
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
