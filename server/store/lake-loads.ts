import { FatalError } from '../kernel/errors.ts'
import type { Queryable } from './database.ts'

/** A bulk load that is not finished. Hashes are 0x text. */
export type UnfinishedLoad = {
  readonly from: number
  readonly to: number
  readonly lastHash: string
  /** The tables and partitions that are whole. */
  readonly done: ReadonlySet<string>
}

/** The unfinished bulk load of a chain. */
export async function readLoad(sql: Queryable, chain: number): Promise<UnfinishedLoad | undefined> {
  // As one text, because a session does not know the type of an array.
  const [row] = await sql<{ from: bigint; to: bigint; hash: string; done: string }[]>`
    select from_block as from, to_block as to, '0x' || encode(last_hash, 'hex') as hash,
      array_to_string(done, ',') as done
    from lake_loads where chain = ${chain}`
  return (
    row && {
      from: Number(row.from),
      to: Number(row.to),
      lastHash: row.hash,
      done: new Set(row.done.split(',')),
    }
  )
}

/** Throws FatalError if a bulk load of the chain is not finished: its tables do not agree with each other. */
export async function refuseUnfinished(sql: Queryable, chain: number): Promise<void> {
  const load = await readLoad(sql, chain)
  if (load)
    throw new FatalError(
      `a bulk load of chain ${chain} up to block ${load.to} is not finished: run lake load --bulk again, or give it up with npm run verify -- --chain ${chain} --rewind=-1`,
    )
}

export async function beginLoad(sql: Queryable, chain: number, load: UnfinishedLoad): Promise<void> {
  const hash = Buffer.from(load.lastHash.slice(2), 'hex')
  await sql`
    insert into lake_loads (chain, from_block, to_block, last_hash) values (${chain}, ${load.from}, ${load.to}, ${hash})`
}

/**
 * Notes, in the transaction that fills it, that a table or partition is whole. Throws FatalError if the load was given
 * up meanwhile.
 */
export async function notePart(sql: Queryable, chain: number, part: string): Promise<void> {
  const { count } = await sql`update lake_loads set done = array_append(done, ${part}) where chain = ${chain}`
  if (count === 0) throw new FatalError(`the bulk load of chain ${chain} was given up`)
}

/** Ends a load, because it is finished or everything of it was deleted. */
export async function endLoad(sql: Queryable, chain: number): Promise<void> {
  await sql`delete from lake_loads where chain = ${chain}`
}
