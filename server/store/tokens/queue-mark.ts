import type { Queryable } from '../database.ts'

/**
 * The height up to which a chain's NFTs were queued, -1 before the first. `version` is another one whenever the
 * mark was taken back, so that who read the rows of before does not move it past those that came instead.
 */
export type QueueMark = { readonly number: bigint; readonly version: bigint }

const keyOf = (chain: number): string => `nfts-queued ${chain}`
const textOf = ({ number, version }: QueueMark): string => `${number} ${version}`

/** Reads the mark, and makes it where there is none. */
export async function readQueueMark(sql: Queryable, chain: number): Promise<QueueMark> {
  const key = keyOf(chain)
  await sql`insert into service (key, value) values (${key}, '-1 0') on conflict (key) do nothing`
  const [row] = await sql<QueueMark[]>`
    select split_part(value, ' ', 1)::bigint as number, split_part(value, ' ', 2)::bigint as version
    from service where key = ${key}`
  if (!row) throw new Error(`the queue of chain ${chain} has no mark`)
  return row
}

/** Moves the mark from where it was read; undefined when someone else moved it meanwhile, or took it back. */
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
 * Takes the mark back to a height, in the transaction that takes rows away above it or brings rows in below
 * the head: for what reaches further back than a reorg, which the queue allows for.
 */
export async function lowerQueueMark(sql: Queryable, chain: number, number: number): Promise<void> {
  await sql`
    insert into service (key, value) values (${keyOf(chain)}, '-1 0')
    on conflict (key) do update set value = least(split_part(service.value, ' ', 1)::bigint, ${number}::bigint)
      || ' ' || (split_part(service.value, ' ', 2)::bigint + 1)`
}
