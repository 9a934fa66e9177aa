import * as z from 'zod/mini'
import { createStoredStore } from '../../../lib/storage/store.ts'
import { methodOf, type Call } from '../../../api/node/node-request.ts'

const entrySchema = z.object({
  /** Unix seconds. */
  at: z.number(),
  node: z.string(),
  path: z.string(),
  text: z.string(),
  status: z.number(),
  milliseconds: z.number(),
})
const entriesSchema = z.array(entrySchema)

/** A request that was sent. */
type HistoryEntry = z.infer<typeof entrySchema>

const maxEntries = 50
const longestText = 8_000

/** The last requests, newest first. They never leave the browser. */
export const rpcHistory = createStoredStore<readonly HistoryEntry[]>('ridgeline.rpcHistory', (stored) => {
  const result = entriesSchema.safeParse(stored)
  return result.success ? result.data.slice(0, maxEntries) : []
})

/** Whether calls contain secrets that the browser should not store: passwords and keys of a node's accounts. */
export const isSecret = (calls: readonly Call[]): boolean =>
  calls.some(({ method }) => methodOf(method)?.closedBy === 'personal' || method.startsWith('personal_'))

/** Adds a request to the history, once, unless it is too long or contains secrets. */
export function keepRequest(request: Omit<HistoryEntry, 'at'>, calls: readonly Call[]): void {
  if (isSecret(calls) || request.text.length > longestText) return
  const entry = { ...request, at: Math.floor(Date.now() / 1000) }
  const isSame = (other: HistoryEntry): boolean =>
    other.text === entry.text && other.path === entry.path && other.node === entry.node
  rpcHistory.set((all) => [entry, ...all.filter((other) => !isSame(other))].slice(0, maxEntries))
}
