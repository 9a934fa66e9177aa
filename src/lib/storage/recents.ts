import * as z from 'zod/mini'
import { createStoredStore } from './store.ts'

const recentSchema = z.object({ path: z.string(), title: z.string(), kind: z.string() })
const recentsSchema = z.array(recentSchema)

/** A page that was opened: its path, its title and what it shows. */
export type Recent = z.infer<typeof recentSchema>

const max = 20

export const recents = createStoredStore<readonly Recent[]>('ridgeline.recents', (stored) => {
  const result = recentsSchema.safeParse(stored)
  return result.success ? result.data.slice(0, max) : []
})

/** Puts a page at the head of the recents. */
export function remember(recent: Recent): void {
  recents.set((now) => [recent, ...now.filter((other) => other.path !== recent.path)].slice(0, max))
}
