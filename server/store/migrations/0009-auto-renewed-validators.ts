/**
 * Auto-renewed validators (ACP-236). Their row of `stakers` holds the current or last period: weight, start,
 * end, potential reward. Every finished period has its own row, at the position of the transaction that ended
 * it. `reward` and `delegation_reward` of the row are the totals over all periods.
 */
export const autoRenewedValidators = {
  columns: {
    stakers: [
      // Millionths of a period's rewards that are staked again; null for all other stakers.
      'compound_shares integer',
      // Seconds; 0: it leaves at the end of the period.
      'next_period bigint',
      'authority_addresses bytea[]',
      // Rewards of its own, and from delegators, that are staked and part of its weight.
      'accrued_reward numeric',
      'accrued_delegation_reward numeric',
      // Its share of delegations that ended in this period.
      'pending_delegation_reward numeric',
    ],
    primary_chains: [
      // When Helicon began, as the node tells: it changed what a validator needs to be rewarded. Null where it did not.
      'helicon_ts bigint',
    ],
  },
  sql: `
create table staking_cycles (
  chain smallint not null,
  height bigint not null,
  index integer not null,
  ts bigint not null,
  staking_tx bytea not null,
  node bytea not null,
  start_ts bigint not null,
  end_ts bigint not null,
  weight numeric not null,
  potential_reward numeric not null,
  outcome text not null check (outcome in ('renewed', 'rewarded', 'unrewarded')),
  -- What was paid at its end: to the validator itself, and from its delegators; and what was staked again of both.
  reward numeric not null,
  delegation_reward numeric not null,
  restaked numeric not null,
  restaked_delegation numeric not null,
  primary key (chain, height, index)
);
create index staking_cycles_staking_tx on staking_cycles (staking_tx, height, index);
create index staking_cycles_node on staking_cycles (chain, node, height, index);
`,
}
