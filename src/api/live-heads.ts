import { createStore } from '../lib/store.ts'

/** What has arrived for a chain since this page was opened. `transactions` counts up and never resets. */
export type LiveHead = { blockNumber: string; blockTimestamp: number; transactions: number }

/** The newest head of every chain that has sent one. */
export const liveHeads = createStore<ReadonlyMap<string, LiveHead>>(new Map())
