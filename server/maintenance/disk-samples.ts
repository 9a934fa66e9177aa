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
      const now = Math.floor(Date.now() / 1000)
      const [last] = await database<{ ts: bigint | null }[]>`select max(ts) as ts from disk_samples`
      const due = Number(last?.ts ?? 0n) + every - now
      if (due > 0) await pause(due * 1000, signal)
      else await sampleDisk(database, now)
    } catch (error) {
      if (signal.aborted) return
      logger.warn({ err: error }, 'the size of the store was not sampled')
      await pause(60_000, signal)
    }
  }
}
