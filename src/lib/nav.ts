import { createStore } from './storage/store.ts'

/** Counts beside the links of the navigation, by label: set by code that loads after the page. */
export const navCounts = createStore<Readonly<Record<string, number>>>({})

/** The label of the link that the current page belongs to, where only its subject tells: an address may be a contract. */
export const subjectPlace = createStore<string | undefined>(undefined)
