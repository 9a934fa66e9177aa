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
    const [row] = await sql<{ above: bigint; final: bigint | null; logs_from: bigint }[]>`
      select (select count(*) from blocks b where b.chain = c.chain and b.number > ${height}) as above,
        finalized_block as final, logs_from
      from chains c where c.chain = ${chain}`
    if (!row) throw new FatalError(`chain ${chain} is not in this database`)
    const lacksLogs = row.logs_from > 0n && height >= 0
    if (lacksLogs && height < Number(row.final ?? -1n))
      throw new FatalError(
        `the activity of addresses can't be rebuilt, because logs before block ${row.logs_from} are not kept (keepLogs): rewind to block ${row.final}, or index the chain again with --rewind=-1`,
      )
    await deleteAbove(sql, chain, height)
    if (height < 0) await endLoad(sql, chain)
    await lowerQueueMark(sql, chain, height)
    // Above the final block, every hour still has its row.
    if (!lacksLogs) await rebuildSeen(sql, chain)
    await sql`
      update chains set state = 'waiting', reason = ${`rewound to block ${height}`},
        finalized_block = least(finalized_block, ${height}), node_finalized = least(node_finalized, ${height}),
        traces_from = least(traces_from, ${height + 1}), logs_from = least(logs_from, ${height + 1})
      where chain = ${chain}`
    return Number(row.above)
  })
}
