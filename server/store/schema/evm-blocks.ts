import { approvalLogs } from '../evm/approval-logs.ts'
import { powerLogs } from '../evm/contracts/power-logs.ts'
import { listedCalls } from '../evm/listed-calls.ts'
import { transferLogs, wrapLogs } from '../evm/transfer-logs.ts'
import { warpLogs } from '../signatures/read-warp.ts'

/**
 * What the blocks of EVM chains contain. Keys start with the chain and a block position. There are no serial ids and no
 * foreign keys, so a reorg is the deletion of a suffix and a partition is independent. The big tables are
 * range-partitioned by (chain, number): see partitions.ts. They have no partitions yet.
 */
export const evmBlocks = `
-- A block. It carries running sums over all blocks up to it (cum_…), the day's running maxima, and the sums of its own
-- second, so that every metric is a difference of two rows and nothing is recomputed (docs/metrics.md).
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
  -- blockExtraData of the C-Chain: its atomic transactions. Null on other chains and if there are none.
  ext_data bytea,
  -- The height up to which a block settles that was accepted before it was executed (ACP-194). Null for all others,
  -- which settle themselves.
  settled_height bigint,
  cum_txs bigint not null,
  cum_gas numeric not null,
  cum_fees numeric not null,
  -- Base fee times gas used.
  cum_burned numeric not null default 0,
  -- What the effective gas price exceeds the base fee by, times the gas used; without a base fee the whole price.
  cum_priority numeric not null default 0,
  cum_gas_limit numeric not null default 0,
  cum_failed bigint not null default 0,
  cum_gas_price numeric not null,
  cum_addresses bigint not null,
  cum_contracts bigint not null,
  cum_deployers bigint not null,
  -- Token transfers; each id of a batch is one.
  cum_transfers bigint not null default 0,
  cum_logs bigint not null default 0,
  cum_hour_addresses bigint not null,
  cum_day_addresses bigint not null,
  cum_week_addresses bigint not null,
  cum_month_addresses bigint not null,
  cum_hour_senders bigint not null,
  cum_day_senders bigint not null,
  cum_week_senders bigint not null,
  cum_month_senders bigint not null,
  cum_day_deployers bigint not null,
  -- The last timestamp before this block's own, null if there is none; and what this second holds so far.
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
-- A block by its hash: store/evm/read-blocks.ts, store/network/read-search.ts.
create index blocks_hash on blocks (hash);
-- The first or last block of a time: store/metrics/read-metrics.ts, store/evm/read-blocks.ts.
create index blocks_time on blocks (chain, ts, number);

-- A transaction with its receipt.
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
  -- What a transaction with blobs paid for them (EIP-4844). Null for others.
  blob_gas_used bigint,
  blob_gas_price numeric,
  input bytea not null,
  -- Why it failed, as the trace of its block told: a node that prunes its states can't be asked later. error is the
  -- virtual machine's text for the transaction's own call; failing_call the ordinal of the call in which the failure
  -- began, -1 for the own call. Both are null if it succeeded or its block is not traced.
  error text,
  -- What its own call returned, at most 1,024 bytes. Null if its block is not traced or the node did not tell, for nothing,
  -- and for the code of a contract.
  output bytea,
  failing_call integer,
  primary key (chain, number, index)
) partition by range (chain, number);
-- A transaction by its hash: store/evm/read-transaction.ts, store/network/read-search.ts.
create index transactions_hash on transactions (hash);
-- What an address sent: store/evm/read-address-native.ts, store/evm/read-transactions.ts.
create index transactions_sender on transactions (chain, sender, number, index);
-- What was sent to an address, or created it: store/evm/read-address-native.ts, store/evm/read-transactions.ts.
create index transactions_recipient on transactions (chain, (coalesce(recipient, created)), number, index);
-- What failed on a chain, and the calls of a method: store/evm/read-transactions.ts.
create index transactions_failed on transactions (chain, number, index) where status = 0;
create index transactions_method on transactions (chain, (substring(input from 1 for 4)), number, index)
  where recipient is not null and length(input) >= 4;

-- An authorization that a transaction carries (EIP-7702), with a valid signature of authority and for this chain or any:
-- the account lets its code be that of the contract at address. index is the place in the transaction's list.
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
-- What an account has authorized: store/evm/read-address-authorizations.ts.
create index authorizations_authority on authorizations (chain, authority, number, tx_index, index);

-- What few transactions carry: access list (if it is not empty), authorizations and blobs, as JSON with the names and forms of
-- JSON-RPC. fields is null if that is longer than 32 KiB: then the node is asked.
create table envelopes (
  chain bigint not null,
  number bigint not null,
  tx_index integer not null,
  fields text,
  primary key (chain, number, tx_index)
);

-- A transaction whose hash is only the node's name for it (docs/indexer.md). reason: 1 impersonated, a sender whose key
-- the node lacks; 2 system, what the chain did by itself.
create table node_names (
  chain bigint not null,
  number bigint not null,
  index integer not null,
  reason smallint not null,
  primary key (chain, number, index)
);

-- A log. Transfers of tokens are not stored again: partial indexes find them here.
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
-- The ERC-20 transfers from and to an address: store/evm/read-address-logs.ts.
create index logs_erc20_from on logs (chain, topic1, number, index) where ${transferLogs['ERC-20']};
create index logs_erc20_to on logs (chain, topic2, number, index) where ${transferLogs['ERC-20']};
-- Its ERC-721 transfers: store/evm/read-address-logs.ts.
create index logs_erc721_from on logs (chain, topic1, number, index) where ${transferLogs['ERC-721']};
create index logs_erc721_to on logs (chain, topic2, number, index) where ${transferLogs['ERC-721']};
-- Its ERC-1155 transfers, and those of ranges of ERC-721 tokens: store/evm/read-address-logs.ts.
create index logs_erc1155_from on logs (chain, topic2, number, index) where ${transferLogs.partiesLast};
create index logs_erc1155_to on logs (chain, topic3, number, index) where ${transferLogs.partiesLast};
-- The logs of a contract: store/evm/contracts/read-contract-logs.ts.
create index logs_address on logs (chain, address, number, index);
-- The transfers of a token: store/tokens/read-token-transfers.ts.
create index logs_token on logs (chain, address, number, index) where ${transferLogs.any};
-- The cross-chain messages that a chain sent: store/signatures/read-warp.ts.
create index logs_warp on logs (chain, number, index) where ${warpLogs};
-- Deposits and withdrawals of a wrapper from before its first transfer: indexer/evm/tokens/token-store.ts.
create index logs_wraps on logs (chain, address, number, index) where ${wrapLogs};
-- Upgrades of a proxy, and the roles of a contract: store/evm/contracts/read-power-logs.ts.
create index logs_powers on logs (chain, address, number, index) where ${powerLogs};
-- What an address lets others take: store/evm/read-approvals.ts.
create index logs_approvals on logs (chain, topic1, number, index) where ${approvalLogs};

-- A call made inside a transaction, in the order of execution; the transaction's own call is not repeated.
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
  -- What it was given and what it returned, at most 1,024 bytes each: a node that prunes its states can't be asked later.
  -- Null for the code of a contract.
  input bytea,
  output bytea,
  error text,
  primary key (chain, number, tx_index, ordinal)
) partition by range (chain, number);
-- The inner calls of an address that moved value or created a contract, by side: store/evm/read-address-calls.ts.
create index calls_listed_sender on calls (chain, sender, number, tx_index, ordinal) where ${listedCalls()};
create index calls_listed_recipient on calls (chain, recipient, number, tx_index, ordinal) where ${listedCalls()};

-- A creation that lasted: by a transaction (ordinal -1) or by a call inside one (the call's ordinal).
create table contracts (
  chain bigint not null,
  number bigint not null,
  tx_index integer not null,
  ordinal integer not null,
  address bytea not null,
  -- Who created it, perhaps a contract; and who signed the transaction.
  deployer bytea not null,
  origin bytea not null,
  primary key (chain, number, tx_index, ordinal)
) partition by range (chain, number);
-- How an address was created: store/evm/contracts/read-contract.ts.
create index contracts_address on contracts (chain, address);
-- What an address created: store/evm/contracts/read-contract.ts, indexer/evm/trace-sums.ts.
create index contracts_deployer on contracts (chain, deployer, number, tx_index, ordinal);
-- What was created in transactions that an address signed: store/evm/contracts/read-contract.ts.
create index contracts_origin on contracts (chain, origin, number, tx_index, ordinal);

-- A withdrawal of a proof-of-stake consensus layer (EIP-4895): credited by a block, without a transaction. amount is in
-- gwei, as in the header's commitment.
create table withdrawals (
  chain bigint not null,
  number bigint not null,
  index numeric not null,
  validator numeric not null,
  address bytea not null,
  amount numeric not null,
  primary key (chain, number, index)
) partition by range (chain, number);

-- A cross-chain message: sent (direction 0, a log of the warp precompile) or delivered (1, a log of
-- TeleporterMessenger). index is the log's.
create table cross_chain_messages (
  chain bigint not null,
  number bigint not null,
  index integer not null,
  ts bigint not null,
  direction smallint not null,
  -- The blockchain at the other end; null if the payload of a sent message does not name it.
  peer bytea,
  primary key (chain, number, index)
);
-- The messages of a period, by chain at the other end: store/metrics/read-messages.ts.
create index cross_chain_messages_time on cross_chain_messages (chain, direction, ts) include (peer);
`
