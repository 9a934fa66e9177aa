import { setTimeout as delay } from 'node:timers/promises'
import { withDatabase } from '../support/postgres.ts'

/** Rows that were copied so far, and when, in seconds since the start. */
type Sample = { readonly seconds: number; readonly rows: number }

const interval = 250

/** Samples the rows that all COPY commands of a server have taken, until `load` ends. */
export async function watchCopies<Loaded>(
  url: string,
  load: Promise<Loaded>,
): Promise<{ loaded: Loaded; samples: readonly Sample[] }> {
  const began = performance.now()
  const samples: Sample[] = []
  const ended = load.then(
    () => true,
    () => true,
  )
  await withDatabase(url, async (sql) => {
    const taken = new Map<string, { before: number; now: number }>()
    for (let isOver = false; !isOver;) {
      const copies = await sql<{ name: string; rows: number }[]>`
        select pid || ' ' || relid as name, tuples_processed::float8 as rows from pg_stat_progress_copy`
      for (const { name, rows } of copies) {
        const { before, now } = taken.get(name) ?? { before: 0, now: 0 }
        // The same connection may copy into a table several times, each time from 0.
        taken.set(name, { before: rows < now ? before + now : before, now: rows })
      }
      const rows = [...taken.values()].reduce((sum, { before, now }) => sum + before + now, 0)
      samples.push({ seconds: (performance.now() - began) / 1_000, rows })
      isOver = await Promise.race([delay(interval, false), ended])
    }
  })
  return { loaded: await load, samples }
}

/** Rows a second of each tenth of a load's rows; the last one lasts until the program ends. */
export function tenthsOf(samples: readonly Sample[], seconds: number): number[] {
  const total = samples.at(-1)?.rows ?? 0
  const ends = Array.from({ length: 10 }, (_, at) =>
    at === 9 ? seconds : (samples.find(({ rows }) => rows >= (total * (at + 1)) / 10)?.seconds ?? seconds),
  )
  return ends.map((end, at) => total / 10 / Math.max(end - (ends[at - 1] ?? 0), interval / 1_000))
}
