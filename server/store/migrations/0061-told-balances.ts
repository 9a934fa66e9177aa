/**
 * Balances that a contract tells of itself, for tokens whose logs do not add up to them (`disagrees`): those of every
 * account that a log of the token names, zero included, at `told_block`. `named_to` is the block up to which the node was
 * asked for the token's logs. `unprovable`: balanceOf answers nothing, so nothing tells whether the logs are complete.
 */
export const toldBalances = {
  columns: {
    token_facts: [
      'unprovable boolean not null default false',
      'told_supply numeric',
      'told_holders bigint',
      'told_block bigint',
      'told_ts bigint not null default 0',
      'named_to bigint',
    ],
  },
  sql: `
create table told_balances (
  chain bigint not null,
  token bytea not null,
  address bytea not null,
  balance numeric not null,
  primary key (chain, token, address)
);
create index told_balances_balance on told_balances (chain, token, balance, address) where balance > 0;
create index told_balances_address on told_balances (chain, address, token);
create index token_facts_disagrees on token_facts (chain, told_ts) where disagrees;
create index holders_negative on holders (chain, token) where balance < 0;
`,
}
