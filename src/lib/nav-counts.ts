import { createStore } from './storage/store.ts'

/** Counts beside the links of the navigation, by label: set by code that loads after the page. */
export const navCounts = createStore<Readonly<Record<string, number>>>({})
