import { lowerQueueMark } from '../nft/queue-mark.ts'
import type { Database } from '../store/database.ts'
import { deleteAbove } from './evm/apply.ts'
import { rebuildSeen } from './evm/seen-rebuild.ts'
import { FatalError } from './errors.ts'
import { takeTurn } from './session.ts'

/**
 * Takes a chain back to a block, however deep: deletes everything above it and rebuilds what the metrics
 * need to know of each address. A chain that had stopped goes on from there by itself. With a height
 * below the first block everything goes, and the trace source is looked for anew.
 * Returns how many blocks went. Throws FatalError when the chain isn't known.
 */
export async function rewindChain(database: Database, chain: number, height: number): Promise<number> {
  return database.begin(async (sql) => {
    await takeTurn(sql, chain)
    const [row] = await sql<{ above: bigint; below: bigint }[]>`
      select (select count(*) from blocks b where b.chain = c.chain and b.number > ${height}) as above,
        (select count(*) from blocks b where b.chain = c.chain and b.number <= ${height}) as below
      from chains c where c.chain = ${chain}`
    if (!row) throw new FatalError(`chain ${chain} is not in this database`)
    await deleteAbove(sql, chain, height)
    await lowerQueueMark(sql, chain, height)
    await rebuildSeen(sql, chain)
    await sql`
      update chains set state = 'waiting', reason = ${`rewound to block ${height}`},
        finalized_block = least(finalized_block, ${height}),
        trace_source = case when ${row.below === 0n} then 'unknown' else trace_source end
      where chain = ${chain}`
    return Number(row.above)
  })
}
