import type { FastifyBaseLogger } from 'fastify'
import { pause } from '../kernel/pause.ts'
import type { Database } from '../store/database.ts'
import { readParts, wholeDatabase } from '../store/network/read-storage.ts'

/** Seconds between samples, and for how long they are kept. */
const every = 3_600
const kept = 40 * 86_400

/** Stores the present size of each part of the store and of the whole database, and deletes old samples. */
export async function sampleDisk(database: Database, now: number): Promise<void> {
  const parts = await readParts(database)
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const samples = [...parts, { part: wholeDatabase, bytes: total }]
  await database`
    insert into disk_samples ${database(samples.map(({ part, bytes }) => ({ part, ts: now, bytes })))}
    on conflict do nothing`
  await database`delete from disk_samples where ts < ${now - kept}`
}

/** A chain whose newest block is older than this, in seconds, reads its history: the store grows as it does not later. */
const history = 86_400

/** Whether a chain reads its history. */
async function isFilling(database: Database, now: number): Promise<boolean> {
  const [row] = await database<{ filling: boolean }[]>`
    select exists (
        select from chains c
        where c.state = 'syncing' and coalesce((select ts from blocks b where b.chain = c.chain
          order by number desc limit 1), 0) < ${now - history})
      or exists (
        select from primary_chains c
        where c.state = 'syncing' and coalesce((select ts from primary_blocks b where b.chain = c.chain
          order by height desc limit 1), 0) < ${now - history}) as filling`
  return row?.filling === true
}

/**
 * Takes the sample that is due, and returns the seconds until the next one. While a chain reads its history, no sample is
 * kept: growth is measured from the end of that on, because the first days would count for all that follow.
 */
export async function sampleWhenDue(database: Database, now: number): Promise<number> {
  if (await isFilling(database, now)) {
    await database`delete from disk_samples`
    return 60
  }
  const [last] = await database<{ ts: bigint | null }[]>`select max(ts) as ts from disk_samples`
  const due = Number(last?.ts ?? 0n) + every - now
  if (due > 0) return due
  await sampleDisk(database, now)
  return every
}

/** Samples the disk every hour until the signal. A failure is logged, and the next hour tries again. */
export async function runDiskSamples({
  database,
  logger,
  signal,
}: {
  readonly database: Database
  readonly logger: FastifyBaseLogger
  readonly signal: AbortSignal
}): Promise<void> {
  while (!signal.aborted) {
    try {
      const wait = await sampleWhenDue(database, Math.floor(Date.now() / 1000))
      await pause(wait * 1000, signal)
    } catch (error) {
      if (signal.aborted) return
      logger.warn({ err: error }, 'the size of the store was not sampled')
      await pause(60_000, signal)
    }
  }
}
