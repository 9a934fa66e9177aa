import { makeWorkFolder } from './work-folders.ts'
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { contentOf, publish, sync } from '../kernel/durable-files.ts'
import type { LakeEngine } from './engine.ts'
import { literal } from './literal.ts'
import {
  manifestFile,
  rangeName,
  tableFile,
  type BlockRange,
  type FileFacts,
  type LakeChain,
} from './manifest.ts'
import { nullText } from './rows.ts'
import { columnTypes, lakeSchemaVersion, lakeTables, type LakeColumn, type LakeTable } from './tables.ts'

/**
 * Rows per row group: the unit of statistics, and of what a reader skips. Fixed, like the compression,
 * because the bytes of a file depend on it.
 */
const rowGroupRows = 122_880
const copyOptions = `format parquet, compression zstd, compression_level 3, row_group_size ${rowGroupRows}`

/**
 * The engine's limit for a row as text, in bytes, unless a block has more: a log may be as large as a block's
 * gas allows. The text is read in buffers of several rows.
 */
const rowLimit = 1024 * 1024
const buffersPerRow = 8

/** Text that waits to be written to one file. */
type Pending = {
  readonly file: FileHandle
  parts: Buffer[]
  length: number
  longest: number
  expected: number
}

const flushAt = 1024 * 1024

/** The tables of a chain with their columns. */
type Layout<Table extends string = LakeTable> = Readonly<Record<Table, readonly LakeColumn[]>>

/** A manifest with the given facts. */
type ManifestWith<Facts, Table extends string> = Facts &
  BlockRange & {
    readonly schemaVersion: typeof lakeSchemaVersion
    readonly engine: string
    readonly files: Record<Table, FileFacts>
  }

/**
 * Writes the files of one range. Rows are collected as text in a work folder, because a range may be larger
 * than memory; DuckDB turns each table's text into Parquet. Nothing has its final name before everything is
 * on disk, and the manifest gets its name last.
 */
export class RangeWriter<Table extends string = LakeTable> {
  readonly #root: string
  readonly #range: BlockRange
  readonly #engine: LakeEngine
  readonly #layout: Layout<Table>
  readonly #tables: readonly Table[]
  readonly #folder: string
  readonly #pending: Readonly<Record<Table, Pending>>

  private constructor(
    options: { root: string; range: BlockRange; engine: LakeEngine; layout: Layout<Table> },
    folder: string,
    pending: Record<Table, Pending>,
  ) {
    this.#root = options.root
    this.#range = options.range
    this.#engine = options.engine
    this.#layout = options.layout
    this.#tables = Object.keys(options.layout) as Table[]
    this.#folder = folder
    this.#pending = pending
  }

  static async create(options: {
    root: string
    chain: number
    range: BlockRange
    engine: LakeEngine
  }): Promise<RangeWriter> {
    return RangeWriter.of({ ...options, layout: lakeTables })
  }

  /** Like `create`, for a chain with other tables than those of an EVM chain. */
  static async of<Table extends string>(options: {
    root: string
    chain: LakeChain
    range: BlockRange
    engine: LakeEngine
    layout: Layout<Table>
  }): Promise<RangeWriter<Table>> {
    const folder = await makeWorkFolder(options.root, options.chain, rangeName(options.range))
    const files = await Promise.all(
      (Object.keys(options.layout) as Table[]).map(async (table): Promise<[Table, Pending]> => {
        const file = await open(join(folder, `${table}.tsv`), 'w')
        return [table, { file, parts: [], length: 0, longest: 0, expected: 0 }]
      }),
    )
    return new RangeWriter(options, folder, Object.fromEntries(files) as Record<Table, Pending>)
  }

