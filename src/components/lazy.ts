import { createElement, lazy as lazyOnce, type ComponentType, type ReactNode } from 'react'
import { recoveries, waitFor } from '../lib/connection.ts'

let renewed = 0

/** Makes failed code load again when its component next renders. */
export function renewLazy(): void {
  renewed += 1
}

const turn = (): number => renewed + recoveries.get()

/**
 * Like React's `lazy`, but code that failed to load is loaded again after `renewLazy` or when the service is back;
 * React's own caches the failure for ever. It is not retried at once, because React immediately renders a failed
 * component a second time. `prefetch` loads the code before it is rendered; a failure shows only when it is.
 */
export function lazy<Drawn extends (props: never) => ReactNode>(
  load: () => Promise<{ default: Drawn }>,
): Drawn & { prefetch: () => void } {
  let failedIn: number | undefined
  const attempt = async (): Promise<{ default: ComponentType }> => {
    const ended = waitFor()
    try {
      return (await load()) as unknown as { default: ComponentType }
    } catch (error) {
      failedIn = turn()
      throw error
    } finally {
      ended()
    }
  }
  let Shown = lazyOnce(attempt)
  const prefetch = (): void => void load().catch(() => undefined)
  const Drawn = (props: object) => {
    if (failedIn !== undefined && failedIn !== turn()) {
      failedIn = undefined
      Shown = lazyOnce(attempt)
    }
    return createElement(Shown, props)
  }
  return Object.assign(Drawn, { prefetch }) as unknown as Drawn & { prefetch: () => void }
}
