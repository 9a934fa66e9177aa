import { createStore } from '../lib/storage/store.ts'

/** The newest head of a chain since this page was opened. `transactions` counts up and is never reset. */
type LiveHead = { blockNumber: string; blockTimestamp: number; transactions: number }

/** The newest head of every chain that has announced one. */
export const liveHeads = createStore<ReadonlyMap<string, LiveHead>>(new Map())

/** The newest announced block of a primary network chain. */
export type PrimaryHead = { blockNumber: string; blockTimestamp: number }

/** The newest announced head of each primary network chain, by `network/chain`. */
export const primaryHeads = createStore<ReadonlyMap<string, PrimaryHead>>(new Map())
