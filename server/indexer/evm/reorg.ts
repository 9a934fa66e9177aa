import type { Queryable } from '../../store/database.ts'
import { FatalError } from '../../kernel/errors.ts'
import type { StoreSession } from '../../store/session.ts'
import type { BlockFetcher } from './fetch.ts'

export type AncestorSearch = {
  session: StoreSession
  fetcher: BlockFetcher
  chain: number
  /** A height at which the node's block differs from the stored one. */
  differsAt: number
  /** The highest final block. The ancestor must not be below it. */
  floor: number
  signal: AbortSignal
}

const step = 32

/** The node's chain and the stored chain diverge below the final block, which is more than a reorg. */
export class OtherHistoryError extends FatalError {
  override readonly name = 'OtherHistoryError'
}

/**
 * The highest block that node and store have in common, below a height at which they differ; one less than
 * the first indexed block if they have none in common. Throws OtherHistoryError, which names the height to
 * rewind to, if the common block is below the floor.
 */
export async function findAncestor(search: AncestorSearch): Promise<number> {
  const lowest = await search.session.use((sql) => lowestBlock(sql, search.chain))
  let top = search.differsAt - 1
  const deepest = Math.max(lowest, search.floor)
  while (top >= deepest) {
    const bottom = Math.max(deepest, top - step + 1)
    const shared = await highestShared(search, bottom, top)
    if (shared !== undefined) return shared
    top = bottom - 1
  }
  if (search.floor < lowest) return lowest - 1
  const shared = await bisect(search, lowest, deepest)
  const where = shared === undefined ? 'share no block' : `part after block ${shared}`
  const rewind = shared ?? lowest - 1
  throw new OtherHistoryError(
    `the node's chain and the indexed one ${where}, below block ${search.floor}, which is final: if the node is right, rewind with npm run verify -- --chain ${search.chain} --rewind ${rewind}`,
  )
}

async function highestShared(
  search: AncestorSearch,
  bottom: number,
  top: number,
): Promise<number | undefined> {
  const numbers = Array.from({ length: top - bottom + 1 }, (_, index) => top - index)
  const [theirs, ours] = await Promise.all([
    search.fetcher.hashes(numbers, search.signal),
    search.session.use((sql) => storedHashes(sql, search.chain, bottom, top)),
  ])
  return numbers.find((number, index) => theirs[index] !== undefined && theirs[index] === ours.get(number))
}

/**
 * Diverged chains never converge again, so the common blocks are a prefix and a binary search finds its end.
 */
async function bisect(search: AncestorSearch, lowest: number, top: number): Promise<number | undefined> {
  let low = lowest - 1
  let high = top
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const shared = await highestShared(search, middle, middle)
    if (shared === undefined) high = middle
    else low = middle
  }
  return low < lowest ? undefined : low
}

async function lowestBlock(sql: Queryable, chain: number): Promise<number> {
  const [row] = await sql<{ number: bigint }[]>`
    select number from blocks where chain = ${chain} order by number limit 1`
  return Number(row?.number ?? 0n)
}

/** The stored hashes of a range of blocks, as 0x text. */
export async function storedHashes(
  sql: Queryable,
  chain: number,
  from: number,
  to: number,
): Promise<Map<number, string>> {
  const rows = await sql<{ number: bigint; hash: Buffer }[]>`
    select number, hash from blocks where chain = ${chain} and number between ${from} and ${to}`
  return new Map(rows.map((row) => [Number(row.number), `0x${row.hash.toString('hex')}`]))
}
