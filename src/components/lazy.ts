import type { LoaderFunctionArgs } from 'react-router'
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
 * because React draws what has failed once more at once.
 */
export function lazy<Drawn extends (props: never) => ReactNode>(
  load: () => Promise<{ default: Drawn }>,
): Drawn {
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
  return ((props: object) => {
    if (failedIn !== undefined && failedIn !== turn()) {
      failedIn = undefined
      Shown = lazyOnce(attempt)
    }
    return createElement(Shown, props)
  }) as unknown as Drawn
}

type View = { load: (args: LoaderFunctionArgs) => unknown }

/**
 * The loader of a page whose content is a chunk of its own: fetches that code, then starts what the content asks for
 * first. It never blocks, and the page itself says so when the code can't be fetched.
 */
export function viewLoader(part: () => Promise<View>): (args: LoaderFunctionArgs) => null {
  return (args) => {
    part().then(
      ({ load }) => load(args),
      () => undefined,
    )
    return null
  }
}
