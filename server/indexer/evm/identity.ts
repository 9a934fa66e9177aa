import { lowerQueueMark } from '../../store/tokens/queue-mark.ts'
import type { Queryable } from '../../store/database.ts'
import { endLoad, refuseUnfinished } from '../../store/lake-loads.ts'
import { forgetUnreached } from '../../store/unreached.ts'
import { FatalError } from '../../kernel/errors.ts'
import { lockChain } from '../../store/session.ts'
import { deleteAbove, type TraceSource } from './apply.ts'
import type { Identity } from './ask-identity.ts'

/**
 * Creates the chain's row, or checks the node against the existing one, and returns the row. Throws
 * FatalError if the stored data have another genesis block: two chains with the same id must not be mixed. A
 * changed start block is accepted while no block is stored and is a FatalError afterwards, because the sums
 * of every block begin with the first one. So is a bulk load that is not finished.
 */
export async function registerChain(
  sql: Queryable,
  chain: { id: number; startBlock: number },
  identity: Identity,
  host: string,
): Promise<{ startBlock: number; traceSource: TraceSource }> {
  await refuseUnfinished(sql, chain.id)
  const genesis = Buffer.from(identity.genesisHash.slice(2), 'hex')
  await sql`
    insert into chains (chain, genesis_hash, start_block, client_version)
    values (${chain.id}, ${genesis}, ${chain.startBlock}, ${identity.clientVersion ?? null})
    on conflict (chain) do nothing`
  const [row] = await sql<{ genesis_hash: Buffer; start_block: bigint; trace_source: TraceSource }[]>`
    select genesis_hash, start_block, trace_source from chains where chain = ${chain.id}`
  if (!row) throw new Error(`chain ${chain.id} has no row`)
  if (!row.genesis_hash.equals(genesis)) {
    throw new FatalError(
      `${host} serves a chain ${chain.id} with another genesis block (${identity.genesisHash}): check the chain's rpcUrl, or use a new database`,
    )
  }
  const startBlock = await settleStart(sql, chain, Number(row.start_block))
  await forgetUnreached(sql, 'evm', chain.id)
  await sql`update chains set client_version = ${identity.clientVersion ?? null} where chain = ${chain.id}`
  return { startBlock, traceSource: row.trace_source }
}

async function settleStart(
  sql: Queryable,
  { id, startBlock }: { id: number; startBlock: number },
  stored: number,
): Promise<number> {
  if (startBlock === stored) return stored
  const [first] = await sql<{ number: bigint }[]>`
    select number from blocks where chain = ${id} order by number limit 1`
  if (first) {
    const kept = `blocks from ${first.number} on are indexed`
    const why =
      startBlock < stored
        ? `startBlock is ${startBlock}, but ${kept}, and earlier ones can't be put before them`
        : `startBlock is ${startBlock}, but ${kept}, and those before it would be lost`
    throw new FatalError(
      `${why}: set startBlock back to ${stored}, or index the chain again from ${startBlock} with npm run verify -- --chain ${id} --rewind=-1`,
    )
  }
  await sql`update chains set start_block = ${startBlock} where chain = ${id}`
  return startBlock
}

/**
 * Deletes everything stored for a chain if its node has another genesis block, for networks that are created
 * anew under the same URL. Runs in the caller's transaction. Returns whether anything was deleted.
 */
export async function forgetOtherGenesis(
  sql: Queryable,
  chain: number,
  genesisHash: string,
): Promise<boolean> {
  await lockChain(sql, chain)
  const genesis = Buffer.from(genesisHash.slice(2), 'hex')
  const [other] = await sql`select chain from chains where chain = ${chain} and genesis_hash <> ${genesis}`
  if (other) await forgetChain(sql, chain)
  return other !== undefined
}

/** Deletes everything stored for a chain. Runs in the caller's transaction. */
export async function forgetChain(sql: Queryable, chain: number): Promise<void> {
  await lockChain(sql, chain)
  await sql`delete from chains where chain = ${chain}`
  await deleteAbove(sql, chain, -1)
  await endLoad(sql, chain)
  await lowerQueueMark(sql, chain, -1)
  // The partitions remain, and stay listed.
  await sql`delete from address_partitions where chain = ${chain}`
  await sql`delete from token_facts where chain = ${chain}`
  // Where the tables are distributed, no trigger has done it.
  await sql`delete from name_tails where chain = ${chain}`
  await sql`delete from nft_metadata where chain = ${chain}`
}
