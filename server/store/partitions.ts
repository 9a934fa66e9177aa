import type { Database, Queryable } from './database.ts'

/** Tables that are range-partitioned by (chain, number). */
export const partitionedTables = [
  'blocks',
  'transactions',
  'logs',
  'calls',
  'contracts',
  'withdrawals',
] as const

/** Blocks per partition: large enough to keep planning cheap, small enough to move or drop one. */
export const partitionBlocks = 5_000_000n

/**
 * Creates the partitions for the blocks `from` to `to` of a chain. Idempotent, and safe for concurrent
 * processes.
 */
export async function ensurePartitions(
  sql: Queryable,
  chain: bigint,
  from: bigint,
  to: bigint,
): Promise<void> {
  for (let part = from / partitionBlocks; part <= to / partitionBlocks; part += 1n) {
    for (const table of partitionedTables) {
      await sql.unsafe(
        `create table if not exists ${nameOf({ table, chain, part })} partition of ${table} ${boundsOf({ chain, part })}`,
      )
    }
  }
}

export type PartitionedTable = (typeof partitionedTables)[number]

/** The blocks `part * partitionBlocks` and following of a chain in one table. */
type Partition = { readonly table: PartitionedTable; readonly chain: bigint; readonly part: bigint }

const nameOf = ({ table, chain, part }: Partition): string => `${table}_${chain}_${part}`

const boundsOf = ({ chain, part }: Pick<Partition, 'chain' | 'part'>): string =>
  `for values from (${chain}, ${part * partitionBlocks}) to (${chain}, ${(part + 1n) * partitionBlocks})`

/**
 * Fills a partition that does not exist yet: a table without indexes takes the rows, then it is attached,
 * which builds the indexes of the parent. Call it in a transaction, so that the partition appears whole.
 * Meanwhile the other partitions can be read and written.
 */
export async function fillPartition(
  sql: Queryable,
  partition: Partition,
  fill: (name: string) => Promise<void>,
): Promise<void> {
  const { table, chain, part } = partition
  const name = nameOf(partition)
  // The constraint says what the bounds say, so attaching does not read the rows to prove them.
  await sql.unsafe(`
    create table ${name} (like ${table} including defaults including storage,
      constraint bounds check (
        chain = ${chain} and number >= ${part * partitionBlocks} and number < ${(part + 1n) * partitionBlocks}))`)
  await fill(name)
  await sql.unsafe(`alter table ${table} attach partition ${name} ${boundsOf(partition)}`)
  await sql.unsafe(`alter table ${name} drop constraint bounds`)
}

/** Milliseconds that a truncation waits for readers; those that come meanwhile wait with it. */
const truncatePatience = 200

/**
 * Empties a partition and gives its disk back. Not dropped: that would lock the whole table. Returns false if a reader
 * held it for too long. Nothing is locked if it is empty already, or does not exist.
 */
export async function truncatePartition(sql: Database, partition: Partition): Promise<boolean> {
  const name = nameOf(partition)
  const [row] = await sql<{ bytes: bigint | null }[]>`
    select pg_relation_size(to_regclass(${name})) as bytes`
  if (row?.bytes == null) return true
  // Of a distributed table, this server has the rows of none, whatever the others have.
  if (row.bytes === 0n && (await sql.unsafe(`select from ${name} limit 1`)).length === 0) return true
  try {
    await sql.begin(async (transaction) => {
      await transaction.unsafe(`set local lock_timeout = ${truncatePatience}`)
      await transaction.unsafe(`truncate ${name}`)
    })
  } catch (error) {
    if ((error as { code?: string }).code === lockNotAvailable) return false
    throw error
  }
  return true
}

/** The state of PostgreSQL after `lock_timeout`. */
const lockNotAvailable = '55P03'

/** Drops partitions of a chain that has no rows. */
export async function dropPartitions(sql: Queryable, chain: bigint, from: bigint, to: bigint): Promise<void> {
  for (let part = from / partitionBlocks; part <= to / partitionBlocks; part += 1n)
    for (const table of partitionedTables)
      await sql.unsafe(`drop table if exists ${nameOf({ table, chain, part })}`)
}

/**
 * Fills a table. If it has no rows yet, its indexes are dropped and built again behind the rows, so nobody can
 * use it until the transaction ends. Call it in a transaction.
 */
export async function fillTable(sql: Queryable, table: string, fill: () => Promise<void>): Promise<void> {
  const [filled] = await sql.unsafe(`select from ${table} limit 1`)
  if (filled) return fill()
  // In the order of creation, which decides between indexes that seem equally good to the planner.
  const indexes = await sql<{ name: string; definition: string; constraint: string | null }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition,
      pg_get_constraintdef(c.oid) as constraint
    from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.conrelid = i.indrelid
    where i.indrelid = ${table}::regclass order by i.indexrelid`
  for (const { name, constraint } of indexes)
    await sql.unsafe(
      constraint === null ? `drop index ${name}` : `alter table ${table} drop constraint ${name}`,
    )
  await fill()
  for (const { name, definition, constraint } of indexes)
    await sql.unsafe(
      constraint === null ? definition : `alter table ${table} add constraint ${name} ${constraint}`,
    )
}
