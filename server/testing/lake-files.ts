import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { manifestFile, tableFile, type BlockRange } from '../lake/manifest.ts'
import { columnTypes, lakeSchemaVersion, lakeTableNames, lakeTables, type LakeTable } from '../lake/tables.ts'

type LakeRows = Partial<Record<LakeTable, readonly Readonly<Record<string, string | number | null>>[]>>

/** Writes a range of a lake by hand: the given columns of the given rows, null for the others. */
export async function writeLakeRange(
  root: string,
  chain: number,
  range: BlockRange & { readonly genesisHash: string; readonly lastHash: string },
  rows: LakeRows,
): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const table of lakeTableNames) {
    const columns = lakeTables[table].map(({ name, kind }) => ({
      name: `"${name}"`,
      type: columnTypes[kind],
      key: name,
    }))
    await connection.run(
      `create table ${table} (${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`,
    )
    for (const row of rows[table] ?? []) {
      const values = columns.map(({ key, type }) => {
        const value = row[key] ?? null
        return value === null ? 'null' : `'${value}'::${type}`
      })
      await connection.run(`insert into ${table} values (${values.join(', ')})`)
    }
    const file = tableFile(root, chain, table, range)
    mkdirSync(dirname(file), { recursive: true })
    await connection.run(`copy ${table} to '${file}' (format parquet, compression zstd)`)
  }
  connection.closeSync()
  const none = { rows: 0, bytes: 1, sha256: '0'.repeat(64) }
  const end = { hash: range.lastHash, ts: 0 }
  const path = manifestFile(root, chain, range)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(
    path,
    JSON.stringify({
      schemaVersion: lakeSchemaVersion,
      engine: 'a test',
      chain,
      genesisHash: range.genesisHash,
      from: range.from,
      to: range.to,
      client: 'a test',
      traces: 'debug',
      first: { hash: range.genesisHash, parentHash: range.genesisHash, ts: 0 },
      last: end,
      files: Object.fromEntries(lakeTableNames.map((table) => [table, none])),
    }),
  )
}
