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
let reading: DuckDBConnection
let locked: DuckDBConnection

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-'))
  lake = join(folder, 'lake')
  outside = join(folder, 'outside.csv')
  mkdirSync(lake)
  writeFileSync(outside, 'secret\n42\n')
  reading = await openEngine({ threads: 1, memoryMegabytes: 128 })
  locked = await openEngine({ threads: 1, memoryMegabytes: 128 })
  await locked.run('create table blocks (number bigint); create table logs (number bigint)')
  await lock(locked, { folders: [lake] })
  await lock(reading)
})
afterAll(() => {
  reading?.closeSync()
  locked?.closeSync()
  rmSync(folder, { recursive: true, force: true })
})

const admit = async (sql: string): Promise<string[]> => [...tablesOf(await parse(reading, sql), known)]

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

  const message = /only SELECT|not available|there is no table|give one statement/
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
    "select json_serialize_plan('from ''/etc/passwd''')",
    "select pg_get_constraintdef(1), pg_get_expr('x', 1)",
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

  test('reads no file while it reads the text', async () => {
    writeFileSync(join(folder, 'schema.sql'), 'secretword broken')
    for (const sql of [
      `import database '${folder}'`,
      `pragma import_database('${folder}')`,
      `select 1; import database '${folder}'`,
      `/* */ ; select 1 ; pragma import_database('${folder}')`,
    ]) {
      const message = await admit(sql).catch((error: Error) => error.message)
      expect(message).toMatch(/^only SELECT/)
    }
    rmSync(join(folder, 'schema.sql'))
  })

  test('refuses what is not a statement', async () => {
    for (const sql of ['selec 1', 'select 1)', 'select 1 /* x', ' ', "select 'x", '\0'])
      await expect(admit(sql), sql).rejects.toThrow()
  })
})

/**
 * Every place in which a name of WITH is visible or not. `N` stands for the name: the engine itself says whether it is
 * one of WITH, because it knows no table of that name.
 */
const scopes = [
  'with N as (select 1) select * from N',
  'with N as (select 1) select * from N a, N b where exists (from N)',
  'select * from (with N as (select 1) select * from N) z',
  'select * from (with N as (select 1) select 1) z, N',
  'select * from N, (with N as (select 1) select * from N) z',
  'select * from (with N as (select 1) from N) z, lateral (from N) l',
  'select (with N as (select 1) from N), (from N)',
  'select (with N as (select 1) from N) from N',
  'select 1 where exists (with N as (select 1) from N) and exists (from N)',
  'select 1 where 1 in (with N as (select 1) from N)',
  'with a as (select * from N), N as (select 1) from a',
  'with N as (select 1), a as (select * from N) from a',
  'with a as (with N as (select 1) from N) from a',
  'with a as (with N as (select 1) from N) from a, N',
  'with a as (with N as (select 1) from N), b as (from N) from b',
  'with N as (from N) from N',
  'with recursive N as (from N) from N',
  'with recursive N as (select 1 n union all select n + 1 from N where n < 3) from N',
  'with recursive N as (select n from N union all select n + 1 from N where n < 3) from N',
  'with recursive N as (select 1 n union all select n + 1 from (from N) where n < 3) from N',
  'with recursive a as (select 1 n union all select n + 1 from a, N), N as (select 1) from a',
  'with recursive N(n) as (select 1 union select n + 1 from N where n < 3) select (with recursive b(n) as (select 1 union from N) select max(n) from b)',
  'select * from (with recursive N(n) as (select 1 union select n + 1 from N where n < 3) from N) z, N',
  '(with N as (select 1) from N) union all from N',
  'from N union all (with N as (select 1) from N)',
  'with N as (select 1) from N union all (with a as (select 2) from N)',
  'with N as (select 1) (from N except from N) intersect from N',
  'with N as (select 1) select * from (values (1)) v order by (select * from N)',
  'select 1 order by (with N as (select 1) from N), (from N)',
  'select 1 limit (with N as (select 1) from N)',
  'select 1 limit (from N)',
  'with N as (select 1 a) select a from N group by a having a > (select min(a) from N) qualify row_number() over (order by (from N)) = 1',
  'with N as (select 1 a) select * from range((select max(a) from N)) r, unnest([(select a from N)]) u',
  'select * from range((with N as (select 1) from N)) r, N',
  'with N as (select 1 a) pivot N on a in (1)',
  'pivot (with N as (select 1 a) from N) on a in (1)',
  'select * from (pivot (with N as (select 1 a) from N) on a in (1)) p, N',
  'with N as (select 1 a, 2 b) unpivot N on a, b',
  'with N as (select 1 a) select * from N positional join N m',
  'with N as (select 1 a) select * from N asof join N m on N.a >= m.a',
  'select * from (with N as (select 1 a) from N) x asof join N m on x.a >= m.a',
  "with N as (select 1 a) select columns('a') from N",
  'with N as (select 1 a) select N.*, N from N',
  'describe (with N as (select 1 a) from N)',
  'with N as (select 1 a) select * from (summarize from N)',
  'with N as materialized (select 1 a) from N',
  'with N as not materialized (select 1 a) select * from (from N), (from N)',
  'with N as (select 1 a) select [x for x in (select [a] from N) if x > 1]',
  'with N as (select 1 a) select list_transform((select [a] from N), lambda x: x + 1) from (from N)',
  'with N as (select 1 a) select sum(a) filter (a in (from N)) over (order by (from N)) from N',
  'with N as (select 1 a) select case when exists (from N) then 1 end, struct_pack(x := (from N)) from N',
  'with N as (select 1 a) select * from (values ((select a from N))) v',
  'with N as (select 1 a), b as (select * from N where a = (with N as (select 2 a) select a from N)) from b',
  'with main as (select 1 a) from main.N',
  'with N as (select 1 a) from main.N',
  'with N as (select 1 a) from memory.main.N',
  'with N as (select 1 a) from N at (version => 1)',
] as const

