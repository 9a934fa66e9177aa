import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { distributedTables } from '../distribution.ts'
import { read } from '../read.ts'
import { numberList } from '../sql-literals.ts'

const shardRow = z.strictObject({
  table: z.string(),
  /** The chain of a partition; null for other tables. */
  chain: z.bigint().nullable(),
  low: z.string(),
  own: z.boolean(),
  bytes: z.bigint(),
})
const keyRow = z.strictObject({ chain: z.bigint(), low: z.string() })

/** The bytes of a table of a chain on the servers of Citus; `chain` is undefined for a shard that several share. */
type ShardSize = { readonly chain: bigint | undefined; readonly table: string; readonly bytes: number }

// Partitions are called <table>_<chain>_<part>, and each has a shard beside those of all other chains.
const shards = `
  select coalesce(substring(s.table_name::text from '^(.*)_\\d+_\\d+$'), s.table_name::text) as table,
    substring(s.table_name::text from '_(\\d+)_\\d+$')::bigint as chain, d.shardminvalue as low,
    d.shardminvalue = d.shardmaxvalue as own, sum(s.shard_size)::bigint as bytes
  from citus_shards s join pg_dist_shard d using (shardid)
  where s.citus_table_type = 'distributed' group by 1, 2, 3, 4`

const keys = `
  select asked.chain, d.shardminvalue as low from unnest($1::text::bigint[]) as asked (chain)
  join pg_dist_shard d on d.shardid = get_shard_id_for_distribution_column('${distributedTables[0]}', asked.chain)
  where d.shardminvalue = d.shardmaxvalue`

/** The sizes of the distributed tables; those of a server that does not answer are missing. */
export async function readShardSizes(database: Queryable): Promise<ShardSize[]> {
  const rows = await read(database, shardRow, shards, [])
  const chains = [...new Set(rows.flatMap(({ chain }) => chain ?? []))]
  const owners = new Map(
    (await read(database, keyRow, keys, [numberList(chains)])).map(({ chain, low }) => [low, chain]),
  )
  return rows.map(({ table, chain, low, own, bytes }) => ({
    table,
    chain: chain ?? (own ? owners.get(low) : undefined),
    bytes: Number(bytes),
  }))
}
