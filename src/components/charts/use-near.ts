import { useCallback, useState } from 'react'

type Near = {
  /** Give it to the element that keeps the place. */
  readonly ref: (element: Element | null) => (() => void) | undefined
  /** Whether the place is in the viewport or within a screen's third of it. */
  readonly near: boolean
  /** Whether it ever was. */
  readonly seen: boolean
}

/** Tells what is worth drawing (near) and what is worth fetching (seen). */
export function useNear(): Near {
  const [state, setState] = useState({ near: false, seen: false })
  const ref = useCallback((element: Element | null) => {
    if (element === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        const near = entries.at(-1)?.isIntersecting ?? false
        setState((now) => (now.near === near ? now : { near, seen: now.seen || near }))
      },
      { rootMargin: '33% 0px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, ...state }
}
