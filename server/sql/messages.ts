import type { ExportFormat } from '../../contract/sql/exports.ts'
import type { SqlFormat } from '../../contract/sql/sql.ts'
import type { NotKept } from './not-kept.ts'
import type { Column } from './tables.ts'

/** One statement for a process of the engine. */
export type Job = {
  readonly sql: string
  readonly format: SqlFormat
  /** The most rows of the answer. */
  readonly rows: number
  readonly seconds: number
  readonly memoryMegabytes: number
  readonly threads: number
  /** The names that the statement may use as tables. */
  readonly known: readonly string[]
  /** A folder of this job alone, for files that are removed with it. */
  readonly scratch: string
}

/** One export for a process of the engine: rows of one table, part by part, as one file. */
export type ExportJob = {
  readonly format: ExportFormat
  /** The columns of the file in order: what each is made of, and its name. */
  readonly columns: readonly { readonly expression: string; readonly name: string }[]
  /** The condition that a row meets. */
  readonly where: string
  /** The heights that the rows are between, both included. */
  readonly from: number
  readonly to: number
  /** The columns of a part with rows of the store. */
  readonly stored: readonly Column[]
  /** Seconds that one part may take, and for which the caller may take nothing. */
  readonly seconds: number
  readonly memoryMegabytes: number
  /** The most bytes of a Parquet file, which is written before it is sent. */
  readonly fileBytes: number
  /** The only folder whose files may be read. */
  readonly folder: string
  /** A folder of this job alone, for files that are removed with it. */
  readonly scratch: string
}

/** What makes the tables of a job. */
export type Setup = {
  readonly statements: readonly string[]
  /** The most rows of a table, and the complaint about more: an answer from a part of the rows would be wrong. */
  readonly limits: readonly TableLimit[]
  /** The files that the tables are read from while the statement runs: it can open no others. */
  readonly files: readonly string[]
  /** Which tables lack dropped rows. */
  readonly notKept: readonly NotKept[]
}
export type TableLimit = { readonly table: string; readonly max: number; readonly complaint: string }

/** A file of the lake, or a CSV file with rows of the store, in the order of the table's key. */
export type ExportPart = { readonly kind: 'lake' | 'store'; readonly file: string }

/**
 * Why there is no answer, or no more of it. `statement`: it can't be run; the message is for its author. `limit`: it
 * exceeded one. `internal`: the engine failed.
 */
export type FailureClass = 'statement' | 'limit' | 'internal'

/**
 * From the service to the engine's process: the job, then the statements that make the tables that it needs, or the
 * parts of an export that it asks for, of which the last is undefined, and that the caller has a file of it.
 */
export type ToEngine =
  | { readonly type: 'run'; readonly job: Job }
  | ({ readonly type: 'setup' } & Setup)
  | { readonly type: 'export'; readonly job: ExportJob }
  | { readonly type: 'part'; readonly part: ExportPart | undefined }
  | { readonly type: 'sent' }

/**
 * From the engine's process to the service: what the statement needs, that the answer begins in the pipe, and how it
 * ended. An export asks for its next part, says that it still works, and has a file for the caller.
 */
export type FromEngine =
  | { readonly type: 'needs'; readonly tables: readonly string[] }
  | { readonly type: 'next' }
  | { readonly type: 'working' }
  | { readonly type: 'file'; readonly file: string }
  | { readonly type: 'begin' }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly class: FailureClass; readonly message: string }

/** The file descriptor of the pipe for the answer in the engine's process. */
export const answerPipe = 4
