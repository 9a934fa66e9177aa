/**
 * The block at which each account's balance was told; null for one that is not asked yet. A token with more accounts than
 * are asked for at a time is asked for the longest unasked ones first.
 */
export const toldBlock = {
  columns: {
    told_balances: ['told_block bigint'],
  },
  sql: `
create index told_balances_oldest on told_balances (chain, token, told_block nulls first);
`,
}
