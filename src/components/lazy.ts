import { createElement, lazy as lazyOnce, type ComponentType, type ReactNode } from 'react'
import { recoveries, waitFor } from '../lib/connection.ts'

let renewed = 0

/** Lets code that did not come be asked for again when its part is next drawn. */
export function renewLazy(): void {
  renewed += 1
}

const turn = (): number => renewed + recoveries.get()

/**
 * A component whose code comes by itself, as React's `lazy`, but code that did not come is asked for again after
 * `renewLazy`, or when the service has come back: React's own remembers the failure for ever. Not before that,
 * because React draws what has failed once more at once. `prefetch` fetches the code before it is drawn; a failure
 * is shown only when it is.
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
