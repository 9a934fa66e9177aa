import { startTransition, useEffect, useState } from 'react'

/** Rows of a step: about what a window of 900 pixels shows. */
const step = 16

/**
 * How many of `count` rows to draw now: the first at once, and those below in the next frames, because drawing and placing
 * fifty rows in one task keeps a slow machine from painting and answering.
 */
export function useSteps(count: number): number {
  const [drawn, setDrawn] = useState(step)
  useEffect(() => {
    if (drawn >= count) return
    const frame = requestAnimationFrame(() => startTransition(() => setDrawn(drawn + step)))
    return () => cancelAnimationFrame(frame)
  }, [drawn, count])
  return Math.min(count, drawn)
}