  /** Adds the rows of the next block as UTF-8. `counts` is how many there are, counted independently of the text. */
  async add(rows: Readonly<Record<Table, Buffer>>, counts: Readonly<Record<Table, number>>): Promise<void> {
    for (const table of this.#tables) {
      const pending = this.#pending[table]
      pending.expected += counts[table]
      const { length } = rows[table]
      if (length === 0) continue
      pending.parts.push(rows[table])
      pending.length += length
      pending.longest = Math.max(pending.longest, length)
      if (pending.length >= flushAt) await flush(pending)
    }
  }

  /** Converts, syncs and publishes everything. Returns the manifest. */
  async finish<Facts extends { readonly chain: LakeChain }>(
    facts: Facts,
  ): Promise<ManifestWith<Facts, Table>> {
    const connection = await this.#engine.connect()
    const files: [Table, FileFacts][] = []
    try {
      for (const table of this.#tables) {
        const pending = this.#pending[table]
        await flush(pending)
        await pending.file.close()
        const text = join(this.#folder, `${table}.tsv`)
        const parquet = join(this.#folder, `${table}.parquet`)
        const { rowsChanged: rows } = await connection.run(
          `copy (${selectText(this.#layout[table], text, pending.longest)}) to ${literal(parquet)} (${copyOptions})`,
        )
        if (rows !== pending.expected)
          throw new Error(`${table}: ${rows} rows were written instead of ${pending.expected}`)
        await rm(text)
        await sync(parquet)
        const { size: bytes, sha256 } = await contentOf(parquet)
        files.push([table, { rows, bytes, sha256 }])
      }
    } finally {
      connection.closeSync()
    }
    const { chain, ...rest } = facts
    const manifest = {
      schemaVersion: lakeSchemaVersion,
      engine: this.#engine.version,
      chain,
      ...this.#range,
      ...rest,
      files: Object.fromEntries(files) as Record<Table, FileFacts>,
    } as unknown as ManifestWith<Facts, Table>
    const draft = join(this.#folder, 'manifest.json')
    await writeFile(draft, `${JSON.stringify(manifest, undefined, 2)}\n`, { flush: true })
    for (const table of this.#tables) {
      await publish(join(this.#folder, `${table}.parquet`), tableFile(this.#root, chain, table, this.#range))
    }
    await publish(draft, manifestFile(this.#root, chain, this.#range))
    await this.discard()
    return manifest
  }

  /** Deletes what is not published. */
  async discard(): Promise<void> {
    await Promise.all(
      Object.values<Pending>(this.#pending).map(({ file }) => file.close().catch(() => undefined)),
    )
    await rm(this.#folder, { recursive: true, force: true })
  }
}

async function flush(pending: Pending): Promise<void> {
  if (pending.length === 0) return
  const text = Buffer.concat(pending.parts)
  pending.parts = []
  pending.length = 0
  await pending.file.appendFile(text)
}

/**
 * The rows of a table's text file, in the order of the file. `longest` is the size of a block's rows. The engine reads a
 * decimal from text ten times as slowly as an integer, which took most of the time of `transactions`.
 */
function selectText(layout: readonly LakeColumn[], path: string, longest: number): string {
  const limit = Math.max(rowLimit, longest)
  const typed = layout.map(({ name, kind }): [string, string] => [name, columnTypes[kind]])
  const columns = typed.map(
    ([name, type]) => `${literal(name)}: ${literal(type === columnTypes.word ? 'UBIGINT' : type)}`,
  )
  const values = typed.map(([name, type]) =>
    type === columnTypes.word ? `"${name}"::${type} as "${name}"` : `"${name}"`,
  )
  const options = [
    `columns = {${columns.join(', ')}}`,
    'auto_detect = false',
    'header = false',
    String.raw`delim = '\t'`,
    `quote = '"'`,
    `escape = '"'`,
    `nullstr = ${literal(nullText)}`,
    'allow_quoted_nulls = false',
    String.raw`new_line = '\n'`,
    `max_line_size = ${limit}`,
    `buffer_size = ${buffersPerRow * limit}`,
  ]
  return `select ${values.join(', ')} from read_csv(${literal(path)}, ${options.join(', ')})`
}
