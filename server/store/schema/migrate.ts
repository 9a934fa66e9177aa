import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { FatalError, LockedError } from '../../kernel/errors.ts'
import { type Database, lockSpace, type Queryable } from '../database.ts'
import { askDistributed, distributeTables } from '../distribution.ts'
import { withinLockTimeout } from '../lock-timeout.ts'
import { lockKey } from '../session.ts'
import { statementsOf } from '../statements.ts'
import { type Migration, migrations } from './migrations.ts'

/** Milliseconds for which reads of a table may queue behind a statement that needs the table for itself. */
const queueTime = 500
/** Milliseconds between two attempts of such a statement: reads that had queued are through by then. */
const pauseTime = 2_000
/** Milliseconds after which such a statement is given up; less for one that the next start may run as well. */
const timeoutMs = 300_000
const tidyingTimeoutMs = 3_000
/** Milliseconds to wait for indexers that are about to stop. */
const indexerTimeoutMs = 5_000

/**
 * Updates the schema: runs each migration once and in order, under an advisory lock so that several processes may start
 * together. Also creates the secret that signs page tokens. On a distributed store, new tables of chains are distributed
 * as well. `list` is for tests: the migrations of another version. `onNews` gets what an operator may want to know.
 *
 * Reads of every table go on: what needs a table for itself takes an instant and is a transaction of its own, columns
 * first and old indexes last. All the rest is one transaction, so that a failure leaves the old state.
 *
 * Throws FatalError if the database contains a migration that this version does not know or if a table is held for five
 * minutes, and LockedError if an indexer of another version is running.
 */
export async function migrate(
  database: Database,
  list: readonly Migration[] = migrations,
  onNews: (news: string) => void = () => undefined,
): Promise<void> {
  const added = await addColumns(database, pendingOf(list, await appliedMigrations(database)))
  try {
    await database.begin((sql) => applyPending(sql, list))
  } catch (error) {
    await dropColumns(database, list, added).catch((failure: unknown) =>
      onNews(`the columns of the failed upgrade are still there, and empty: ${String(failure)}`),
    )
    throw error
  }
  await tidyUp(database, onNews)
}

/** The names of the migrations that a database has; none if it is new. */
export async function appliedMigrations(sql: Queryable): Promise<Set<string>> {
  if (!(await readColumns(sql)).has('migrations')) return new Set()
  return new Set((await sql<{ name: string }[]>`select name from migrations`).map(({ name }) => name))
}

/** The database has a schema from before a release, from which no migration leads to the present one. */
export class OtherSchemaError extends FatalError {
  override readonly name = 'OtherSchemaError'
}

/**
 * The migrations that a database lacks. Throws OtherSchemaError if it does not begin with the first of them, and FatalError
 * if it has one that is not in the list.
 */
export function pendingOf(list: readonly Migration[], applied: ReadonlySet<string>): Migration[] {
  const known = new Set(list.map(({ name }) => name))
  const foreign = [...applied].filter((name) => !known.has(name))
  if (applied.size > 0 && !applied.has(list[0]?.name ?? ''))
    throw new OtherSchemaError(
      `the database has the schema of another unreleased version (${[...applied].toSorted().at(-1)}) and can't be upgraded: name an empty one in DATABASE_URL or, for the bundled PostgreSQL, remove the folder postgres of the home; the chains are then indexed again`,
    )
  if (foreign.length > 0)
    throw new FatalError(
      `the database was written by a newer version (migration ${foreign.join(', ')} is unknown): install that version, or restore a backup of before it`,
    )
  return list.filter(({ name }) => !applied.has(name))
}

/** Removes everything from a database, whatever its schema, so that `migrate` makes it anew. */
export async function clearDatabase(database: Database): Promise<void> {
  await database.unsafe('drop schema public cascade; create schema public')
}

async function applyPending(sql: Queryable, list: readonly Migration[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockSpace.migrate}, 0)`
  await sql`create table if not exists migrations (name text primary key, applied_ts bigint not null)`
  const pending = pendingOf(list, await appliedMigrations(sql))
  const distributed = pending.length > 0 && (await askDistributed(sql))
  // Without it, a transaction cannot change a table and one that it has just created.
  if (distributed) await sql`set local citus.multi_shard_modify_mode = 'sequential'`
  if (pending.length > 0) await stopIndexers(sql)
  for (const migration of pending) {
    for (const [table, columns] of await readMissing(sql, [migration]))
      await sql.unsafe(addition(table, columns))
    // Citus takes one command at a time.
    for (const statement of statementsOf(migration.sql)) await sql.unsafe(statement)
    const now = Math.floor(Date.now() / 1000)
    await sql`insert into migrations (name, applied_ts) values (${migration.name}, ${now})`
    if (migration.after !== undefined)
      await sql`insert into service (key, value) values (${afterKey + migration.name}, ${migration.after})`
  }
  if (distributed) await distributeTables(sql)
  await sql`
    insert into service (key, value) values ('token-secret', ${randomBytes(32).toString('hex')})
    on conflict (key) do nothing`
}

/**
 * Takes the locks of all chains' indexers until the transaction ends. An indexer of the old version knows nothing of the
 * new columns: blocks that it stores after their sums were computed would have none.
 */
async function stopIndexers(sql: Queryable): Promise<void> {
  const tables = await readColumns(sql)
  const keys: number[] = []
  if (tables.has('chains'))
    keys.push(...(await sql<{ chain: bigint }[]>`select chain from chains`).map(({ chain }) => Number(chain)))
  if (tables.has('primary_chains'))
    keys.push(
      ...(await sql<{ chain: number }[]>`select chain from primary_chains`).map(({ chain }) => -chain),
    )
  const deadline = performance.now() + indexerTimeoutMs
  for (const key of keys)
    while (!(await takeLock(sql, key))) {
      if (performance.now() > deadline)
        throw new LockedError(
          'an indexer of another version is running on this database: stop it, the schema is updated afterwards',
        )
      await sleep(200)
    }
}

async function takeLock(sql: Queryable, key: number): Promise<boolean> {
  const [row] = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(${lockSpace.indexer}, ${lockKey(key)}) as locked`
  return row?.locked === true
}

