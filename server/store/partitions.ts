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

/** Blocks of one partition. Large enough that planning stays cheap, small enough to move or drop one. */
export const partitionBlocks = 5_000_000n

/**
 * Makes the partitions that hold the blocks `from` to `to` of a chain. Idempotent, and safe when two
 * processes race: the loser of the race finds the table there.
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
