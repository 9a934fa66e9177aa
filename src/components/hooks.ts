import { createContext, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { formatAge } from '../lib/time.ts'
import { recoveries } from '../lib/connection.ts'
import { settings } from '../lib/storage/settings.ts'
import { createStore, type Store } from '../lib/storage/store.ts'

/** Subscribes to a store and renders when the selected value changes. `pick` must return a stable value. */
export function useStore<T>(store: Store<T>): T
export function useStore<T, P>(store: Store<T>, pick: (value: T) => P): P
export function useStore<T, P>(store: Store<T>, pick?: (value: T) => P): T | P {
  const get = (): T | P => (pick ? pick(store.get()) : store.get())
  return useSyncExternalStore(store.subscribe, get, get)
}

/** The time zone of the settings, in which times are shown. */
export const useZone = () => useStore(settings, (all) => all.zone)

/** The parts of the page that say each text; the first of a list is the one that shows it. */
const saying = createStore<readonly { readonly text: string }[]>([])

/** Whether a part is the first on the page that says a text: parts that fail together give their reason once. */
export function useFirstToSay(text: string): boolean {
  const part = useMemo(() => ({ text }), [text])
  useEffect(() => {
    saying.set((parts) => [...parts, part])
    return () => saying.set((parts) => parts.filter((each) => each !== part))
  }, [part])
  const first = useStore(saying).find((each) => each.text === text)
  return first === undefined || first === part
}

/** Whether a media query matches where there is no window: none is too narrow, unless the service knows of a phone. */
export const MediaWithoutWindow = createContext((_query: string): boolean => false)

/** Whether a media query matches. */
export function useMedia(query: string): boolean {
  const withoutWindow = useContext(MediaWithoutWindow)
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    () => withoutWindow(query),
  )
}

/** Whether the window is narrower than a table needs (768 px). */
export const useNarrow = (): boolean => useMedia('(max-width: 767.98px)')

const seconds = (): number => Math.floor(Date.now() / 1000)
const clock = createStore(seconds())
let watchers = 0
let ticking: ReturnType<typeof setInterval> | undefined

const watchClock = (listener: () => void): (() => void) => {
  const stop = clock.subscribe(listener)
  watchers += 1
  if (watchers === 1) {
    clock.set(seconds())
    ticking = setInterval(() => {
      if (document.visibilityState === 'visible') clock.set(seconds())
    }, 1000)
  }
  return () => {
    stop()
    watchers -= 1
    if (watchers === 0) clearInterval(ticking)
  }
}

/**
 * Unix seconds of one clock for the whole page, rounded down to `step`, so that a component renders only when its
 * text may change. The clock stops while the page is hidden.
 */
export function useNow(step = 1): number {
  const floor = (at: number): number => Math.floor(at / step) * step
  // On the service nobody watches the clock, so it stands.
  return useSyncExternalStore(
    watchClock,
    () => floor(clock.get()),
    () => floor(seconds()),
  )
}

/** The age of a time as text; renders only when the text changes. */
export function useAge(at: number): string {
  return useSyncExternalStore(
    watchClock,
    () => formatAge(at, clock.get()),
    () => formatAge(at, seconds()),
  )
}

/** `value` once it has not changed for `ms` milliseconds. */
export function useDebounced<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return rested
}

/** A ref to the newest version of a function, for listeners that are attached once. */
export function useLatest<T>(value: T): { readonly current: T } {
  const ref = useRef(value)
  useEffect(() => {
    ref.current = value
  })
  return ref
}

/** Calls `retry` whenever the service is back after a failure. */
export function useRecovery(retry: () => void): void {
  const latest = useLatest(retry)
  useEffect(() => recoveries.subscribe(() => latest.current()), [latest])
}
