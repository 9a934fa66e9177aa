import { nodeNameReasons } from '../../store/evm/read-node-name.ts'
import type { Queryable } from '../../store/database.ts'
import type { DecodedBlock } from './decode.ts'

/** Stores which transactions of the blocks have a name instead of a hash; most chains have none. */
export async function storeNodeNames(
  sql: Queryable,
  chain: number,
  blocks: readonly Pick<DecodedBlock, 'number' | 'names'>[],
): Promise<void> {
  const rows = blocks.flatMap(({ number, names }) =>
    [...names].map(([index, name]) => ({ chain, number, index, reason: nodeNameReasons[name] })),
  )
  if (rows.length > 0) await sql`insert into node_names ${sql(rows)}`
}
