import type { Queryable } from './database.ts'

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
        `create table if not exists ${table}_${chain}_${part} partition of ${table}
         for values from (${chain}, ${part * partitionBlocks}) to (${chain}, ${(part + 1n) * partitionBlocks})`,
      )
    }
  }
}
