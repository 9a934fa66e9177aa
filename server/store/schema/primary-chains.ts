import { l1TxTypes } from '../signatures/read-warp.ts'

/**
 * The primary network: P- and X-Chain, and the atomic side of the C-Chain. `chain` is `primaryChainKey` of
 * server/primary/chains.ts: 1, 2, 3 for P, X, C of mainnet and 11, 12, 13 of fuji. Accepted blocks are never reorganized,
 * so rows only change forward: a UTXO is spent, a validation ends, a balance is topped up. Every change commits with the
 * block that made it, and the cursor is the highest block.
 *
 * Positions: genesis is height 0, with its transactions in genesis order. Transactions that the X-Chain accepted in
 * vertices have height -1, in order of acceptance. Unsigned 64-bit amounts and locktimes are `numeric`. Addresses are the
 * 20 bytes, ids the 32 bytes. Details of a transaction that no query filters by are read from its bytes.
 */
export const primaryChains = `
-- A chain of the primary network.
create table primary_chains (
  chain smallint primary key,
  blockchain_id bytea not null,
  -- Block 0. Another one behind the URL is another chain: nothing is written then.
  genesis_hash bytea,
  avax_asset bytea,
  state text not null default 'waiting' check (state in ('waiting', 'syncing', 'live', 'stopped')),
  reason text,
  -- When it stopped; meaningful while the state is 'stopped'.
  stopped_ts bigint,
  client_version text,
  node_height bigint,
  node_seen_ts bigint,
  -- Whether the node has its index API for this chain: the source of proposers and vertices.
  has_index boolean,
  -- How fast it was catching up when it was last measured, and what bounded it: not in sync_progress, which may be on
  -- another server, on which these chains must not depend.
  sync_ts bigint,
  sync_rate double precision,
  sync_bound text check (sync_bound in ('node', 'database', 'decoding')),
  -- P only, each as the node tells it and null before. The terms of the L1 validator fee: nAVAX a second, and how slowly
  -- the price grows with the excess.
  l1_min_price numeric,
  l1_conversion numeric,
  -- When Helicon began, which changed what a validator needs to be rewarded. Null if it did not.
  helicon_ts bigint
);

-- A block of P, X or C.
create table primary_blocks (
  chain smallint not null,
  height bigint not null,
  ts bigint not null,
  id bytea not null,
  parent_id bytea not null,
  -- The codec's type id; null on the C-Chain.
  type smallint,
  size integer not null,
  tx_count integer not null,
  -- P only, each after the block: supply in nAVAX, fees of L1 validators since their start, validators that pay them, excess.
  supply numeric,
  accrued_fees numeric,
  active_l1_validators integer,
  l1_excess numeric,
  -- Null if the node has no index, or the block came before proposers. An unsigned wrapper has no node.
  proposer_id bytea,
  proposer_parent_id bytea,
  proposer_node bytea,
  proposer_p_height bigint,
  proposer_ts bigint,
  primary key (chain, height)
);
-- A block by its id: store/primary/read-blocks.ts, store/network/read-search-primary.ts.
create index primary_blocks_id on primary_blocks (id);
-- The first or last block of a time: store/metrics/read-network-metrics.ts, store/primary/read-primary.ts.
create index primary_blocks_time on primary_blocks (chain, ts, height);
-- What a node proposed: store/watch/read-facts.ts, store/watch/read-history.ts.
create index primary_blocks_proposer on primary_blocks (chain, proposer_node, height) where proposer_node is not null;

-- The C-Chain's heights, both ends included, whose proposers are read: from the node's index, separately from the blocks.
-- The range extends with the head, and down through the history when idle.
create table c_proposers (
  chain smallint primary key,
  from_height bigint not null,
  to_height bigint not null
);

-- A transaction of P or X, or an atomic one of C.
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
-- A transaction by its id: store/primary/read-transactions.ts, store/network/read-search-primary.ts.
create index primary_transactions_id on primary_transactions (id);
-- What a type of transaction did lately, over the whole chain: store/primary/read-transactions.ts.
create index primary_transactions_type on primary_transactions (chain, type, height, index);
-- The transactions about L1s, for which the P-Chain's validators sign messages: store/signatures/read-warp.ts,
-- store/metrics/read-messages.ts.
create index primary_transactions_l1 on primary_transactions (chain, height, index) where type in (${l1TxTypes});

-- An address of a transaction that owned an input or an output, was paid, staked, or may act: once a transaction.
create table primary_address_transactions (
  address bytea not null,
  chain smallint not null,
  height bigint not null,
  index integer not null,
  type smallint not null,
  ts bigint not null,
  primary key (address, chain, height, index)
);

-- A vertex of the X-Chain from before it became a chain of blocks. index is that of the node's index.
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
-- A vertex by its id: store/primary/read-vertices.ts.
create index vertices_id on vertices (id);
-- The vertices of a height, and the graph of several: store/primary/read-vertices.ts.
create index vertices_height on vertices (chain, height, index);
-- The vertices that contain a transaction: store/primary/read-vertices.ts.
create index vertices_transactions on vertices using gin (transactions);

-- What an accepted block contains and today's rules would refuse (docs/indexer.md, "Accepted history").
create table odd_history (
  chain smallint not null,
  height bigint not null,
  -- Of the transaction, or -1 for the block itself.
  index integer not null,
  -- A key of contract/primary/odd-history.ts; detail says what exactly.
  kind text not null,
  detail text not null,
  primary key (chain, height, index, kind, detail)
);
`
