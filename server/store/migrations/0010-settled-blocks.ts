/**
 * C-chain blocks that were accepted before they were executed (ACP-194): the height up to which each settles.
 * Null for all other blocks, which settle themselves.
 */
export const settledBlocks = {
  columns: {
    blocks: ['settled_height bigint'],
  },
  sql: '',
}
