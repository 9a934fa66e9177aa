/** Validations, delegations and what was paid for them. */
export const primaryStaking = `
-- A validation or delegation: one row a staking transaction, those of genesis too. That of an auto-renewed validator
-- (ACP-236) holds the present or last period: weight, start, end, potential reward.
create table stakers (
  chain smallint not null,
  height bigint not null,
  index integer not null,
  tx_id bytea not null,
  is_delegator boolean not null,
  subnet bytea not null,
  node bytea not null,
  weight numeric not null,
  start_ts bigint not null,
  end_ts bigint not null,
  -- Millionths of the delegators' rewards; null for delegators and for validators without fee.
  shares integer,
  bls_key bytea,
  bls_proof bytea,
  -- The validation that a delegation belongs to.
  validator_tx bytea,
  reward_addresses bytea[] not null default '{}',
  delegation_reward_addresses bytea[] not null default '{}',
  -- The whole reward by the formula, before a delegator's fee; null if there is none.
  potential_reward numeric,
  -- Of validators: the delegations in force or announced now.
  delegator_count integer not null default 0,
  delegated numeric not null default 0,
  ended_height bigint,
  ended_index integer,
  ended_ts bigint,
  ended_tx bytea,
  outcome text check (outcome in ('rewarded', 'unrewarded', 'removed')),
  -- What was paid, over all periods: to the staker itself, and to a validator from its delegators.
  reward numeric,
  delegation_reward numeric,
  -- Of auto-renewed validators, null for all others. Millionths of a period's rewards that are staked again.
  compound_shares integer,
  -- Seconds; 0: it leaves at the end of the period.
  next_period bigint,
  authority_addresses bytea[],
  -- Rewards of its own, and from delegators, that are staked and part of its weight.
  accrued_reward numeric,
  accrued_delegation_reward numeric,
  -- Its share of delegations that ended in this period.
  pending_delegation_reward numeric,
  primary key (chain, height, index)
);
-- A staker by its transaction: store/primary/read-transactions.ts, store/network/read-rewards.ts.
create unique index stakers_tx on stakers (tx_id);
-- The list of validations: store/network/read-validators.ts. Delegations between them are many times as many.
create index stakers_validations on stakers (chain, height, index) where not is_delegator;
-- The stakers of a node: store/network/read-staking.ts, store/network/read-delegators.ts.
create index stakers_node on stakers (chain, node, height, index);
-- The validations of a subnet: store/network/read-validators.ts.
create index stakers_subnet on stakers (chain, subnet, height, index);
-- The delegations to a validation: store/network/read-validators.ts.
create index stakers_validator on stakers (chain, validator_tx) where validator_tx is not null;
-- Who stakes now: store/network/read-overview.ts, store/network/read-validators.ts.
create index stakers_current on stakers (chain, is_delegator, end_ts) where ended_ts is null;
-- The stakers that pay an address: store/network/read-rewards.ts, store/network/read-delegators.ts.
create index stakers_reward_addresses on stakers using gin (reward_addresses);
-- The delegations that ended lately: store/watch/read-facts.ts.
create index stakers_ended on stakers (chain, ended_height) where is_delegator and ended_height is not null;
-- The validations of a node without the delegations to it, of which a popular node has thousands; the watch looks up the
-- present one of every node in each round: store/watch/read-facts.ts, store/watch/read-fleet.ts.
create index stakers_node_validations on stakers (chain, node, height, index) where not is_delegator;

-- A finished period of an auto-renewed validator, at the position of the transaction that ended it.
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
-- The periods of a node: store/primary/read-cycles.ts, store/network/read-staking.ts.
create index staking_cycles_node on staking_cycles (chain, node, height, index);

-- What was paid at the end of a staking period; the UTXO of each is in utxos.
create table rewards (
  chain smallint not null,
  height bigint not null,
  index integer not null,
  ordinal smallint not null,
  ts bigint not null,
  staking_tx bytea not null,
  node bytea not null,
  -- As in utxos.reward_type.
  type smallint not null,
  amount numeric not null,
  output_index integer not null,
  utxo_id bytea not null,
  addresses bytea[] not null,
  primary key (chain, height, index, ordinal)
);
-- The rewards of a node: store/network/read-rewards.ts, store/watch/read-fleet.ts.
create index rewards_node on rewards (chain, node, height, index, ordinal);

-- An address that a reward was paid to.
create table reward_owners (
  address bytea not null,
  chain smallint not null,
  height bigint not null,
  index integer not null,
  ordinal smallint not null,
  primary key (address, chain, height, index, ordinal)
);
`
