/**
 * Addresses and tokens of EVM chains. Transfers are not stored again: partial indexes find them among the
 * logs. Balances are a history with one row for each key that a block changed, so a balance at any height is
 * one index seek and a reorg is the deletion of a suffix; `holders` and the counters of `token_blocks` are
 * updated in the same transaction. The data that a node returns about a token (\`token_facts\`) and that a
 * URI returns about an NFT (\`nft_metadata\`) are written by workers and survive a reorg.
 *
 * \`kind\` is the ERC number of the log's shape: 20, 721 or 1155. A \`token_id\` of -1 represents the whole
 * contract. Balances are the sum of the logs; they are negative if a contract omits logs.
 */
export const evmTokens = `
create index transactions_sender on transactions (chain, sender, number, index);
create index transactions_recipient on transactions (chain, (coalesce(recipient, created)), number, index);

create index calls_sender on calls (chain, sender, number, tx_index, ordinal)
  where value > 0 or type in ('CREATE', 'CREATE2', 'SELFDESTRUCT');
create index calls_recipient on calls (chain, recipient, number, tx_index, ordinal)
  where value > 0 or type in ('CREATE', 'CREATE2', 'SELFDESTRUCT');

-- Who signed the transaction in which a contract was created; \`deployer\` may be a contract.
alter table contracts add column origin bytea;
update contracts c set origin = t.sender from transactions t
  where t.chain = c.chain and t.number = c.number and t.index = c.tx_index;
alter table contracts alter column origin set not null;
create index contracts_deployer on contracts (chain, deployer, number, tx_index, ordinal);
create index contracts_origin on contracts (chain, origin, number, tx_index, ordinal);

create index logs_erc20_from on logs (chain, topic1, number, index)
  where topic0 = '\\xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    and topic2 is not null and topic3 is null and length(data) = 32;
create index logs_erc20_to on logs (chain, topic2, number, index)
  where topic0 = '\\xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    and topic2 is not null and topic3 is null and length(data) = 32;
create index logs_erc721_from on logs (chain, topic1, number, index)
  where topic0 = '\\xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    and topic3 is not null and length(data) = 0;
create index logs_erc721_to on logs (chain, topic2, number, index)
  where topic0 = '\\xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    and topic3 is not null and length(data) = 0;
create index logs_erc1155_from on logs (chain, topic2, number, index)
  where topic0 in ('\\xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
    '\\x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb') and topic3 is not null;
create index logs_erc1155_to on logs (chain, topic3, number, index)
  where topic0 in ('\\xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
    '\\x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb') and topic3 is not null;
create index logs_token on logs (chain, address, number, index)
  where topic0 in ('\\xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    '\\xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
    '\\x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb');

-- The balance of a key after a block that changed it. The zero address has no rows.
create table balances (
  chain bigint not null,
  address bytea not null,
  kind smallint not null,
  token bytea not null,
  token_id numeric not null,
  number bigint not null,
  balance numeric not null,
  primary key (chain, address, kind, token, token_id, number)
);
-- A reorg finds its rows by these. BRIN would be smaller, but knows nothing of pages that no vacuum has seen.
create index balances_suffix on balances (chain, number);
create index balances_nft on balances (chain, token, kind, token_id, number) where token_id >= 0;

-- The newest balance of everyone who ever held a token, zero included, and the highest one ever.
create table holders (
  chain bigint not null,
  token bytea not null,
  kind smallint not null,
  address bytea not null,
  balance numeric not null,
  peak numeric not null
) with (fillfactor = 80);
create index holders_balance on holders (chain, token, kind, balance, address) where balance > 0;
create index holders_peak on holders (chain, token, kind, peak);
-- Made last: of indexes that seem equally good, as all do before the first ANALYZE, the newest is taken.
alter table holders add primary key (chain, token, kind, address);

create table tokens (
  chain bigint not null,
  token bytea not null,
  kind smallint not null,
  first_block bigint not null,
  primary key (chain, token, kind)
);
create index tokens_first_block on tokens (chain, first_block);

-- Totals of a token after each block in which it moved. An ERC-1155 amount counts over all ids.
create table token_blocks (
  chain bigint not null,
  token bytea not null,
  kind smallint not null,
  number bigint not null,
  supply numeric not null,
  holders bigint not null,
  cum_transfers bigint not null,
  primary key (chain, token, kind, number)
);
create index token_blocks_suffix on token_blocks (chain, number);

create table nfts (
  chain bigint not null,
  token bytea not null,
  kind smallint not null,
  token_id numeric not null,
  first_block bigint not null,
  primary key (chain, token, kind, token_id)
);
create index nfts_first_block on nfts (chain, first_block);

-- What the node answers about a token contract. Null: asked, and no usable answer.
create table token_facts (
  chain bigint not null,
  token bytea not null,
  name text,
  symbol text,
  decimals smallint,
  -- 721 or 1155 where ERC-165 says so.
  interface smallint,
  -- Whether balanceOf disagrees with what the logs add up to: then balances are asked of the node.
  disagrees boolean not null default false,
  reputation text check (reputation in ('Malicious', 'Benign')),
  reputation_reasons text[] not null default '{}',
  asked_block bigint not null,
  asked_ts bigint not null,
  due_ts bigint not null,
  failures integer not null default 0,
  primary key (chain, token)
);
create index token_facts_due on token_facts (chain, due_ts);

create table nft_metadata (
  chain bigint not null,
  token bytea not null,
  token_id numeric not null,
  status text not null default 'UNINDEXED',
  uri text,
  name text,
  symbol text,
  description text,
  image_uri text,
  animation_uri text,
  external_url text,
  background text,
  decimals integer,
  attributes text,
  properties text,
  updated_ts bigint,
  -- When it is to be read next; null when it is not. A worker that reads it moves it ahead as its lease.
  due_ts bigint,
  attempts integer not null default 0,
  -- When a person last asked for a reindex.
  reindexed_ts bigint,
  primary key (chain, token, token_id)
);
create index nft_metadata_due on nft_metadata (due_ts) where due_ts is not null;
`
