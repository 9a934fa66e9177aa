import type { Database, Queryable } from './database.ts'
import { partitionedTables } from './partitions.ts'

/**
 * The tables that are distributed by their column `chain` over the servers of Citus, all colocated: every row of a chain
 * is on one server. The first is the one that the others follow.
 */
export const distributedTables = [
  ...partitionedTables,
  'seen',
  'balances',
  'holders',
  'tokens',
  'token_blocks',
  'nfts',
  'nft_ranges',
  'wrapper_candidates',
  'token_facts',
  'name_tails',
  'nft_metadata',
  'trace_gaps',
  'chains',
  'sync_progress',
  'cross_chain_messages',
  'listed_partitions',
  'address_partitions',
  'node_names',
  'authorizations',
  'envelopes',
  'told_balances',
] as const

/**
 * Triggers that run for a whole statement have no counterpart on a distributed table: `distributeTables` removes these,
 * and `writeFacts` and `forgetChain` do their work.
 */
export const replacedTriggers = {
  token_facts: [
    'keep_names_on_insert',
    'keep_names_on_update',
    'keep_names_on_delete',
    'keep_names_on_truncate',
  ],
} as const

/**
 * Whether the tables of EVM chains are distributed. Reads of several chains ask once: a service restarts after the
 * distribution.
 */
export function isDistributed(database: Queryable): Promise<boolean> {
  const known = answers.get(database)
  if (known) return known
  const asking = askDistributed(database)
  answers.set(database, asking)
  asking.catch(() => answers.delete(database))
  return asking
}

const answers = new WeakMap<Queryable, Promise<boolean>>()

/** Whether the tables of EVM chains are distributed, asked now. */
export async function askDistributed(sql: Queryable): Promise<boolean> {
  const [row] = await sql<{ installed: boolean }[]>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as installed`
  return row?.installed === true && (await readDistributed(sql)).has('blocks')
}

/** The names of the tables that Citus distributes. */
async function readDistributed(sql: Queryable): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where p.partmethod = 'h' and c.relnamespace = current_schema()::regnamespace`
  return new Set(rows.map(({ name }) => name))
}

/**
 * Distributes those of the tables that are not distributed yet, with their rows; returns their names. Each is a statement
 * of its own, so that after a failure another call goes on where it ended. A new store begins with a shard for each
 * server: chains get shards of their own (`placeChain`).
 */
export async function distributeTables(
  sql: Queryable,
  onTable: (table: string) => void = () => undefined,
): Promise<string[]> {
  const done = await readDistributed(sql)
  const [first] = distributedTables
  const pending = distributedTables.filter((table) => !done.has(table))
  const shards = done.has(first) ? 0 : (await readWorkers(sql)).length
  for (const table of pending) {
    onTable(table)
    if (table in replacedTriggers)
      for (const trigger of replacedTriggers[table as keyof typeof replacedTriggers])
        await sql.unsafe(`drop trigger if exists ${trigger} on ${table}`)
    await (table === first
      ? sql`select create_distributed_table(${table}, 'chain', shard_count => ${shards})`
      : sql`select create_distributed_table(${table}, 'chain', colocate_with => ${first})`)
    // The rows that the table had here, which Citus hides from then on.
    await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`
  }
  return pending
}

/** A server that holds shards. */
type Worker = { readonly id: number; readonly name: string }

type Shard = { shard: bigint; node: number; host: string; port: number; own: boolean }

/** The servers that hold shards. */
export async function readWorkers(sql: Queryable): Promise<Worker[]> {
  const rows = await sql<Worker[]>`
    select nodeid as id, nodename || ':' || nodeport as name from pg_dist_node
    where isactive and shouldhaveshards and noderole = 'primary' order by nodeid`
  return [...rows]
}

/** The server that holds a chain; undefined if the chain has no shard of its own. */
export async function readPlace(sql: Queryable, chain: bigint): Promise<string | undefined> {
  const shard = await readShard(sql, chain)
  return shard?.own === true ? `${shard.host}:${shard.port}` : undefined
}

async function readShard(sql: Queryable, chain: bigint): Promise<Shard | undefined> {
  const [row] = await sql<Shard[]>`
    select s.shardid as shard, n.nodeid as node, n.nodename as host, n.nodeport as port,
      s.shardminvalue = s.shardmaxvalue as own
    from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
    where s.shardid = get_shard_id_for_distribution_column(${distributedTables[0]}, ${chain}::bigint)
      and n.noderole = 'primary'`
  return row
}

/**
 * Gives a chain a shard of its own and moves it to the server with the least data, then with the fewest chains. A chain
 * that has one stays where it is. Writes to the chains that shared its shard wait meanwhile. Must not run in a
 * transaction. Returns the name of the server.
 */
export async function placeChain(sql: Database, chain: bigint): Promise<string> {
  const placed = await readPlace(sql, chain)
  if (placed !== undefined) return placed
  await sql`
    select isolate_tenant_to_new_shard(${distributedTables[0]}, ${chain}::bigint, 'CASCADE',
      shard_transfer_mode => 'block_writes')`
  const own = await readShard(sql, chain)
  // Two colocated shards of a server are two groups of tables; a chain's own one has equal bounds.
  const [least] = await sql<{ node: number; host: string; port: number }[]>`
    select n.nodeid as node, n.nodename as host, n.nodeport as port
    from pg_dist_node n
    left join (
      select nodename, nodeport, sum(shard_size) as bytes from citus_shards
      where shardid <> ${own?.shard ?? 0n} and citus_table_type = 'distributed' and shard_size > ${emptyBytes}
      group by 1, 2) held using (nodename, nodeport)
    left join (
      select groupid, count(*) as chains from pg_dist_shard join pg_dist_placement using (shardid)
      where logicalrelid = ${distributedTables[0]}::regclass and shardminvalue = shardmaxvalue
        and shardid <> ${own?.shard ?? 0n}
      group by 1) owned using (groupid)
    where n.isactive and n.shouldhaveshards and n.noderole = 'primary'
    order by coalesce(held.bytes, 0), coalesce(owned.chains, 0), n.nodeid limit 1`
  if (!own || !least) throw new Error(`chain ${chain} has no shard`)
  if (own.node !== least.node)
    await sql`
      select citus_move_shard_placement(${own.shard}, ${own.host}, ${own.port}, ${least.host}, ${least.port},
        shard_transfer_mode => 'block_writes')`
  return `${least.host}:${least.port}`
}

/** Tables without rows have pages of their indexes, which say nothing of where data is. */
const emptyBytes = 131_072

/**
 * Where the tables are distributed, places those of the chains that have no rows yet, one after the other. For before
 * anything reads or writes them: a statement about a chain fails while its shard is replaced. A chain that can't be
 * placed is given to `onFailure`; it is then where its hash leads, and can be placed later.
 */
export async function placeNewChains(
  database: Database,
  chains: readonly bigint[],
  onPlaced: (chain: bigint, server: string) => void,
  onFailure: (chain: bigint, error: unknown) => void,
): Promise<void> {
  if (!(await askDistributed(database))) return
  for (const chain of chains) {
    try {
      const [known] = await database`select chain from chains where chain = ${chain}`
      if (!known) onPlaced(chain, await placeChain(database, chain))
    } catch (error) {
      onFailure(chain, error)
    }
  }
}
