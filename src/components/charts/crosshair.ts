import { createContext, use, useSyncExternalStore } from 'react'
import { createStore, type Store } from '../../lib/storage/store.ts'

/** The cross-hair of a page in Unix seconds; `source` is the chart under the pointer. */
type Crosshair = {
  readonly time: number | null
  readonly source: string | null
  /** The range being selected, not yet in the URL; its ends in either order. */
  readonly selection: { readonly from: number; readonly to: number } | null
}

const away: Crosshair = { time: null, source: null, selection: null }

/** The actions of a page's cross-hair. Setting the same state again notifies nobody. */
type CrosshairStore = Pick<Store<Crosshair>, 'get' | 'subscribe'> & {
  readonly point: (source: string, time: number) => void
  /** Selects from `anchor` to `time`, both in Unix seconds. */
  readonly select: (source: string, anchor: number, time: number) => void
  readonly dropSelection: () => void
  readonly leave: (source: string) => void
}

/** A cross-hair, shared by all charts of a page. */
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

/** The cross-hair of the page. A chart outside a provider has its own. */
export const CrosshairContext = createContext<CrosshairStore | null>(null)

const alone = createCrosshair()

/** The page's cross-hair store; reading it does not subscribe. */
export function useCrosshairStore(): CrosshairStore {
  return use(CrosshairContext) ?? alone
}

/** The current cross-hair. Use it in the overlay only: every move renders its users. */
export function useCrosshair(): Crosshair {
  const store = useCrosshairStore()
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
