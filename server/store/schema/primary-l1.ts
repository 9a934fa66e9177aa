/** Subnets, their blockchains, and validators of L1s. */
export const primaryL1 = `
-- A subnet as it stands now.
create table subnets (
  chain smallint not null,
  height bigint not null,
  index integer not null,
  ts bigint not null,
  subnet bytea not null,
  owner_threshold integer,
  owner_locktime numeric,
  owner_addresses bytea[],
  -- The token of an elastic subnet and its supply.
  transform_tx bytea,
  staking_asset bytea,
  supply numeric,
  conversion_tx bytea,
  conversion_ts bigint,
  manager_chain bytea,
  manager_address bytea,
  primary key (chain, height, index)
);
-- A subnet by its id: store/network/read-registry.ts, store/network/read-search-primary.ts.
create unique index subnets_subnet on subnets (chain, subnet);

-- A blockchain of a subnet.
create table blockchains (
  chain smallint not null,
  height bigint not null,
  index integer not null,
  ts bigint not null,
  blockchain_id bytea not null,
  subnet bytea not null,
  vm bytea not null,
  name text not null,
  genesis bytea not null,
  -- From the genesis of an EVM chain.
  evm_chain_id numeric,
  primary key (chain, height, index)
);
-- A blockchain by its id: store/network/read-registry.ts, store/signatures/read-warp.ts.
create unique index blockchains_blockchain_id on blockchains (chain, blockchain_id);
-- The blockchains of a subnet: store/network/read-registry.ts.
create index blockchains_subnet on blockchains (chain, subnet, height, index);

-- A validator of an L1 as it stands now. An active one has end_fee - accrued_fees of the head block left.
create table l1_validators (
  chain smallint not null,
  height bigint not null,
  index integer not null,
  -- Several are made by one conversion.
  ordinal integer not null,
  ts bigint not null,
  validation_id bytea not null,
  tx_id bytea not null,
  subnet bytea not null,
  node bytea not null,
  bls_key bytea not null,
  remaining_owner_threshold integer not null,
  remaining_owner_addresses bytea[] not null,
  deactivation_owner_threshold integer not null,
  deactivation_owner_addresses bytea[] not null,
  -- 0 once it is removed.
  weight numeric not null,
  min_nonce numeric not null default 0,
  -- The accrued fees at which its balance is used up; null while inactive.
  end_fee numeric,
  removed_ts bigint,
  primary key (chain, height, index, ordinal)
);
-- A validator by its validation: store/network/read-l1.ts, store/watch/read-fleet.ts.
create unique index l1_validators_validation on l1_validators (validation_id);
-- The validators of an L1: store/network/read-l1.ts, store/network/read-registry.ts.
create index l1_validators_subnet on l1_validators (chain, subnet, height, index, ordinal);
-- The L1 validations of a node: store/network/read-l1.ts, store/network/read-staking.ts.
create index l1_validators_node on l1_validators (chain, node, height, index, ordinal);

-- A change of an L1 validator. Index -1: the block itself ended it, its balance was used up.
create table l1_validator_changes (
  validation_id bytea not null,
  chain smallint not null,
  height bigint not null,
  index integer not null,
  ts bigint not null,
  tx_id bytea,
  type smallint,
  weight numeric not null,
  -- nAVAX paid in, negative for what was given back.
  balance_change numeric not null,
  -- After the change: what is left, and the accrued fees at which that is used up; null while inactive.
  balance numeric not null,
  end_fee numeric,
  primary key (validation_id, chain, height, index)
);
`
