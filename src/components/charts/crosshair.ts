import { createContext, use, useSyncExternalStore } from 'react'
import { createStore, type Store } from '../../lib/storage/store.ts'

/** Where all charts of a page look, in Unix seconds; `source` is the chart that leads. */
export type Crosshair = {
  readonly time: number | null
  readonly source: string | null
  /** The range being selected, not yet taken over into the URL; its ends in either order. */
  readonly selection: { readonly from: number; readonly to: number } | null
}

const away: Crosshair = { time: null, source: null, selection: null }

/** The actions of a page's cross-hair. Repeating a state tells nobody: a still mouse costs nothing. */
export type CrosshairStore = Pick<Store<Crosshair>, 'get' | 'subscribe'> & {
  readonly point: (source: string, time: number) => void
  /** Selects from `anchor` to `time`, both in Unix seconds. */
  readonly select: (source: string, anchor: number, time: number) => void
  readonly dropSelection: () => void
  readonly leave: (source: string) => void
}

/** One cross-hair, shared by every chart of a page. */
export function createCrosshair(): CrosshairStore {
  const store = createStore<Crosshair>(away)
  return {
    get: store.get,
    subscribe: store.subscribe,
    point: (source, time) =>
      store.set((now) => (now.time === time && now.source === source ? now : { ...now, time, source })),
    select: (source, anchor, time) =>
      store.set((now) =>
        now.selection?.from === anchor && now.selection.to === time && now.source === source
          ? now
          : { time, source, selection: { from: anchor, to: time } },
      ),
    dropSelection: () => store.set((now) => (now.selection === null ? now : { ...now, selection: null })),
    leave: (source) => store.set((now) => (now.source === source ? away : now)),
  }
}

/** The cross-hair of the page. A chart outside any provider follows one of its own. */
export const CrosshairContext = createContext<CrosshairStore | null>(null)

const alone = createCrosshair()

/** The page's cross-hair store; reading it does not subscribe. */
export function useCrosshairStore(): CrosshairStore {
  return use(CrosshairContext) ?? alone
}

/** The page's cross-hair as it moves. Use it in the small overlay only, never where marks are drawn. */
export function useCrosshair(): Crosshair {
  const store = useCrosshairStore()
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
