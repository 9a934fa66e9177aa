import { createRequire } from 'node:module'
import type * as DuckDb from '@duckdb/node-api'

/** An import would parse all files of the package for their exports, which takes most of the start of a worker. */
const { DuckDBInstance } = createRequire(import.meta.url)('@duckdb/node-api') as typeof DuckDb

/**
 * Settings of every engine: nothing is downloaded or loaded, and one thread, because the rows of a file must
 * not depend on how threads interleave.
 */
const settings = {
  threads: '1',
  memory_limit: '1GB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
}

/** An embedded DuckDB that reads and writes the lake's files. */
export type LakeEngine = {
  /** The name and version, as manifests have it. */
  readonly version: string
  /** A connection of its own: one result can be streamed on each. Close it after use. */
  connect(): Promise<DuckDb.DuckDBConnection>
  close(): void
}

/**
 * Starts an engine. `spill` is a folder for what exceeds its memory. Its tables are in memory, or in `database`, a
 * file. Only files of a lake have to be written by one thread.
 */
export async function openEngine(
  spill: string,
  { database = ':memory:', threads = 1 }: { database?: string; threads?: number } = {},
): Promise<LakeEngine> {
  const instance = await DuckDBInstance.create(database, {
    ...settings,
    threads: `${threads}`,
    temp_directory: spill,
  })
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll('select version()')
  connection.closeSync()
  const [[version] = []] = reader.getRows()
  return {
    version: `DuckDB ${String(version)}`,
    connect: () => instance.connect(),
    close: () => instance.closeSync(),
  }
}
