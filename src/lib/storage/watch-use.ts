import { createStoredStore } from './store.ts'

/** How this browser uses the validator watch. */
type WatchUse = {
  /** Whether the watch has been looked at here: only then do other pages ask how it stands. */
  readonly isFollowed: boolean
  /** Whether alarms are shown as notifications of the browser while a page is open. */
  readonly notifies: boolean
}

const isTrue = (stored: object, name: string): boolean =>
  (stored as Readonly<Record<string, unknown>>)[name] === true

export const watchUse = createStoredStore<WatchUse>('ridgeline.watchUse', (stored) =>
  typeof stored === 'object' && stored !== null
    ? { isFollowed: isTrue(stored, 'isFollowed'), notifies: isTrue(stored, 'notifies') }
    : { isFollowed: false, notifies: false },
)
