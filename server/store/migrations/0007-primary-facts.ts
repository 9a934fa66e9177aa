/**
 * Who proposed the blocks of the C-chain is read from the node's index apart from the blocks themselves:
 * `c_proposers` has the heights between which, both included, that has been done. It goes up with the head,
 * and down through the history in idle moments. Beside it, what the node says of the fee of L1 validators,
 * on the P-chain's row; null before a node has said it.
 */
export const primaryFacts = `
create table c_proposers (
  chain smallint primary key,
  from_height bigint not null,
  to_height bigint not null
);
alter table primary_chains
  -- nAVAX a second, and how slowly the price grows with the excess.
  add column l1_min_price numeric,
  add column l1_conversion numeric;
`
