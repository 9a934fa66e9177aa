import type { DecodedBlock } from './decode.ts'
import type { BlockFetcher } from './fetch.ts'
import type { Tip } from './tip.ts'

type Link = Pick<DecodedBlock, 'number' | 'hash' | 'parentHash'>

/** The parent hash of blocks that name no parent; no block has this hash. */
export const unnamedParent = `0x${'0'.repeat(64)}`

/**
 * Whether a block above the genesis names no parent. Hardhat's `hardhat_mine` with a count creates such
 * blocks: their hashes match their headers, but the parent hash is zero. Only their height links them.
 */
export const namesNoParent = ({ number, parentHash }: Link): boolean =>
  number > 0 && parentHash === unnamedParent

/** Whether a block follows the one with `hash`. */
export const follows = (block: Link, hash: string): boolean =>
  block.parentHash === hash || namesNoParent(block)

/** The longest prefix of blocks that link to each other, and to the parent if one is given. */
export function linkedPrefix<Block extends Link>(
  parentHash: string | undefined,
  blocks: readonly Block[],
): readonly Block[] {
  let hash = parentHash
  for (const [index, block] of blocks.entries()) {
    if (hash !== undefined && !follows(block, hash)) return blocks.slice(0, index)
    hash = block.hash
  }
  return blocks
}

/**
 * Whether the first block of a run may follow the tip. If the block names no parent, the node must still have
 * the stored tip below it.
 */
export async function isLinked(
  first: Link | undefined,
  tip: Tip | undefined,
  fetcher: BlockFetcher,
  signal: AbortSignal,
): Promise<boolean> {
  if (!first) return false
  if (!tip || !namesNoParent(first)) return true
  const [theirs] = await fetcher.hashes([tip.number], signal)
  return theirs === tip.hash
}