type Columns = ReadonlyMap<string, ReadonlySet<string>>
/** Definitions of columns by table. */
type Definitions = ReadonlyMap<string, readonly string[]>

/** The columns of every table. */
async function readColumns(sql: Queryable): Promise<Columns> {
  const rows = await sql<{ table: string; columns: string[] }[]>`
    select c.relname as table, array_agg(a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname`
  return new Map(rows.map(({ table, columns }) => [table, new Set(columns)]))
}

/** The columns of migrations that tables, as far as they exist, do not have yet. */
function missingColumns(tables: Columns, pending: readonly Migration[]): Definitions {
  const missing = new Map<string, string[]>()
  for (const [table, definitions] of pending.flatMap(({ columns }) => Object.entries(columns ?? {}))) {
    const there = tables.get(table)
    const lacking = definitions.filter((definition) => there?.has(nameOf(definition)) === false)
    if (lacking.length > 0) missing.set(table, [...(missing.get(table) ?? []), ...lacking])
  }
  return missing
}

const nameOf = (definition: string): string => definition.split(' ', 1)[0] ?? ''

const addition = (table: string, definitions: readonly string[]): string =>
  `alter table ${table} ${definitions.map((definition) => `add column if not exists ${definition}`).join(', ')}`

/** The statements that add a migration's columns to tables that lack them all. */
export const columnStatements = ({ columns = {} }: Migration): string[] =>
  Object.entries(columns).map(([table, definitions]) => addition(table, definitions))

/** The same, of the tables as they are. Most starts have no such migration, and ask nothing. */
async function readMissing(sql: Queryable, pending: readonly Migration[]): Promise<Definitions> {
  const adding = pending.filter(({ columns }) => columns !== undefined)
  return adding.length === 0 ? new Map() : missingColumns(await readColumns(sql), adding)
}

/** Adds the columns that existing tables lack, and returns them. */
async function addColumns(database: Database, pending: readonly Migration[]): Promise<Definitions> {
  const missing = await readMissing(database, pending)
  for (const [table, definitions] of missing)
    await briefly(database, (sql) => sql.unsafe(addition(table, definitions)))
  return missing
}

/** Drops the columns again, unless another process has applied their migrations meanwhile. */
async function dropColumns(
  database: Database,
  list: readonly Migration[],
  added: Definitions,
): Promise<void> {
  for (const [table, definitions] of added)
    await briefly(database, async (sql) => {
      await sql`select pg_advisory_xact_lock(${lockSpace.migrate}, 0)`
      const pending = pendingOf(list, await appliedMigrations(sql))
      const unused = missingColumns(new Map([[table, new Set()]]), pending).get(table) ?? []
      const drops = definitions
        .filter((each) => unused.includes(each))
        .map((each) => `drop column ${nameOf(each)}`)
      if (drops.length > 0) await sql.unsafe(`alter table ${table} ${drops.join(', ')}`)
    })
}

/** The keys of `service` under which the end of a migration waits. */
const afterKey = 'after-'

/** Runs what migrations have left for the end. What cannot be done now is done by the next start. */
async function tidyUp(database: Database, onNews: (news: string) => void): Promise<void> {
  const left = await database<{ key: string; script: string }[]>`
    select key, value as script from service where starts_with(key, ${afterKey}) order by key`
  for (const { key, script } of left)
    try {
      await briefly(
        database,
        async (sql) => {
          const [own] = await sql`delete from service where key = ${key} returning key`
          if (own) for (const statement of statementsOf(script)) await sql.unsafe(statement)
        },
        tidyingTimeoutMs,
      )
    } catch (error) {
      if (!(error instanceof FatalError)) throw error
      onNews(`the next start completes ${key.slice(afterKey.length)}: ${error.message}`)
    }
}

/**
 * Runs a transaction that needs a table for itself. It never waits long for it, because all reads of the table queue
 * behind it meanwhile; it is repeated until nobody uses the table at that moment.
 */
async function briefly(
  database: Database,
  action: (sql: Queryable) => Promise<unknown>,
  within = timeoutMs,
): Promise<void> {
  const deadline = performance.now() + within
  for (;;) {
    const held = await withinLockTimeout(database, queueTime, action)
    if (held === undefined) return
    if (performance.now() > deadline) throw await heldError(database, held)
    await sleep(pauseTime)
  }
}

/** Names the sessions with the oldest transactions, one of which holds the table. */
async function heldError(database: Database, cause: unknown): Promise<FatalError> {
  const sessions = await database<{ session: string }[]>`
    select pid || ' (' || coalesce(nullif(application_name, ''), 'unnamed') || ')' as session from pg_stat_activity
    where datname = current_database() and xact_start < now() - interval '1 second' and pid <> pg_backend_pid()
    order by xact_start limit 3`
  const names = sessions.map(({ session }) => session).join(', ')
  return new FatalError(
    `a table was in use all the time, perhaps by the long transactions of the sessions ${names || 'of others'}: try again when they have ended`,
    { cause },
  )
}
