/**
 * Withdrawals of a proof-of-stake consensus layer (EIP-4895): credited by a block, without a transaction.
 * `amount` is in gwei, as in the header's commitment.
 */
export const withdrawals = `
create table withdrawals (
  chain bigint not null,
  number bigint not null,
  index numeric not null,
  validator numeric not null,
  address bytea not null,
  amount numeric not null,
  primary key (chain, number, index)
) partition by range (chain, number);
`