/** Names that the engine finds somewhere else. */
const targets = [
  'duckdb_views',
  'DuckDB_Views',
  'sqlite_master',
  'pg_class',
  'live_blocks',
  'late_spends_p',
  '"information_schema.tables"',
  '"outside.csv"',
  '"lake/own.csv"',
  '"*.parquet"',
] as const

describe('a name of WITH', () => {
  const forms = scopes.flatMap((sql) => ['zz', 'ZZ', '"z z"', '"z.csv"'].map((name) => [sql, name] as const))
  test.each(forms)('is one where the engine says so: %s (%s)', async (form, name) => {
    const sql = form.replaceAll('N', name)
    const isOne = await reading.prepare(sql).then(
      (statement) => {
        statement.destroySync()
        return true
      },
      (error: Error) => {
        expect(error.message).toMatch(/does not exist|Circular reference|Cannot access file/)
        return false
      },
    )
    const isAdmitted = await admit(sql).then(
      () => true,
      (error: Error) => {
        expect(error.message).toMatch(/^there is no table/)
        return false
      },
    )
    expect(isAdmitted).toBe(isOne)
  })

  test.each(targets)('opens nothing else: %s', async (name) => {
    for (const form of scopes) {
      const sql = form.replaceAll('N', name)
      const placeholder = form.replaceAll('N', 'zz')
      const isOne = await admit(placeholder).then(
        () => true,
        () => false,
      )
      const isAdmitted = await admit(sql).then(
        () => true,
        () => false,
      )
      expect(isAdmitted, sql).toBe(isOne)
    }
  })

  test('is compared as the engine does: letters beyond ASCII have their case', async () => {
    // The Kelvin sign is a k for Unicode, and another letter for the engine.
    await expect(admit('with "\u212A" as (select 1) from k')).rejects.toThrow('there is no table')
    await expect(admit('from "bloc\u212As"')).rejects.toThrow('there is no table')
    await expect(admit('with "Ä" as (select 1) from "ä"')).rejects.toThrow('there is no table')
    expect(await admit('with "Ä" as (select 1) from "Ä"')).toEqual([])
  })

  test('hides a table of the same name only where it is visible', async () => {
    expect(await admit('with blocks as (select 1) from blocks')).toEqual([])
    expect(await admit('with blocks as (from blocks) from blocks')).toEqual(['blocks'])
    expect(await admit('with blocks as (select 1) from main.blocks')).toEqual(['blocks'])
    expect(await admit('select * from (with blocks as (select 1) from blocks) z, logs')).toEqual(['logs'])
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
