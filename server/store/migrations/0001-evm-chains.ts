/**
 * The EVM chains: what the service knows of each, and its blocks, transactions, logs, internal calls and
 * created contracts. Keys start with the chain and a block position. There are no serial ids and no foreign
 * keys, so a reorg is the deletion of a suffix and a partition is independent. The big tables are
 * range-partitioned by (chain, number): see partitions.ts.
 */
export const evmChains = `
create table service (
  key text primary key,
  value text not null
);

-- One row a chain. \`chain\` is the EVM chain id. What configuration says (names, URLs) is not repeated here.
create table chains (
  chain bigint primary key,
  genesis_hash bytea not null,
  start_block bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'syncing', 'live', 'stopped')),
  reason text,
  trace_source text not null default 'unknown' check (trace_source in ('debug', 'trace', 'none', 'unknown')),
  client_version text,
  node_block bigint,
  node_seen_ts bigint,
  finalized_block bigint
);

-- Each block row carries prefix sums over all blocks up to it (cum_*), the day's running maxima, and the
-- sums of its own second, so that every metric is a difference of two rows and nothing is recomputed.
create table blocks (
  chain bigint not null,
  number bigint not null,
  ts bigint not null,
  hash bytea not null,
  parent_hash bytea not null,
  miner bytea not null,
  gas_limit numeric not null,
  gas_used bigint not null,
  base_fee numeric,
  block_gas_cost numeric,
  difficulty numeric not null,
  size integer,
  tx_count integer not null,
  log_count integer not null,
  fees numeric not null,
  state_root bytea not null,
  transactions_root bytea not null,
  receipts_root bytea not null,
  extra_data bytea not null,
  nonce bytea,
  cum_txs bigint not null,
  cum_gas numeric not null,
  cum_fees numeric not null,
  cum_gas_price numeric not null,
  cum_addresses bigint not null,
  cum_contracts bigint not null,
  cum_deployers bigint not null,
  cum_hour_addresses bigint not null,
  cum_day_addresses bigint not null,
  cum_week_addresses bigint not null,
  cum_month_addresses bigint not null,
  cum_hour_senders bigint not null,
  cum_day_senders bigint not null,
  cum_week_senders bigint not null,
  cum_month_senders bigint not null,
  cum_day_deployers bigint not null,
  -- The last timestamp before this block's own, null where there is none; and what this second holds so far.
  previous_ts bigint,
  second_txs bigint not null,
  second_gas numeric not null,
  -- Running maxima of the block's UTC day; rates as a fraction (amount over seconds), null before the first rate.
  day_max_tps_txs bigint,
  day_max_tps_seconds bigint,
  day_max_gps_gas numeric,
  day_max_gps_seconds bigint,
  day_max_gas_price numeric,
  primary key (chain, number)
) partition by range (chain, number);
create index blocks_hash on blocks (hash);
create index blocks_time on blocks (chain, ts, number);

create table transactions (
  chain bigint not null,
  number bigint not null,
  index integer not null,
  type smallint not null,
  status smallint not null,
  hash bytea not null,
  sender bytea not null,
  recipient bytea,
  created bytea,
  value numeric not null,
  nonce numeric not null,
  gas_limit numeric not null,
  gas_used bigint not null,
  cumulative_gas_used bigint not null,
  gas_price numeric not null,
  max_fee numeric,
  max_priority_fee numeric,
  input bytea not null,
  primary key (chain, number, index)
) partition by range (chain, number);
create index transactions_hash on transactions (hash);

create table logs (
  chain bigint not null,
  number bigint not null,
  index integer not null,
  tx_index integer not null,
  address bytea not null,
  topic0 bytea,
  topic1 bytea,
  topic2 bytea,
  topic3 bytea,
  data bytea not null,
  primary key (chain, number, index)
) partition by range (chain, number);

-- Calls made inside a transaction, in execution order; the transaction's own top call is not repeated.
create table calls (
  chain bigint not null,
  number bigint not null,
  tx_index integer not null,
  ordinal integer not null,
  depth smallint not null,
  type text not null,
  reverted boolean not null,
  sender bytea not null,
  recipient bytea,
  value numeric not null,
  gas_limit numeric not null,
  gas_used numeric not null,
  method bytea,
  error text,
  primary key (chain, number, tx_index, ordinal)
) partition by range (chain, number);

-- Every creation that lasted: by a transaction (ordinal -1) or by a call inside one (the call's ordinal).
create table contracts (
  chain bigint not null,
  number bigint not null,
  tx_index integer not null,
  ordinal integer not null,
  address bytea not null,
  deployer bytea not null,
  primary key (chain, number, tx_index, ordinal)
) partition by range (chain, number);
create index contracts_address on contracts (chain, address);

-- When an address was active in a role (0 party, 1 sender, 2 deployer): one row an hour above the finalised
-- height, the newest one below it. first_block is the block that made the row, so a reorg is a suffix delete.
create table seen (
  chain bigint not null,
  role smallint not null,
  address bytea not null,
  hour_ts bigint not null,
  first_block bigint not null,
  primary key (chain, role, address, hour_ts)
);
create index seen_first_block on seen using brin (chain, first_block) with (pages_per_range = 16);
`
