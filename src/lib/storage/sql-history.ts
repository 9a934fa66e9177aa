import * as z from 'zod/mini'
import { createStoredStore } from './store.ts'

const entrySchema = z.object({ sql: z.string(), at: z.number() })

/** A statement that was run in this browser, and when, in Unix seconds. */
type SqlEntry = z.infer<typeof entrySchema>

const max = 50

/** Statements that were run in this browser, the latest first. */
export const sqlHistory = createStoredStore<readonly SqlEntry[]>('ridgeline.sql', (stored) => {
  const result = z.array(entrySchema).safeParse(stored)
  return result.success ? result.data.slice(0, max) : []
})

/** Puts a statement at the head of the history; it is there once. */
export function rememberSql(sql: string, at: number): void {
  sqlHistory.set((now) => [{ sql, at }, ...now.filter((entry) => entry.sql !== sql)].slice(0, max))
}
