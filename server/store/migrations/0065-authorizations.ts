/**
 * Authorizations that transactions carry (EIP-7702), with a valid signature of `authority` and for this chain or any:
 * the account lets its code be that of the contract at `address`. `index` is the place in the transaction's list. Blocks
 * that an earlier version has indexed have no rows.
 */
export const authorizations = `
create table authorizations (
  chain bigint not null,
  number bigint not null,
  tx_index integer not null,
  index integer not null,
  authority bytea not null,
  address bytea not null,
  nonce numeric not null,
  primary key (chain, number, tx_index, index)
);
create index authorizations_authority on authorizations (chain, authority, number, tx_index, index);
`
