/** A value that outlives pages and is shared by every part of them. */
export type Store<T> = {
  readonly get: () => T
  readonly set: (next: T | ((now: T) => T)) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** A store whose first value is read when it is first needed: most are made before anything is drawn. */
function storeFrom<T>(first: () => T): Store<T> {
  let held: { value: T } | undefined
  const get = (): T => (held ??= { value: first() }).value
  const listeners = new Set<() => void>()
  return {
    get,
    set: (next) => {
      const result = typeof next === 'function' ? (next as (now: T) => T)(get()) : next
      if (Object.is(result, get())) return
      held = { value: result }
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A store in memory. */
export const createStore = <T>(initial: T): Store<T> => storeFrom(() => initial)

/** What the browser keeps under a key; undefined for nothing, and for what can't be read. */
function readStored(key: string): unknown {
  try {
    const text = globalThis.localStorage?.getItem(key)
    return text == null ? undefined : JSON.parse(text)
  } catch {
    // Closed storage or foreign content: start from the default, as on a first visit.
    return undefined
  }
}

/**
 * A store kept in the browser under `key`, read through `parse`, which gives a whole value for anything
 * it is handed. Other tabs follow. Where storage is closed it lives in memory.
 */
export function createStoredStore<T>(key: string, parse: (stored: unknown) => T): Store<T> {
  const store = storeFrom(() => parse(readStored(key)))
  globalThis.window?.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) store.set(parse(readStored(key)))
  })
  return {
    ...store,
    set: (next) => {
      store.set(next)
      try {
        globalThis.localStorage?.setItem(key, JSON.stringify(store.get()))
      } catch {
        // A full or closed storage costs remembering, not working.
      }
    },
  }
}
