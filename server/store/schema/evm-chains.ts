/** EVM chains and how far their history is indexed. */
export const evmChains = `
-- An EVM chain; chain is the EVM chain id. Names and URLs are in the configuration.
create table chains (
  chain bigint primary key,
  genesis_hash bytea not null,
  start_block bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'syncing', 'live', 'stopped')),
  reason text,
  -- When it stopped; meaningful while the state is 'stopped'.
  stopped_ts bigint,
  trace_source text not null default 'unknown' check (trace_source in ('debug', 'trace', 'none', 'unknown')),
  client_version text,
  node_block bigint,
  node_seen_ts bigint,
  -- How deep a reorg may go before the indexer stops instead of following it.
  finalized_block bigint,
  -- The highest stored block that the node itself calls final (its tag finalized), which pages and answers show. Null if
  -- the node does not tell.
  node_finalized bigint,
  -- How often stored blocks were taken back: a page finds by it what it was not told of.
  reorgs bigint not null default 0,
  -- The block from which the sums of contracts and deployers are being recomputed after a gap was filled; null if they
  -- are not.
  trace_sums_from bigint,
  -- The first blocks whose inner calls and logs are kept (keepTraces, keepLogs): rows of lower blocks are dropped, or
  -- are about to be. 0 while nothing was dropped. They are raised before the first row goes.
  traces_from bigint not null default 0,
  logs_from bigint not null default 0
);

-- How fast a chain was catching up when it was last measured, and what bounded it.
create table sync_progress (
  chain bigint primary key,
  ts bigint not null,
  blocks_per_second double precision not null,
  bound text not null check (bound in ('node', 'database', 'decoding'))
);

-- A range of blocks whose inner calls are not stored because the node could not trace it. Ranges of a chain do not
-- overlap.
create table trace_gaps (
  chain bigint not null,
  first_block bigint not null,
  last_block bigint not null,
  -- The calls were stored later, and the prefix sums of contracts and deployers are not computed yet.
  filled boolean not null default false,
  primary key (chain, first_block),
  check (first_block <= last_block)
);
`
