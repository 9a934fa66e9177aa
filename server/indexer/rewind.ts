import { lowerQueueMark } from '../store/tokens/queue-mark.ts'
import type { Database } from '../store/database.ts'
import { deleteAbove } from './evm/apply.ts'
import { endLoad } from '../store/lake-loads.ts'
import { rebuildSeen } from './evm/seen-rebuild.ts'
import { FatalError } from '../kernel/errors.ts'
import { lockChain } from '../store/session.ts'

/**
 * Rewinds a chain to a block at any depth: deletes everything above it and rebuilds the activity data of each
 * address. A stopped chain continues from there by itself. Returns the number of deleted blocks. Throws
 * FatalError if the chain is unknown.
 */
export async function rewindChain(database: Database, chain: number, height: number): Promise<number> {
  return database.begin(async (sql) => {
    await lockChain(sql, chain)
    const [row] = await sql<{ above: bigint }[]>`
      select (select count(*) from blocks b where b.chain = c.chain and b.number > ${height}) as above
      from chains c where c.chain = ${chain}`
    if (!row) throw new FatalError(`chain ${chain} is not in this database`)
    await deleteAbove(sql, chain, height)
    if (height < 0) await endLoad(sql, chain)
    await lowerQueueMark(sql, chain, height)
    await rebuildSeen(sql, chain)
    await sql`
      update chains set state = 'waiting', reason = ${`rewound to block ${height}`},
        finalized_block = least(finalized_block, ${height})
      where chain = ${chain}`
    return Number(row.above)
  })
}
