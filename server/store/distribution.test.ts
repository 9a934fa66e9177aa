import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { distributedTables, isDistributed, replacedTriggers } from './distribution.ts'
import { columnStatements } from './schema/migrate.ts'
import { migrations } from './schema/migrations.ts'
import { statementsOf } from './statements.ts'

/**
 * The rules that migrations keep to, so that a schema holds on one PostgreSQL and on Citus (docs/citus.md). The first
 * three look at what all migrations together have made, the last one reads those that may run on a distributed store: a
 * store is distributed when it has the schema.
 */
let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

const names = (rows: readonly { name: string }[]): string[] => rows.map(({ name }) => name)

test('every table with rows of EVM chains is distributed, and no other', async () => {
  const rows = await store.database<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'chain' and a.atttypid = 'bigint'::regtype order by 1`
  // What is under way with a lake is read and written by itself, and so is what makes contracts readable, which is looked
  // for in all chains.
  const byThemselves = /^(lake|verification|verified)_|^(contract_codes|address_labels)$/
  expect(names(rows).filter((name) => !byThemselves.test(name))).toEqual([...distributedTables].sort())
})

test('their keys and unique indexes have the chain', async () => {
  const rows = await store.database<{ name: string }[]>`
    select i.indexrelid::regclass::text as name from pg_index i
    where i.indisunique and i.indrelid::regclass::text = any(${[...distributedTables]}) and not exists (
      select from pg_attribute a
      where a.attrelid = i.indrelid and a.attnum = any(i.indkey) and a.attname = 'chain')`
  expect(names(rows)).toEqual([])
})

test('they have no foreign keys, sequences, rules or row security, and only triggers that are replaced', async () => {
  const rows = await store.database<{ name: string }[]>`
    select conname as name from pg_constraint
    where contype in ('f', 'x') and conrelid::regclass::text = any(${[...distributedTables]})
    union all
    select d.objid::regclass::text from pg_depend d
    join pg_class s on s.oid = d.objid and s.relkind = 'S' where d.refobjid::regclass::text = any(${[...distributedTables]})
    union all
    select relname from pg_class
    where relname = any(${[...distributedTables]}) and (relhasrules or relrowsecurity)
    union all
    select tgname from pg_trigger
    where not tgisinternal and tgrelid::regclass::text = any(${[...distributedTables]})
      and not tgname = any(${Object.values(replacedTriggers).flat()})`
  expect(names(rows)).toEqual([])
})

/** Why a statement of a later migration would fail on a distributed store; undefined if it would not. */
function problemOf(statement: string): string | undefined {
  const code = statement
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  const named = distributedTables.filter((table) => new RegExp(`\\b${table}\\b`).test(code))
  if (named.length === 0) return undefined
  if (/^do\b/.test(code)) return 'a block is one command to Citus, which may not change tables there'
  if (/create (?:or replace )?(?:constraint )?trigger/.test(code)) return 'a trigger has no counterpart'
  if (/^create (?:or replace )?function/.test(code))
    return 'a function that runs on a shard sees no other table'
  if (/\b(?:serial|bigserial|generated .* as identity|references)\b/.test(code))
    return 'keys of other tables and sequences are not distributed'
  if (/^(?:update|delete|insert)\b/.test(code) && /\b(?:random|clock_timestamp|nextval)\(/.test(code))
    return 'a volatile function gives other values on each server'
  if (code.startsWith('create unique index') && !/\((?:[^)]*,)? ?chain\b/.test(code))
    return 'a unique index needs the chain'
  return undefined
}

test('migrations after the schema have no statement that a distributed store refuses', () => {
  const problems = migrations.slice(1).flatMap((migration) =>
    [
      ...columnStatements(migration),
      ...statementsOf(migration.sql),
      ...statementsOf(migration.after ?? ''),
    ].flatMap((statement) => {
      const problem = problemOf(statement)
      return problem === undefined ? [] : [`${migration.name}: ${problem}: ${statement.slice(0, 80)}`]
    }),
  )
  expect(problems).toEqual([])
})

test.each([
  ['create trigger t after insert on blocks for each row execute function f()', 'trigger'],
  ['create unique index u on tokens (token)', 'needs the chain'],
  ["do $$ begin update token_facts set name = ''; end $$", 'block'],
  ['update token_facts set due_ts = random()', 'volatile'],
  ['alter table seen add column other bigint references chains', 'keys of other tables'],
])('such as: %s', (statement, reason) => {
  expect(problemOf(statement)).toContain(reason)
})

test.each([
  'create unique index u on tokens (chain, token)',
  'alter table blocks add column more bigint',
  'create trigger t after insert on uptime_samples for each statement execute function f()',
])('but not: %s', (statement) => {
  expect(problemOf(statement)).toBeUndefined()
})

test('a store without Citus is not distributed', async () => {
  expect(await isDistributed(store.database)).toBe(false)
})

test('the statements of a script are its commands, whatever is in texts, comments and bodies', () => {
  expect(
    statementsOf(`
      -- a; comment
      create table a (b text default ';''$$;');
      ;
      create function f() returns text language sql as $body$ select ';'; select $$;$$ $body$;
      select ";" from c -- the end;
    `),
  ).toEqual([
    `-- a; comment\n      create table a (b text default ';''$$;')`,
    "create function f() returns text language sql as $body$ select ';'; select $$;$$ $body$",
    'select ";" from c -- the end;',
  ])
  // Every migration is whole: nothing but the semicolons and white space between its statements is lost.
  const bare = (text: string): string => text.replaceAll(/[\s;]/g, '')
  for (const { sql } of migrations) expect(bare(statementsOf(sql).join(''))).toBe(bare(sql))
})

test('the page about Citus names every table that is distributed', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/citus.md', import.meta.url)), 'utf8')
  expect(distributedTables.filter((table) => !page.includes(`\`${table}\``))).toEqual([])
})
