import * as z from 'zod/mini'
import { createStoredStore } from './store.ts'

/** The figures of a watched entry by name, as decimal strings, Unix seconds or words, and when they were read. */
const readingSchema = z.object({ at: z.number(), figures: z.record(z.string(), z.string()) })
type Reading = z.infer<typeof readingSchema>

const visitSchema = z.object({ before: z.optional(readingSchema), latest: readingSchema })

/** The latest reading of an entry, and the last one of the visit before, if there was one. */
export type Visit = z.infer<typeof visitSchema>

/** A visit has ended when nothing was read for this long, in seconds. */
const visitGap = 30 * 60

/** Readings that follow within this many seconds are not stored if their figures are the same. */
const minStep = 60

const visitsSchema = z.record(z.string(), visitSchema)

/** The readings of watched entries by `watchKey`. They never leave the browser. */
export const visits = createStoredStore<Readonly<Record<string, Visit>>>(
  'ridgeline.watchVisits',
  (stored) => {
    const result = visitsSchema.safeParse(stored)
    return result.success ? result.data : {}
  },
)

const isSame = (one: Reading['figures'], other: Reading['figures']): boolean =>
  Object.keys({ ...one, ...other }).every((name) => one[name] === other[name])

/** A visit with a new reading: the reading before a pause of half an hour is what it is compared with. */
export function withReading(visit: Visit | undefined, latest: Reading): Visit {
  if (visit === undefined) return { latest }
  const pause = latest.at - visit.latest.at
  if (pause > visitGap) return { before: visit.latest, latest }
  return pause < minStep && isSame(visit.latest.figures, latest.figures) ? visit : { ...visit, latest }
}

/** Stores a reading, and forgets those of entries that are no longer watched. */
export function recordReading(key: string, reading: Reading, watchedKeys: ReadonlySet<string>): void {
  visits.set((now) => {
    const next = withReading(now[key], reading)
    if (next === now[key]) return now
    const kept = Object.entries(now).filter(([one]) => watchedKeys.has(one))
    return { ...Object.fromEntries(kept), [key]: next }
  })
}

/** From now on, everything is compared with its latest reading. */
export const markAllSeen = (): void =>
  visits.set((now) =>
    Object.fromEntries(
      Object.entries(now).map(([key, { latest }]) => [key, { before: latest, latest }] as const),
    ),
  )

/** Whether a figure is another than at the end of the visit before. */
export const hasChanged = (visit: Visit): boolean =>
  visit.before !== undefined && !isSame(visit.before.figures, visit.latest.figures)
