import { createElement, lazy as lazyOnce, type ComponentType, type ReactNode } from 'react'
import { recoveries, waitFor } from '../lib/connection.ts'
import { loadUnlessLeft } from '../lib/leaving.ts'

let renewed = 0

/** Makes failed code load again when its component next renders. */
export function renewLazy(): void {
  renewed += 1
}

const turn = (): number => renewed + recoveries.get()

type View = (props: never) => ReactNode
type Lazy<Drawn> = Drawn & { prefetch: () => void }

/**
 * Like React's `lazy`, of the export `name` of a module. Code that failed to load is loaded again after `renewLazy` or
 * when the service is back; React's own caches the failure for ever. It is not retried at once, because React
 * immediately renders a failed component a second time. `prefetch` loads the code before it is rendered; a failure shows
 * only when it is.
 */
export function lazy<Drawn extends View>(load: () => Promise<{ default: Drawn }>): Lazy<Drawn>
export function lazy<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): Lazy<Module[Name]>
export function lazy(load: () => Promise<object>, name = 'default'): Lazy<View> {
  let failedIn: number | undefined
  const attempt = async (): Promise<{ default: ComponentType }> => {
    const ended = waitFor()
    try {
      const module = (await loadUnlessLeft(load)) as Readonly<Record<string, ComponentType>>
      return { default: module[name] as ComponentType }
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
  return Object.assign(Drawn, { prefetch })
}
