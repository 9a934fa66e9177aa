import type { Chain } from '../../kernel/settings/chains.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import { NotIndexed } from '../../http/once-indexed.ts'
import type { Database } from '../../store/database.ts'
import { readBalanceBlock, type BalanceBlock } from '../../store/tokens/read-balance.ts'

/**
 * The block of a list of balances. The first page determines it, by default the head; page tokens preserve
 * it, so that a listing shows one point in time. Undefined for a chain without blocks. Throws a 400 for a
 * height that is not indexed, and if a reorg has replaced the block of a listing.
 */
export async function resolveBalanceBlock(
  database: Database,
  chain: Chain,
  blockNumber: string | undefined,
  after: Pick<BalanceBlock, 'number' | 'hash'> | undefined,
): Promise<BalanceBlock | undefined> {
  if (after) {
    const { block } = await readBalanceBlock(database, chain.key, after.number)
    if (block?.hash !== after.hash) {
      throw badRequest('pageToken: a reorganisation replaced the block, start again from the first page')
    }
    return block
  }
  const asked = blockNumber === undefined ? undefined : BigInt(blockNumber)
  const { first, head, block } = await readBalanceBlock(database, chain.key, asked)
  if (asked !== undefined && !block) {
    const allowed =
      first === null || head === null
        ? 'no block of the chain is indexed yet'
        : `allowed: ${first} to ${head}`
    throw new NotIndexed(400, `blockNumber: block ${asked} is not indexed; ${allowed}`)
  }
  return block
}

/** The columns of the block in the cursor of a list of balances. */
export const blockCursor = { number: 'bigint', hash: 'text' } as const
