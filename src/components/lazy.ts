import { createElement, lazy as lazyOnce, type ComponentType, type ReactNode } from 'react'
import { waitFor } from '../lib/connection.ts'

/**
 * A component whose code comes by itself, as React's `lazy`, but code that did not come is asked for again by the
 * next one that is drawn: React's own remembers the failure for ever.
 */
export function lazy<Drawn extends (props: never) => ReactNode>(
  load: () => Promise<{ default: Drawn }>,
): Drawn {
  const attempt = async (): Promise<{ default: ComponentType }> => {
    const ended = waitFor()
    try {
      return (await load()) as unknown as { default: ComponentType }
    } catch (error) {
      Shown = lazyOnce(attempt)
      throw error
    } finally {
      ended()
    }
  }
  let Shown = lazyOnce(attempt)
  return ((props: object) => createElement(Shown, props)) as unknown as Drawn
}
