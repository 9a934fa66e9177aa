import { ensurePartitions } from '../../server/store/partitions.ts'
import { openDatabase, type Database } from '../../server/store/database.ts'
import { migrate } from '../../server/store/schema/migrate.ts'
import { startEmbeddedPostgres } from '../../server/store/embedded-postgres.ts'
import { sumColumns } from '../../server/store/metrics/sums.ts'

/** A store that a test fills itself, on a PostgreSQL server of its own; a service with the role `api` reads it. */
export type OwnStore = {
  /** For `DATABASE_URL`. */
  readonly url: string
  readonly sql: Database
  stop(): Promise<void>
}

/** Starts an empty, migrated store below a folder, with room for the blocks 0 to `head` of a chain. */
export async function startStore(folder: string, chain: number, head: number): Promise<OwnStore> {
  const server = await startEmbeddedPostgres({ home: folder })
  const sql = openDatabase(server.url, { max: 2 })
  await migrate(sql)
  await ensurePartitions(sql, BigInt(chain), 0n, BigInt(head))
  return {
    url: server.url,
    sql,
    async stop() {
      await sql.end({ timeout: 2 })
      await server.stop()
    },
  }
}

/** SQL for the bytes of an address derived from a number. */
export const addressAt = (number: string | number): string =>
  `substring(sha256(int8send((${number})::bigint)) from 1 for 20)`

/** Blocks 0 to `head` of a chain without traces, a transaction in each, a minute apart. `to` is SQL for its recipient. */
export async function fillBlocks(sql: Database, chain: number, head: number, to: string): Promise<void> {
  const zero = [...sumColumns, 'gas_limit', 'gas_used', 'difficulty', 'fees', 'second_txs', 'second_gas']
  await sql.unsafe(`
    insert into chains (chain, genesis_hash, start_block, state, trace_source, node_block, node_seen_ts)
    values (${chain}, sha256('genesis'), 0, 'live', 'none', ${head}, extract(epoch from now())::bigint);
    insert into blocks (chain, number, ts, hash, parent_hash, miner, state_root, transactions_root,
      receipts_root, extra_data, tx_count, log_count, ${zero.join(', ')})
    select ${chain}, n, 1700000000 + n * 60, sha256(int8send(n)), sha256(int8send(n - 1)), ''::bytea, ''::bytea,
      ''::bytea, ''::bytea, ''::bytea, 1, 0, ${zero.map(() => '0').join(', ')}
    from generate_series(0::bigint, ${head}) n;
    insert into transactions (chain, number, index, type, status, hash, sender, recipient, value, nonce,
      gas_limit, gas_used, cumulative_gas_used, gas_price, input)
    select ${chain}, n, 0, 2, 1, sha256(int8send(-n - 1)), ${addressAt('n')}, ${to}, 0, 0, 0, 0, 0, 0, ''::bytea
    from generate_series(0::bigint, ${head}) n`)
}
