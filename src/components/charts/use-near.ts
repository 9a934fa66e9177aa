import { useCallback, useState } from 'react'

type Near = {
  /** The ref of the observed element. */
  readonly ref: (element: Element | null) => (() => void) | undefined
  /** Whether the element is in the viewport or within a third of a screen of it. */
  readonly near: boolean
  /** Whether it has ever been near. */
  readonly seen: boolean
}

/** Tells whether an element should be drawn (near) and its data fetched (seen). */
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
