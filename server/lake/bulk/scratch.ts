import { namesIn } from '../../kernel/durable-files.ts'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { openEngine, type LakeEngine } from '../engine.ts'
import { literal } from '../literal.ts'
import { tableFile, type Manifest } from '../manifest.ts'
import { lakeTableNames } from '../tables.ts'
import { WholeRows } from '../whole-rows.ts'
import { FatalError } from '../../kernel/errors.ts'
import { isAlive } from '../../kernel/is-alive.ts'
import { folds, type Fold } from './folds.ts'

/** Rows of a result, column by column. */
type Chunk = { readonly columns: readonly (readonly DuckDBValue[])[]; readonly rows: number }

/**
 * A database of DuckDB that lives as long as a load: the lake's files as views, and the tables into which their
 * rows are folded, each made when it is first asked for. After a crash it is made again from the lake.
 */
export class Scratch {
  readonly #engine: LakeEngine
  readonly #connection: DuckDBConnection
  readonly #folder: string
  readonly #signal: AbortSignal
  readonly #made = new Map<Fold, Promise<void>>()
  #interrupted = false

  private constructor(engine: LakeEngine, connection: DuckDBConnection, folder: string, signal: AbortSignal) {
    this.#engine = engine
    this.#connection = connection
    this.#folder = folder
    this.#signal = signal
  }

  /** Opens a scratch database below a folder, over the files of ranges. */
  static async open(
    home: string,
    root: string,
    ranges: readonly Manifest[],
    signal: AbortSignal,
  ): Promise<Scratch> {
    // What a loader that was killed left.
    for (const name of await namesIn(home)) {
      const pid = /^bulk-load-(\d+)-/.exec(name)?.[1]
      if (pid !== undefined && !isAlive(Number(pid)))
        await rm(join(home, name), { recursive: true, force: true })
    }
    await mkdir(home, { recursive: true })
    const folder = await mkdtemp(join(home, `bulk-load-${process.pid}-`))
    const engine = await openEngine(folder, {
      database: join(folder, 'scratch.duckdb'),
      threads: availableParallelism(),
    })
    const connection = await engine.connect()
    // Nobody reads the file afterwards.
    await connection.run('pragma disable_checkpoint_on_shutdown')
    for (const table of lakeTableNames) {
      const files = ranges.map((range) => literal(tableFile(root, range.chain, table, range)))
      await connection.run(`create view ${table} as select * from read_parquet([${files.join(', ')}])`)
    }
    return new Scratch(engine, connection, folder, signal)
  }

  /** Makes a fold once, and before it those that it is made of. */
  make(fold: Fold): Promise<void> {
    const made = this.#made.get(fold) ?? this.#make(fold)
    this.#made.set(fold, made)
    return made
  }

  async #make(fold: Fold): Promise<void> {
    for (const part of folds[fold].of) await this.make(part)
    this.checkSignal()
    await folds[fold].make(this)
  }

  /** Ends whatever else goes on, because a part of the load failed. */
  interrupt(): void {
    this.#interrupted = true
  }

  /** Throws FatalError if the load was asked to end: what is not whole is rolled back. */
  checkSignal(): void {
    if (this.#interrupted || this.#signal.aborted)
      throw new FatalError('interrupted: the same command continues the load')
  }

  async run(sql: string): Promise<void> {
    await this.#connection.run(sql)
  }

  /**
   * The rows of a query, in bounded memory. Several queries may be read at the same time. Throws BrokenOff if the engine
   * ends them early.
   */
  async *read(sql: string): AsyncGenerator<Chunk> {
    const connection = await this.#engine.connect()
    let next: ReturnType<WholeRows['next']> | undefined
    try {
      const rows = await WholeRows.open(connection, sql)
      next = rows.next()
      for (;;) {
        const found = await next
        this.checkSignal()
        if (found === undefined) return
        // The engine goes on while the rows are used.
        next = rows.next()
        next.catch(() => undefined)
        yield { columns: found.columns(), rows: found.count }
      }
    } finally {
      await next?.catch(() => undefined)
      connection.closeSync()
    }
  }

  async close(): Promise<void> {
    this.#connection.closeSync()
    this.#engine.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
