/**
 * The proposers of C-chain blocks are read from the node's index separately from the blocks. `c_proposers`
 * holds the range of heights, both ends included, for which this is done. It extends with the head, and down
 * through the history when idle. The P-chain's row also gets the terms of the L1 validator fee as reported by
 * the node; null before a node has reported them.
 */
export const primaryFacts = {
  columns: {
    primary_chains: [
      // nAVAX a second, and how slowly the price grows with the excess.
      'l1_min_price numeric',
      'l1_conversion numeric',
    ],
  },
  sql: `
create table c_proposers (
  chain smallint primary key,
  from_height bigint not null,
  to_height bigint not null
);
`,
}
