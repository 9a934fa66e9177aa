import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { isDistributed } from '../distribution.ts'
import { query, queryOne, read } from '../read.ts'
import { readShardSizes } from './read-shards.ts'

const tableRow = z.strictObject({
  table: z.string(),
  /** With all partitions and indexes. */
  bytes: z.bigint(),
  /** Whether its rows belong to EVM chains, to chains of the primary network, or to neither. */
  kind: z.enum(['evm', 'primary', 'service']),
  /** The sizes of the partitions by chain: `{"43113": 8192}`. */
  partitions: z.record(z.string(), z.number()).nullable(),
  /** The share of each chain in the rows, as the planner estimates it: `{"43113": 0.7}`. */
  shares: z.record(z.string(), z.number()).nullable(),
})

// Partitions are called <table>_<chain>_<part>: see partitions.ts. Other tables hold the rows of all chains; which share
// each has is known from the statistics that ANALYZE keeps of the column.
const tables = `
  select c.relname as table, size.bytes,
    case key.atttypid when 'bigint'::regtype then 'evm' when 'smallint'::regtype then 'primary' else 'service' end as kind,
    case when c.relkind = 'p' then parts.sizes end as partitions,
    (select jsonb_object_agg(value, share)
     from pg_stats s, unnest(s.most_common_vals::text::text[], s.most_common_freqs) each (value, share)
     where s.schemaname = current_schema() and s.tablename = c.relname and s.attname = key.attname) as shares
  from pg_class c
  left join pg_attribute key
    on key.attrelid = c.oid and key.attname = case when c.relname = 'utxo_hours' then 'home' else 'chain' end
  cross join lateral (
    select (pg_total_relation_size(c.oid) + coalesce(sum(pg_total_relation_size(inhrelid)), 0))::bigint as bytes
    from pg_inherits where inhparent = c.oid) size
  cross join lateral (
    select jsonb_object_agg(chain, bytes) as sizes
    from (
      select substring(p.relname from '_(\\d+)_\\d+$') as chain, sum(pg_total_relation_size(p.oid)) as bytes
      from pg_inherits i join pg_class p on p.oid = i.inhrelid
      where i.inhparent = c.oid group by 1) each) parts
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`

/** A part of the store: the id of an EVM chain, `primary` or `service`. */
export type StoredPart = { readonly part: string; readonly bytes: number; readonly tables: StoredTable[] }
type StoredTable = { readonly name: string; readonly bytes: number }

/**
 * The bytes of each part of the store by table, the largest first; together they are the size of the database. A table
 * that chains share is divided by the planner's statistics; without them it belongs to `service`, as the catalogs do.
 * Where the tables are distributed, their sizes on the servers are added.
 */
export async function readParts(database: Queryable): Promise<StoredPart[]> {
  const rows = await read(database, tableRow, tables, [])
  const [whole] = await read(database, sizeRow, 'select pg_database_size(current_database()) as bytes', [])
  const parts = new Map<string, StoredTable[]>()
  const add = (part: string, name: string, bytes: number): void => {
    if (bytes > 0) parts.set(part, [...(parts.get(part) ?? []), { name, bytes }])
  }
  const onServers = new Map<string, number>()
  for (const { chain, table, bytes } of (await isDistributed(database))
    ? await readShardSizes(database)
    : []) {
    const key = `${chain ?? 'service'} ${table}`
    onServers.set(key, (onServers.get(key) ?? 0) + bytes)
  }
  for (const [key, bytes] of onServers) {
    const [part = '', table = ''] = key.split(' ')
    add(part, table, bytes)
  }
  for (const { table, bytes, kind, partitions, shares } of rows) {
    if (kind === 'primary') add('primary', table, Number(bytes))
    else if (kind === 'service') add('service', table, Number(bytes))
    else {
      let rest = Number(bytes)
      const sizes = partitions ?? shares ?? {}
      for (const [chain, size] of Object.entries(sizes)) {
        const own = partitions ? size : Math.floor(Number(bytes) * size)
        add(chain, table, own)
        rest -= own
      }
      add('service', table, rest)
    }
  }
  const servers = [...onServers.values()].reduce((sum, bytes) => sum + bytes, 0)
  const known = [...parts.values()].flat().reduce((sum, { bytes }) => sum + bytes, 0) - servers
  add('service', 'catalogs of PostgreSQL', Math.max(0, Number(whole?.bytes ?? 0n) - known))
  return [...parts]
    .map(([part, of]) => ({
      part,
      bytes: of.reduce((sum, { bytes }) => sum + bytes, 0),
      tables: of.sort((one, other) => other.bytes - one.bytes),
    }))
    .sort((one, other) => other.bytes - one.bytes)
}

const sizeRow = z.strictObject({ bytes: z.bigint() })

/** The parts whose samples measure the whole database. */
export const wholeDatabase = 'total'

/** The oldest sample of each part since a time, in Unix seconds. */
export const readOldestSamples = query(
  z.strictObject({ part: z.string(), ts: z.bigint(), bytes: z.bigint() }),
  (since: number) => [
    'select distinct on (part) part, ts, bytes from disk_samples where ts >= $1 order by part, ts',
    [since],
  ],
  (rows) => new Map(rows.map(({ part, ts, bytes }) => [part, { ts: Number(ts), bytes: Number(bytes) }])),
)

/** The data folder of the server. Only a superuser may ask, as the service is on its own server. */
export const readDataFolder = queryOne(
  z.strictObject({ folder: z.string() }),
  () => [`select current_setting('data_directory') as folder`, []],
  (row) => String(row?.folder),
)
