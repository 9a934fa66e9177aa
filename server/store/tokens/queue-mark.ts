import type { Queryable } from '../database.ts'

/**
 * The height up to which a chain's NFTs were queued, -1 before the first. `version` changes whenever the mark
 * is lowered, so that a reader of replaced rows cannot move it past their replacements.
 */
export type QueueMark = { readonly number: bigint; readonly version: bigint }

const keyOf = (chain: number): string => `nfts-queued ${chain}`
const textOf = ({ number, version }: QueueMark): string => `${number} ${version}`

/** Reads the mark; creates it if there is none. */
export async function readQueueMark(sql: Queryable, chain: number): Promise<QueueMark> {
  const key = keyOf(chain)
  await sql`insert into service (key, value) values (${key}, '-1 0') on conflict (key) do nothing`
  const [row] = await sql<QueueMark[]>`
    select split_part(value, ' ', 1)::bigint as number, split_part(value, ' ', 2)::bigint as version
    from service where key = ${key}`
  if (!row) throw new Error(`the queue of chain ${chain} has no mark`)
  return row
}

/** Moves the mark from the value that was read; undefined if it was moved or lowered meanwhile. */
export async function moveQueueMark(
  sql: Queryable,
  chain: number,
  from: QueueMark,
  number: bigint,
): Promise<QueueMark | undefined> {
  const to = { ...from, number }
  const moved = await sql`
    update service set value = ${textOf(to)} where key = ${keyOf(chain)} and value = ${textOf(from)} returning 1`
  return moved.length > 0 ? to : undefined
}

/**
 * Lowers the mark to a height, in the transaction that deletes rows above it or inserts rows below the head.
 * For changes that reach deeper than a reorg, which the queue already handles.
 */
export async function lowerQueueMark(sql: Queryable, chain: number, number: number): Promise<void> {
  await sql`
    insert into service (key, value) values (${keyOf(chain)}, '-1 0')
    on conflict (key) do update set value = least(split_part(service.value, ' ', 1)::bigint, ${number}::bigint)
      || ' ' || (split_part(service.value, ' ', 2)::bigint + 1)`
}
