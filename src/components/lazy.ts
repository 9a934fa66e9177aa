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

type How = { /** Whether the service draws it into documents. */ readonly isDrawn?: boolean }

/** Code that the service is loading for what it draws. */
const underway = new Set<Promise<unknown>>()

async function noted(code: Promise<object>): Promise<object> {
  underway.add(code)
  try {
    return await code
  } finally {
    underway.delete(code)
  }
}

/** Settles when the code is there that what was drawn last waits for; undefined if it waits for none. */
export const codeUnderway = (): Promise<unknown> | undefined =>
  underway.size === 0 ? undefined : Promise.allSettled(underway)

/**
 * Like React's `lazy`, of the export `name` of a module. Code that failed to load is loaded again after `renewLazy` or
 * when the service is back; React's own caches the failure for ever. It is not retried at once, because React
 * immediately renders a failed component a second time. `prefetch` loads the code before it is rendered; a failure shows
 * only when it is. The service draws the fallback, and loads no code for it, unless `isDrawn`.
 */
export function lazy<Drawn extends View>(load: () => Promise<{ default: Drawn }>): Lazy<Drawn>
export function lazy<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  how?: How,
): Lazy<Module[Name]>
export function lazy(
  load: () => Promise<object>,
  name = 'default',
  { isDrawn = false }: How = {},
): Lazy<View> {
  let failedIn: number | undefined
  const loadHere = import.meta.env.SSR ? () => noted(load()) : () => loadUnlessLeft(load)
  const attempt = async (): Promise<{ default: ComponentType }> => {
    if (import.meta.env.SSR && !isDrawn) return new Promise(() => undefined)
    const ended = waitFor()
    try {
      const module = (await loadHere()) as Readonly<Record<string, ComponentType>>
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
