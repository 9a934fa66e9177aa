import type { Queryable } from '../store/database.ts'

const keyOf = (chain: number): string => `nfts-queued ${chain}`

/**
 * The height up to which a chain's NFTs were queued; -1 before the first. Runs in a transaction, and holds the
 * mark until its end: who takes rows away below it waits, or was waited for.
 */
export async function holdQueueMark(sql: Queryable, chain: number): Promise<bigint> {
  const key = keyOf(chain)
  await sql`insert into service (key, value) values (${key}, '-1') on conflict (key) do nothing`
  const [row] = await sql<{ number: bigint }[]>`
    select value::bigint as number from service where key = ${key} for update`
  return row?.number ?? -1n
}

/** Moves the mark that the same transaction holds. */
export async function moveQueueMark(sql: Queryable, chain: number, number: bigint): Promise<void> {
  await sql`update service set value = ${String(number)} where key = ${keyOf(chain)}`
}

/**
 * Takes the mark back to a height, in the transaction that takes rows away above it or brings rows in below
 * the head: for what reaches further back than a reorg, which the queue allows for.
 */
export async function lowerQueueMark(sql: Queryable, chain: number, number: number): Promise<void> {
  await sql`
    insert into service (key, value) values (${keyOf(chain)}, '-1')
    on conflict (key) do update set value = least(service.value::bigint, ${number}::bigint)::text`
}
