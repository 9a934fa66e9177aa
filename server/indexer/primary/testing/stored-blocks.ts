import recorded from '../../../../protocol/fixtures/recorded.json' with { type: 'json' }
import type { Database } from '../../../store/database.ts'
import { ensurePartitions } from '../../../store/partitions.ts'

/** A block of the C-Chain as a node gives it: the fields that the atomic side reads. */
export type RecordedCBlock = (typeof recorded.node.cBlocks)[number]

/**
 * Stores the recorded blocks of the C-Chain like the EVM indexer. Columns that the atomic side does not read
 * are left empty. `more` are stored after them.
 */
export async function storeRecordedBlocks(
  sql: Database,
  more: readonly RecordedCBlock[] = [],
): Promise<void> {
  await ensurePartitions(sql, 43112n, 0n, 10n)
  const [first] = recorded.node.cBlocks
  await sql`insert into chains (chain, genesis_hash, start_block) values (43112, ${bytes(first?.hash ?? '')}, 0)`
  await storeCBlocks(sql, [...recorded.node.cBlocks, ...more])
}

const bytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')

/** Stores further blocks of that chain. */
export async function storeCBlocks(sql: Database, blocks: readonly RecordedCBlock[]): Promise<void> {
  const columns = await sql<{ name: string; type: string }[]>`
    select column_name as name, data_type as type from information_schema.columns
    where table_name = 'blocks' and is_nullable = 'NO'`
  const empty = Object.fromEntries(
    columns.map(({ name, type }) => [name, type === 'bytea' ? Buffer.alloc(0) : 0]),
  )
  for (const block of blocks) {
    const row = {
      ...empty,
      chain: 43112,
      number: Number(block.number),
      ts: Number(block.timestamp),
      hash: bytes(block.hash),
      parent_hash: bytes(block.parentHash),
      size: Number(block.size),
      ext_data: block.blockExtraData === '0x' ? null : bytes(block.blockExtraData),
    }
    await sql`insert into blocks ${sql(row)}`
  }
}
