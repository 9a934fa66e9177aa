import type { SqlFormat } from '../../contract/sql/sql.ts'

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
  /** The only folder whose files may be read; none without one. */
  readonly folder?: string
  /** A folder of this job alone, for files that are removed with it. */
  readonly scratch: string
}

/**
 * Why there is no answer, or no more of it. `statement`: it can't be run; the message is for its author. `limit`: it
 * exceeded one. `internal`: the engine failed.
 */
export type FailureClass = 'statement' | 'limit' | 'internal'

/** From the service to the engine's process: the job, then the statements that make the tables that it needs. */
export type ToEngine =
  | { readonly type: 'run'; readonly job: Job }
  | { readonly type: 'setup'; readonly statements: readonly string[] }

/**
 * From the engine's process to the service: what the statement needs, that its answer begins in the pipe, and how it
 * ended.
 */
export type FromEngine =
  | { readonly type: 'needs'; readonly tables: readonly string[] }
  | { readonly type: 'begin' }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly class: FailureClass; readonly message: string }

/** The file descriptor of the pipe for the answer in the engine's process. */
export const answerPipe = 4
