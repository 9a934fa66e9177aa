import { createStore } from '../lib/storage/store.ts'

/** The newest announced block of a primary network chain. */
export type PrimaryHead = { blockNumber: string; blockTimestamp: number }

/** The newest announced head of each primary network chain, by `network/chain`. */
export const primaryHeads = createStore<ReadonlyMap<string, PrimaryHead>>(new Map())
