import { createStore } from '../lib/storage/store.ts'

/** What has arrived for a chain since this page was opened. `transactions` counts up and never resets. */
export type LiveHead = { blockNumber: string; blockTimestamp: number; transactions: number }

/** The newest head of every chain that has sent one. */
export const liveHeads = createStore<ReadonlyMap<string, LiveHead>>(new Map())

/** The newest block of a chain of the primary network, as it was announced. */
export type PrimaryHead = { blockNumber: string; blockTimestamp: number }

/** The newest head of each chain of the primary network that has sent one, by `network/chain`. */
export const primaryHeads = createStore<ReadonlyMap<string, PrimaryHead>>(new Map())
