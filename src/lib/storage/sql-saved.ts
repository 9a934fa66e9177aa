import * as z from 'zod/mini'
import { createStoredStore } from './store.ts'

const entrySchema = z.object({ name: z.string(), sql: z.string() })

/** A statement that was saved in this browser under a name. */
type SavedSql = z.infer<typeof entrySchema>

const max = 200

/** Saved statements, by name. */
export const savedSql = createStoredStore<readonly SavedSql[]>('ridgeline.sqlSaved', (stored) => {
  const result = z.array(entrySchema).safeParse(stored)
  return result.success ? result.data.slice(0, max) : []
})

/** Saves a statement; one of the same name is replaced. */
export function saveSql(name: string, sql: string): void {
  savedSql.set((now) =>
    [...now.filter((entry) => entry.name !== name), { name, sql }]
      .toSorted((left, right) => left.name.localeCompare(right.name))
      .slice(0, max),
  )
}

/** Deletes a saved statement. */
export function deleteSavedSql(name: string): void {
  savedSql.set((now) => now.filter((entry) => entry.name !== name))
}
