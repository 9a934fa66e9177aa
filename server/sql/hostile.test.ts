import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lock, openEngine, parse } from './engine.ts'
import { tablesOf } from './statement.ts'

/**
 * Two defences, each tried alone: the check of a statement's tree, which refuses all but SELECTs over the known tables,
 * and the engine's lock, which must hold for a statement that the check would have let pass. server/routes/sql/ tries
 * both together, in the process that runs statements, with statements that want too much.
 */
const known = new Set(['blocks', 'logs'])
let folder: string
let lake: string
let outside: string
let open: DuckDBConnection
let locked: DuckDBConnection

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-'))
  lake = join(folder, 'lake')
  outside = join(folder, 'outside.csv')
  mkdirSync(lake)
  writeFileSync(outside, 'secret\n42\n')
  open = await openEngine({ threads: 1, memoryMegabytes: 128 })
  locked = await openEngine({ threads: 1, memoryMegabytes: 128 })
  await locked.run('create table blocks (number bigint); create table logs (number bigint)')
  await lock(locked, [lake], undefined)
})
afterAll(() => {
  open?.closeSync()
  locked?.closeSync()
  rmSync(folder, { recursive: true, force: true })
})

const admit = async (sql: string): Promise<string[]> => [...tablesOf(await parse(open, sql), known)]

describe('the check of a statement', () => {
  test.each([
    ['select * from blocks b join logs using (number)', ['logs', 'blocks']],
    ['from BLOCKS', ['blocks']],
    ['with x as (select 1) select * from x, (from blocks) where exists (from logs)', ['logs', 'blocks']],
    ['with recursive t as (select 1 n union all select n + 1 from t where n < 5) from t', []],
    ['select * from main.blocks, range(3), unnest([1, 2])', ['blocks']],
    ['describe logs', ['logs']],
    ['pivot logs on number in (1, 2) using count(*)', ['logs']],
    ["select ';' -- drop table logs;", []],
  ])('lets %s pass', async (sql, tables) => {
    expect((await admit(sql)).toSorted()).toEqual(tables.toSorted())
  })

  const message = /only SELECT|Only SELECT|not available|there is no table|give one statement|give PIVOT/
  test.each([
    // Files, by every way into FROM.
    "select * from '/etc/passwd'",
    "select * from 'data.parquet'",
    `select * from "x.csv"`,
    "select * from read_csv('/etc/passwd')",
    "select * from read_text('/etc/passwd')",
    "select * from read_blob('/proc/self/environ')",
    "select * from read_parquet('s3://bucket/x.parquet')",
    "select * from parquet_metadata('/x')",
    "select * from sniff_csv('/etc/passwd')",
    "select * from glob('/**')",
    "select 1 where exists (from read_json('/x'))",
    "with x as (from read_ndjson('/x')) from x",
    "select (select content from system.main.read_text('/etc/passwd'))",
    "select * from READ_CSV('/etc/passwd')",
    "summarize 'x.csv'",
    // Statements in text, which no check of the tree sees.
    "from query('from read_text(''/etc/passwd'')')",
    "from query_table('/etc/passwd')",
    "from json_execute_serialized_sql(json_serialize_sql('select 1'))",
    // The engine: its settings, its catalogue, its log, which a SELECT could write to a file.
    'from duckdb_settings()',
    'from duckdb_secrets()',
    'from duckdb_views()',
    'from information_schema.tables',
    'from pg_catalog.pg_class',
    'from sqlite_master',
    "from enable_logging(storage = 'file', storage_path = '/tmp/log')",
    "from enable_profiling('json', save_location = '/tmp/profile')",
    "select write_log('x')",
    "select current_setting('allowed_directories')",
    "select getenv('HOME')",
    'show tables',
    'show databases',
    // Other statements, alone and behind a SELECT.
    "copy blocks to '/tmp/x.csv'",
    "copy (select 1) to '/tmp/x.parquet'",
    "attach '/tmp/x.db' as x",
    'detach x',
    'pragma database_list',
    'pragma threads = 64',
    'set threads = 64',
    'reset memory_limit',
    'set variable x = 1',
    'install httpfs',
    'load httpfs',
    'create table x as select 1',
    'create macro f(x) as x',
    'drop view blocks',
    'insert into blocks values (1)',
    'update blocks set number = 1',
    'delete from blocks',
    "export database '/tmp/x'",
    'checkpoint',
    'vacuum',
    'begin',
    'prepare p as select 1',
    "call enable_logging('x')",
    'explain analyze select 1',
    'use x',
    'select 1; select 2',
    "select 1; copy blocks to '/tmp/x.csv'",
    'pivot logs on number',
  ])('refuses %s', async (sql) => {
    await expect(admit(sql)).rejects.toThrow(message)
  })

  test('refuses what is no statement', async () => {
    for (const sql of ['selec 1', 'select 1)', 'select 1 /* x', ' ', "select 'x", '\0'])
      await expect(admit(sql), sql).rejects.toThrow()
  })
})

describe('the lock of the engine', () => {
  test.each([
    () => `select * from '${outside}'`,
    () => `select * from read_csv('${outside}')`,
    () => `select * from read_text('${lake}/../outside.csv')`,
    () => "select * from read_blob('/proc/self/environ')",
    () => "select * from glob('/*')",
    () => `copy (select 1) to '${folder}/new.csv'`,
    () => `copy blocks from '${outside}'`,
    () => `attach '${folder}/new.db' as x`,
    () => `export database '${folder}/new'`,
    () => "select * from read_parquet('http://127.0.0.1:1/x.parquet')",
    () => 'install httpfs',
    () => 'load httpfs',
    () => 'set enable_external_access = true',
    () => 'set lock_configuration = false',
    () => `set allowed_directories = ['${folder}']`,
    () => "set memory_limit = '100GB'",
    () => "set temp_directory = '/tmp'",
    () => 'set threads = 64',
    () => 'pragma threads = 64',
    () => 'reset memory_limit',
    () => "select getenv('HOME')",
  ])('holds against %s', async (sql) => {
    await expect(locked.run(sql())).rejects.toThrow()
    expect(readdirSync(folder).toSorted()).toEqual(['lake', 'outside.csv'])
  })

  test('reads the lake', async () => {
    writeFileSync(join(lake, 'own.csv'), 'a\n7\n')
    const rows = await locked.runAndReadAll(`select a from '${lake}/own.csv'`)
    expect(rows.getRowsJson()).toEqual([['7']])
    expect(existsSync(outside)).toBe(true)
  })
})
