/**
 * The primary network: P- and X-chain, and the atomic side of the C-chain. `chain` is `primaryChainKey` of
 * server/primary/chains.ts: 1, 2, 3 for P, X, C of mainnet and 11, 12, 13 of fuji. Accepted blocks are never
 * reorganized, so rows only change forward: a UTXO is spent, a validation ends, a balance is topped up. Every
 * change commits with the block that made it, and the cursor is the highest block.
 *
 * Positions: genesis is height 0, with its transactions in genesis order. Transactions that the X-chain
 * accepted in vertices have height -1, in order of acceptance. Unsigned 64-bit amounts and locktimes are
 * `numeric`. Addresses are the 20 bytes, ids the 32 bytes. Details of a transaction that no query filters by
 * are read from its bytes.
 */
export const primaryNetwork = `
-- blockExtraData of a C-chain block: its atomic transactions. Null on other chains and where there are none.
alter table blocks add column ext_data bytea;

create table primary_chains (
  chain smallint primary key,
  blockchain_id bytea not null,
  -- Block 0. Another one behind the URL is another chain: nothing is written then.
  genesis_hash bytea,
  avax_asset bytea,
  state text not null default 'waiting' check (state in ('waiting', 'syncing', 'live', 'stopped')),
  reason text,
  client_version text,
  node_height bigint,
  node_seen_ts bigint,
  -- Whether the node has its index API for this chain: the source of proposers and vertices.
  has_index boolean
);

create table primary_blocks (
  chain smallint not null,
  height bigint not null,
  ts bigint not null,
  id bytea not null,
  parent_id bytea not null,
  -- The codec's type id; null on the C-chain.
  type smallint,
  size integer not null,
  tx_count integer not null,
  -- P only, each after the block: supply in nAVAX, fees of L1 validators since their start, validators that pay them, excess.
  supply numeric,
  accrued_fees numeric,
  active_l1_validators integer,
  l1_excess numeric,
  -- Null where the node has no index, or a block came before proposers. An unsigned wrapper has no node.
  proposer_id bytea,
  proposer_parent_id bytea,
  proposer_node bytea,
  proposer_p_height bigint,
  proposer_ts bigint,
  primary key (chain, height)
);
create index primary_blocks_id on primary_blocks (id);
create index primary_blocks_time on primary_blocks (chain, ts, height);
create index primary_blocks_proposer on primary_blocks (chain, proposer_node, height) where proposer_node is not null;

create table primary_transactions (
  chain smallint not null,
  height bigint not null,
  index integer not null,
  ts bigint not null,
  id bytea not null,
  -- The codec's type id.
  type smallint not null,
  -- The signed transaction as the block or vertex holds it, without a codec version.
  bytes bytea not null,
  -- Inputs and outputs: a page of transactions is cut where they become very many.
  utxo_count integer not null,
  primary key (chain, height, index)
);
create index primary_transactions_id on primary_transactions (id);

-- Every address that owned an input or an output, was paid, staked, or may act: once a transaction.
create table primary_address_transactions (
  address bytea not null,
  chain smallint not null,
  height bigint not null,
  index integer not null,
  type smallint not null,
  ts bigint not null,
  primary key (address, chain, height, index)
);

-- A UTXO from its creation on. \`chain\` is where it was created, \`home\` where it can be spent: they differ for exports.
-- A stake output is the row that it becomes when the stake is returned: until then it can't be spent.
create table utxos (
  chain smallint not null,
  height bigint not null,
  tx_index integer not null,
  output_index integer not null,
  ts bigint not null,
  tx_id bytea not null,
  utxo_id bytea not null,
  home smallint not null,
  asset bytea not null,
  -- 0 for NFTs and for outputs that only mint.
  amount numeric not null,
  -- The codec's type id of the output on its chain, inside a stakeable lock.
  type smallint not null,
  threshold integer not null,
  locktime numeric not null,
  stakeable_locktime numeric not null default 0,
  -- The first owner; all of them where there are several. Null where nobody owns it.
  owner bytea,
  owners bytea[],
  group_id bigint,
  payload bytea,
  -- Of stake outputs: when the stake counts from, and when it was returned, or will be as far as is known.
  staked_from bigint,
  staked_until bigint,
  -- 1 VALIDATOR, 2 DELEGATOR, 3 VALIDATOR_FEE; null where it is no reward.
  reward_type smallint,
  spent_chain smallint,
  spent_height bigint,
  spent_index integer,
  spent_input integer,
  spent_ts bigint,
  spent_tx bytea,
  primary key (chain, height, tx_index, output_index)
);
-- Genesis has the same ids on every network.
create unique index utxos_id on utxos (home, utxo_id);
-- Balances read this index alone: it carries all that decides the bucket at any time.
create index utxos_owner on utxos (owner, home, chain, height, tx_index, output_index)
  include (ts, spent_ts, asset, amount, locktime, stakeable_locktime, staked_from, staked_until, type);
create index utxos_spent on utxos (spent_chain, spent_height, spent_index) where spent_height is not null;

-- The second and later owners of a UTXO.
create table utxo_co_owners (
  address bytea not null,
  home smallint not null,
  chain smallint not null,
  height bigint not null,
  tx_index integer not null,
  output_index integer not null,
  primary key (address, home, chain, height, tx_index, output_index)
);

-- Every validation and delegation, one row a staking transaction, those of genesis too.
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
  -- The whole reward by the formula, before a delegator's fee; null where there is none.
  potential_reward numeric,
  -- Of validators: the delegations in force or announced now.
  delegator_count integer not null default 0,
  delegated numeric not null default 0,
  ended_height bigint,
  ended_index integer,
  ended_ts bigint,
  ended_tx bytea,
  outcome text check (outcome in ('rewarded', 'unrewarded', 'removed')),
  -- What was paid: to the staker itself, and to a validator from its delegators.
  reward numeric,
  delegation_reward numeric,
  primary key (chain, height, index)
);
create unique index stakers_tx on stakers (tx_id);
-- Validations alone: delegations between them are many times as many.
create index stakers_validations on stakers (chain, height, index) where not is_delegator;
create index stakers_node on stakers (chain, node, height, index);
create index stakers_subnet on stakers (chain, subnet, height, index);
create index stakers_validator on stakers (chain, validator_tx) where validator_tx is not null;
create index stakers_current on stakers (chain, is_delegator, end_ts) where ended_ts is null;
create index stakers_reward_addresses on stakers using gin (reward_addresses);

-- What was paid at the end of a staking period; the UTXO of each is in \`utxos\`.
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
create index rewards_node on rewards (chain, node, height, index, ordinal);
create index rewards_staking_tx on rewards (staking_tx);

create table reward_owners (
  address bytea not null,
  chain smallint not null,
  height bigint not null,
  index integer not null,
  ordinal smallint not null,
  primary key (address, chain, height, index, ordinal)
);

create table subnets (
  chain smallint not null,
  height bigint not null,
  index integer not null,
  ts bigint not null,
  subnet bytea not null,
  -- Who owns it now.
  owner_threshold integer,
  owner_locktime numeric,
  owner_addresses bytea[],
  -- The token of an elastic subnet, its supply now, and how many millionths a reward takes at most.
  transform_tx bytea,
  staking_asset bytea,
  supply numeric,
  conversion_tx bytea,
  conversion_ts bigint,
  manager_chain bytea,
  manager_address bytea,
  primary key (chain, height, index)
);
create unique index subnets_subnet on subnets (chain, subnet);

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
create unique index blockchains_blockchain_id on blockchains (chain, blockchain_id);
create index blockchains_subnet on blockchains (chain, subnet, height, index);

-- Validators of L1s as they stand now. An active one has end_fee - accrued_fees of the head block left.
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
create unique index l1_validators_validation on l1_validators (validation_id);
create index l1_validators_subnet on l1_validators (chain, subnet, height, index, ordinal);
create index l1_validators_node on l1_validators (chain, node, height, index, ordinal);

-- Everything that changed an L1 validator. Index -1: the block itself ended it, its balance was used up.
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

-- What the node says of its validators, sampled: uptime in percent since the validation began, as seen by that node.
create table uptime_samples (
  chain smallint not null,
  node bytea not null,
  tx_id bytea not null,
  ts bigint not null,
  uptime real not null,
  connected boolean not null,
  primary key (chain, node, tx_id, ts)
);

create table assets (
  chain smallint not null,
  height bigint not null,
  index integer not null,
  ts bigint not null,
  asset bytea not null,
  name text not null,
  symbol text not null,
  denomination smallint not null,
  -- Whether it is made of NFTs, and whether more of it can be minted.
  is_nft boolean not null,
  is_variable boolean not null,
  primary key (chain, height, index)
);
create unique index assets_asset on assets (asset);

-- What the X-chain accepted before it became a chain of blocks, by the node's index of it.
create table vertices (
  chain smallint not null,
  index bigint not null,
  ts bigint not null,
  id bytea not null,
  height bigint not null,
  parents bytea[] not null,
  -- In the order of the vertex; one transaction may lie in several vertices.
  transactions bytea[] not null,
  size integer not null,
  is_stop boolean not null,
  primary key (chain, index)
);
create index vertices_id on vertices (id);
create index vertices_height on vertices (chain, height, index);
create index vertices_transactions on vertices using gin (transactions);
`
