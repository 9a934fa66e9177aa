import type { Database, Queryable } from './database.ts'
import { withinLockTimeout } from './lock-timeout.ts'

/** Tables that are range-partitioned by (chain, number). */
export const partitionedTables = [
  'blocks',
  'transactions',
  'logs',
  'calls',
  'contracts',
  'withdrawals',
] as const

/**
 * Transactions and logs per partition. Each has about 220 bytes of indexes, so those of a partition fit the memory of a
 * small server.
 */
const partitionRows = 20_000_000
/** A partition of a large chain has this fraction of all rows instead: some statements look into every partition. */
const maxOfSize = 64n

/** Blocks of the first partition of a chain, of which nothing is known, and of any, because a chain may grow busier. */
const firstBlocks = 100_000n
const maxBlocks = 5_000_000n
/** How many times as many blocks as the one below a partition may have. */
const growth = 4n
/** Partitions have a multiple of this many blocks. */
const step = 10_000n
/** The newest blocks, by which the size of the next ones is estimated. */
const recentBlocks = 10_000

export type PartitionedTable = (typeof partitionedTables)[number]

/** The blocks of a partition: `from` and those above, but below `before`. */
export type Bounds = { readonly from: bigint; readonly before: bigint }

/** The partitions of a chain with the same bounds. Their names end with their first block. */
export type Part = Bounds & { readonly chain: bigint }

const nameOf = (table: PartitionedTable, { chain, from }: Part): string => `${table}_${chain}_${from}`

const valuesOf = ({ chain, from, before }: Part): string =>
  `for values from (${chain}, ${from}) to (${chain}, ${before})`

/**
 * Creates the partitions for the blocks `from` to `to` of a chain, sized by its newest blocks. Idempotent; call it
 * as the only writer of the chain. Returns those of the blocks, lowest first. `listed`: who writes the rows also
 * writes their addresses to `address_partitions`.
 */
export async function ensurePartitions(
  sql: Queryable,
  chain: bigint,
  from: bigint,
  to: bigint,
  { listed = false } = {},
): Promise<Part[]> {
  const known = await readParts(sql, chain)
  const parts: Part[] = []
  for (let next = from; next <= to; next = parts.at(-1)?.before ?? next) {
    const found = known.find((each) => each.from <= next && next < each.before)
    const part = found ?? (await choosePart(sql, chain, known, next))
    // First, because a partition that is there already may hold rows of addresses that are not listed.
    if (!found && listed) await listPartition(sql, part)
    // Also one that is known: who created it may have been killed before the last table.
    for (const table of partitionedTables)
      await sql.unsafe(
        `create table if not exists ${nameOf(table, part)} partition of ${table} ${valuesOf(part)}`,
      )
    if (!found) known.push(part)
    parts.push(part)
  }
  return parts
}

/** Notes that the addresses of a partition are in `address_partitions`, from its first row on. */
export async function listPartition(sql: Queryable, { chain, from, before }: Part): Promise<void> {
  // A note whose process was killed before it made the partition.
  await sql`
    delete from listed_partitions
    where chain = ${chain} and from_block <> ${from} and from_block < ${before} and before_block > ${from}`
  await sql`
    insert into listed_partitions (chain, from_block, before_block) values (${chain}, ${from}, ${before})
    on conflict (chain, from_block) do update set before_block = excluded.before_block`
}

/** The bounds of the listed partitions that have blocks of a range. */
export async function readListed(sql: Queryable, chain: bigint, from: bigint, to: bigint): Promise<Bounds[]> {
  return sql<Bounds[]>`
    select from_block as from, before_block as before from listed_partitions
    where chain = ${chain} and before_block > ${from} and from_block <= ${to}`
}

/** The partitions of a chain in any of the tables. */
export async function readParts(sql: Queryable, chain: bigint): Promise<Part[]> {
  const rows = await sql.unsafe<Bounds[]>(String.raw`
    select distinct bounds[1]::bigint as from, bounds[2]::bigint as before
    from pg_inherits join pg_class p on p.oid = inhrelid
    cross join lateral regexp_match(
      pg_get_expr(relpartbound, p.oid), 'FROM \(''${chain}'', ''(\d+)''\) TO \(''${chain}'', ''(\d+)''\)') bounds
    where inhparent in (${partitionedTables.map((table) => `'${table}'::regclass`).join(', ')}) and bounds is not null`)
  return rows.map((row) => ({ ...row, chain }))
}

