import type { Database, Queryable } from '../store/database.ts'
import { appliedMigrations, columnStatements, pendingOf } from '../store/schema/migrate.ts'
import { type Migration, migrations } from '../store/schema/migrations.ts'

/** A pending migration, and what it will do to the tables that exist. */
export type PendingMigration = {
  readonly name: string
  /** Estimates from above: seconds, and bytes of the disk. */
  readonly seconds: number
  readonly bytes: number
  /** Tables that it reads, that it writes rows of, on which it builds indexes. */
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  readonly indexes: readonly string[]
}

type UpgradePlan = {
  readonly applied: number
  readonly pending: readonly PendingMigration[]
}

/**
 * Bytes a second of the table for each kind of work, from 1,000,000 blocks on two shared cores of 2026 (docs/operations.md):
 * a slow machine, so that the estimate errs on the long side.
 */
const rates = { read: 150e6, index: 25e6, write: 8e6 }

/** The part of a table's size that a new index takes; most have two or three narrow columns. */
const indexShare = 0.25

/** Where the migrations run on empty tables, to see what they lock. */
const scratch = 'ridgeline_upgrade_check'

/**
 * Finds the pending migrations and estimates their cost, without changing a table: all migrations run once on empty
 * tables in a schema of their own, which is dropped again. The locks that each takes there tell which tables it
 * reads, writes and indexes; the sizes are those of the real tables. Throws FatalError if the database contains a
 * migration that this version does not know.
 */
export async function planUpgrade(
  database: Database,
  list: readonly Migration[] = migrations,
): Promise<UpgradePlan> {
  const applied = await appliedMigrations(database)
  const pending = pendingOf(list, applied)
  if (pending.length === 0) return { applied: applied.size, pending: [] }
  const sizes = await tableSizes(database)
  const plans: PendingMigration[] = []
  for (const { name, locks } of await rehearse(database, list)) {
    if (applied.has(name)) continue
    const of = (...modes: string[]): string[] =>
      [...sizes.keys()]
        .filter((table) => locks.some((lock) => lock.table === table && modes.includes(lock.mode)))
        .sort()
    const sum = (tables: readonly string[]): number =>
      tables.reduce((total, table) => total + (sizes.get(table) ?? 0), 0)
    const [reads, writes, indexes] = [of('AccessShareLock'), of('RowExclusiveLock'), of('ShareLock')]
    plans.push({
      name,
      seconds: sum(reads) / rates.read + sum(writes) / rates.write + sum(indexes) / rates.index,
      bytes: sum(writes) + indexShare * sum(indexes),
      reads,
      writes,
      indexes,
    })
  }
  return { applied: applied.size, pending: plans }
}

/** Bytes of each table of the store, with its partitions, indexes and long values. */
async function tableSizes(database: Database): Promise<Map<string, number>> {
  const rows = await database<{ table: string; bytes: bigint }[]>`
    select c.relname as table, (
      select pg_total_relation_size(c.oid) + coalesce(sum(pg_total_relation_size(inhrelid)), 0)
      from pg_inherits where inhparent = c.oid)::bigint as bytes
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
  return new Map(rows.map(({ table, bytes }) => [table, Number(bytes)]))
}

type Rehearsed = { readonly name: string; readonly locks: readonly { table: string; mode: string }[] }

/** Runs the migrations on empty tables, each in its own transaction, and notes the locks on tables of earlier ones. */
async function rehearse(database: Database, list: readonly Migration[]): Promise<Rehearsed[]> {
  const result: Rehearsed[] = []
  await database.unsafe(`drop schema if exists ${scratch} cascade; create schema ${scratch}`)
  // Only this schema, so that no statement reaches a table of the store.
  const apart = (action: (own: Queryable) => Promise<unknown>): Promise<unknown> =>
    database.begin(async (own) => {
      await own.unsafe(`set local search_path = ${scratch}`)
      return action(own)
    })
  try {
    for (const migration of list) {
      const { name, sql, after = '' } = migration
      await apart((own) => own.unsafe(columnStatements(migration).join(';')))
      await apart(async (own) => {
        const before = await own<{ oid: string }[]>`
          select oid::text as oid from pg_class where relnamespace = ${scratch}::regnamespace`
        await own.unsafe(sql)
        const locks = await own<{ table: string; mode: string }[]>`
          select distinct c.relname as table, l.mode
          from pg_locks l join pg_class c on c.oid = l.relation
          where l.pid = pg_backend_pid() and c.relkind in ('r', 'p') and c.relnamespace = ${scratch}::regnamespace
            and c.oid::text = any (${before.map(({ oid }) => oid)}::text[])`
        result.push({ name, locks })
      })
      await apart((own) => own.unsafe(after))
    }
  } finally {
    await database.unsafe(`drop schema if exists ${scratch} cascade`)
  }
  return result
}
