import { z } from 'zod'

/** The key `sql`: statements of callers over the lake and the newest rows of the store (docs/sql.md). */
export const sqlSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /**
   * Whether everybody who reaches the service may run statements, within `publicLimits`. Otherwise callers need the
   * local token, or a key or a role with the privilege `sql`. The rows are public; what it costs is not nothing.
   */
  public: z.boolean().default(false),
  /** The limits of callers without a token, key or role; where one is above that of all callers, that one counts. */
  publicLimits: z
    .strictObject({
      seconds: z.number().min(0.1).max(86_400).default(10),
      memoryMegabytes: z.int().min(64).max(1_048_576).default(256),
      threads: z.int().min(1).max(256).default(1),
      rows: z.int().min(1).max(1_000_000_000).default(10_000),
      concurrent: z.int().min(1).max(64).default(2),
      perCaller: z.int().min(1).max(64).default(2),
    })
    .prefault({}),
  /** Seconds after which a statement is cancelled. */
  seconds: z.number().min(0.1).max(86_400).default(30),
  /** Memory of the engine for one statement; its process is ended if it uses much more. */
  memoryMegabytes: z.int().min(64).max(1_048_576).default(1_024),
  /** Threads of the engine for one statement. */
  threads: z.int().min(1).max(256).default(2),
  /** The most rows of an answer. */
  rows: z.int().min(1).max(1_000_000_000).default(1_000_000),
  /** Statements that run at the same time; one more is a 503. */
  concurrent: z.int().min(1).max(64).default(4),
  /** Statements of one caller that run at the same time; one more is a 429. */
  perCaller: z.int().min(1).max(64).default(2),
  /** The most rows of one table that a statement reads from PostgreSQL, because the lake does not have them yet. */
  liveRows: z.int().min(0).max(100_000_000).default(500_000),
})
export type SqlConfig = z.infer<typeof sqlSchema>

/** The key `exports`: whole tables as files (docs/exports.md). */
export const exportsSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** Exports that run at the same time; one more is a 503. */
  concurrent: z.int().min(1).max(64).default(4),
  /** Exports of one caller that run at the same time; one more is a 429. */
  perCaller: z.int().min(1).max(64).default(2),
  /** Memory of the engine for one export. */
  memoryMegabytes: z.int().min(64).max(65_536).default(256),
  /** Seconds that the engine may take for one piece of an export, and for which the caller may take nothing. */
  seconds: z.number().min(1).max(86_400).default(600),
  /** The largest Parquet file, which is written before it is sent. */
  fileMegabytes: z.int().min(1).max(1_048_576).default(4_096),
})
export type ExportsConfig = z.infer<typeof exportsSchema>