/** A new partition for a block. */
async function choosePart(
  sql: Queryable,
  chain: bigint,
  known: readonly Bounds[],
  block: bigint,
): Promise<Part> {
  const [below] = known
    .filter(({ before }) => before <= block)
    .toSorted((one, other) => (one.before < other.before ? 1 : -1))
  const [newest] = await sql<{ blocks: bigint; txs: bigint; rows: bigint; all_txs: bigint }[]>`
    select count(*) as blocks, coalesce(sum(tx_count), 0)::bigint as txs,
      coalesce(sum(tx_count::bigint + log_count), 0)::bigint as rows, coalesce(max(cum_txs), 0)::bigint as all_txs
    from (select * from blocks where chain = ${chain} order by number desc limit ${recentBlocks}) newest`
  const { blocks, txs, rows, all_txs } = newest ?? { blocks: 0n, txs: 0n, rows: 0n, all_txs: 0n }
  const max = below ? growth * (below.before - below.from) : firstBlocks
  const from = larger(below?.before ?? 0n, block - (block % step))
  const before = from + sizeOf(blocks, rows, rowsFor(txs === 0n ? 0n : (all_txs * rows) / txs), max)
  const above = known.map((each) => each.from).filter((each) => each > block)
  return { chain, from, before: above.reduce(smaller, before) }
}

/** Transactions and logs of a partition of a chain that has this many in all. */
const rowsFor = (all: bigint): bigint => larger(BigInt(partitionRows), all / maxOfSize)

/** As many blocks as give a partition its rows, estimated by a number of blocks and their rows. */
function sizeOf(blocks: bigint, rows: bigint, wanted: bigint, max: bigint): bigint {
  const enough = rows === 0n ? maxBlocks : (wanted * blocks) / rows
  const size = [max, maxBlocks].reduce(smaller, enough)
  return larger(step, size - (size % step))
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/**
 * The partitions for ranges that follow each other, whose transactions and logs were counted. The last one has room for
 * what follows the ranges.
 */
export function partsOf(
  chain: bigint,
  ranges: readonly { readonly from: number; readonly to: number; readonly rows: number }[],
  wanted = Number(rowsFor(BigInt(ranges.reduce((sum, { rows }) => sum + rows, 0)))),
): Part[] {
  const parts: { from: bigint; before: bigint; rows: number }[] = []
  for (const { from, to, rows } of ranges) {
    const before = BigInt(to) + 1n
    const last = parts.at(-1)
    if (last && last.rows + rows <= wanted && before - last.from <= maxBlocks) {
      last.before = before
      last.rows += rows
    } else parts.push({ from: BigInt(from), before, rows })
  }
  return parts.map(({ from, before, rows }, at) => {
    const room = at < parts.length - 1 ? 0n : sizeOf(before - from, BigInt(rows), BigInt(wanted), maxBlocks)
    return { chain, from, before: larger(before, from + room) }
  })
}

/**
 * Fills a partition that does not exist yet: a table without indexes takes the rows, then it is attached,
 * which builds the indexes of the parent. Call it in a transaction, so that the partition appears whole.
 * Meanwhile the other partitions can be read and written.
 */
export async function fillPartition(
  sql: Queryable,
  table: PartitionedTable,
  part: Part,
  fill: (name: string) => Promise<void>,
): Promise<void> {
  const name = nameOf(table, part)
  // The constraint says what the bounds say, so attaching does not read the rows to prove them.
  await sql.unsafe(`
    create table ${name} (like ${table} including defaults including storage,
      constraint bounds check (
        chain = ${part.chain} and number >= ${part.from} and number < ${part.before}))`)
  await fill(name)
  await sql.unsafe(`alter table ${table} attach partition ${name} ${valuesOf(part)}`)
  await sql.unsafe(`alter table ${name} drop constraint bounds`)
}

/** Milliseconds that a truncation waits for readers; those that come meanwhile wait with it. */
const truncateTimeoutMs = 200

/**
 * Empties a partition and gives its disk back. Not dropped: that would lock the whole table. Returns false if a reader
 * held it for too long. Nothing is locked if it is empty already, or does not exist.
 */
export async function truncatePartition(
  sql: Database,
  table: PartitionedTable,
  part: Part,
): Promise<boolean> {
  const name = nameOf(table, part)
  const [row] = await sql<{ bytes: bigint | null }[]>`
    select pg_relation_size(to_regclass(${name})) as bytes`
  if (row?.bytes == null) return true
  // Of a distributed table, this server has the rows of none, whatever the others have.
  if (row.bytes === 0n && (await sql.unsafe(`select from ${name} limit 1`)).length === 0) return true
  const held = await withinLockTimeout(sql, truncateTimeoutMs, (own) => own.unsafe(`truncate ${name}`))
  return held === undefined
}

/** Drops the partitions of a chain that has no rows, and the addresses in them. */
export async function dropPartitions(sql: Queryable, chain: bigint): Promise<void> {
  for (const part of await readParts(sql, chain))
    for (const table of partitionedTables) await sql.unsafe(`drop table if exists ${nameOf(table, part)}`)
  await sql`delete from listed_partitions where chain = ${chain}`
  await sql`delete from address_partitions where chain = ${chain}`
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
