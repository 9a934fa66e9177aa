/**
 * Tokens of EVM chains. Balances are a history with one row for each key that a block changed, so a balance at any height
 * is one index seek and a reorg is the deletion of a suffix; holders and the totals of token_blocks are updated in the
 * same transaction. What a node returns about a token and what a URI returns about an NFT is written by workers and
 * survives a reorg.
 *
 * kind is the ERC number of the log's shape: 20, 721 or 1155. A token_id of -1 is the whole contract. Balances are the sum
 * of the logs; they are negative if a contract omits logs.
 */
export const tokens = `
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
-- What a reorg deletes, and the holders of a day: indexer/evm/tokens/token-suffix.ts, store/metrics/read-rankings.ts. BRIN
-- would be smaller, but knows nothing of pages that no vacuum has seen.
create index balances_suffix on balances (chain, number);
-- Who held an NFT, and the blocks that moved it: store/tokens/read-nft.ts, store/tokens/read-token-transfers.ts.
create index balances_nft on balances (chain, token, kind, token_id, number) where token_id >= 0;

-- Somebody who ever held a token: the newest balance, zero included, and the highest one ever.
create table holders (
  chain bigint not null,
  token bytea not null,
  kind smallint not null,
  address bytea not null,
  balance numeric not null,
  peak numeric not null
) with (fillfactor = 80);
-- The holders of a token by balance: store/tokens/read-holder.ts.
create index holders_balance on holders (chain, token, kind, balance, address) where balance > 0;
-- Who ever held more than a threshold: store/tokens/read-holder.ts.
create index holders_peak on holders (chain, token, kind, peak);
-- After the others: of indexes that seem equally good, as all do before the first ANALYZE, the newest is taken.
alter table holders add primary key (chain, token, kind, address);
-- Whether a token's logs are incomplete: tokens/facts/disagreement.ts.
create index holders_negative on holders (chain, token) where balance < 0;

-- A token, with the latest totals by which the tokens of a chain are ordered. The indexer writes them with token_blocks;
-- a reorg restores them from what remains there.
create table tokens (
  chain bigint not null,
  token bytea not null,
  kind smallint not null,
  first_block bigint not null,
  holders bigint not null default 0,
  -- The block of its last transfer.
  last_block bigint not null default 0,
  -- The block of the first deposit or withdrawal that counts, of wrappers of the native token, whose balances include
  -- them.
  first_wrap bigint,
  primary key (chain, token, kind)
);
-- Tokens by age, those since a block, and what a reorg deletes: store/tokens/read-token-list.ts,
-- store/metrics/read-first-tokens.ts, tokens/facts/facts-store.ts, indexer/evm/tokens/token-suffix.ts.
create index tokens_first_block on tokens (chain, first_block);
-- Tokens by their holders: store/tokens/read-token-list.ts.
create index tokens_holders on tokens (chain, holders, token, kind);
-- Tokens that moved since a block: store/tokens/day-rankings.ts, tokens/facts/proof-worker.ts.
create index tokens_last_block on tokens (chain, last_block);

-- A contract that logged deposits or withdrawals like a wrapper of the native token before any transfer, which a staking
-- pool does as well. tokens/facts/wrappers.ts asks the contract whether it is one: at proven_block it was, and the indexer
-- makes it a token with its next block (is_counted).
create table wrapper_candidates (
  chain bigint not null,
  token bytea not null,
  -- The block of the first of these logs.
  first_block bigint not null,
  proven_block bigint,
  is_counted boolean not null default false,
  -- When the contract is asked next, and how often it was.
  due_ts bigint not null default 0,
  checks integer not null default 0,
  primary key (chain, token)
);
-- Those that are to be asked: tokens/facts/wrappers.ts.
create index wrapper_candidates_due on wrapper_candidates (chain, due_ts) where proven_block is null;
-- Those that are to become tokens, and those that are: indexer/evm/tokens/token-store.ts, store/metrics/read-first-tokens.ts.
create index wrapper_candidates_proven on wrapper_candidates (chain) where proven_block is not null;

-- The totals of a token after a block in which it moved. An ERC-1155 amount counts over all ids.
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
-- What a reorg deletes, and the transfers of a day: indexer/evm/tokens/token-suffix.ts, store/metrics/read-rankings.ts.
create index token_blocks_suffix on token_blocks (chain, number);

-- An NFT.
create table nfts (
  chain bigint not null,
  token bytea not null,
  kind smallint not null,
  token_id numeric not null,
  first_block bigint not null,
  primary key (chain, token, kind, token_id)
);
-- New NFTs, whose metadata is read, and what a reorg deletes: tokens/nft/queue.ts, indexer/evm/tokens/token-suffix.ts.
create index nfts_first_block on nfts (chain, first_block);

-- A range of ERC-721 tokens that a log moved at once (ERC-2309). Their ids have no rows of balances and nfts until they
-- move on their own: what an address has of an id is the newest balance plus what ranges gave it
-- (store/tokens/nft-ranges.ts). place counts the ranges of a contract; of the first 1,000 only there is a row.
create table nft_ranges (
  chain bigint not null,
  token bytea not null,
  place smallint not null,
  from_id numeric not null,
  to_id numeric not null,
  sender bytea not null,
  recipient bytea not null,
  number bigint not null,
  primary key (chain, token, place)
);
-- The ranges that an address received: store/tokens/read-balance.ts.
create index nft_ranges_recipient on nft_ranges (chain, recipient, token, from_id);
-- New ranges, and what a reorg deletes: tokens/nft/queue.ts, indexer/evm/tokens/token-suffix.ts.
create index nft_ranges_number on nft_ranges (chain, number);

-- What the node answers about a token contract. Null: asked, and no usable answer.
create table token_facts (
  chain bigint not null,
  token bytea not null,
  name text,
  symbol text,
  decimals smallint,
  -- 721 or 1155 if ERC-165 says so.
  interface smallint,
  reputation text check (reputation in ('Malicious', 'Benign')),
  reputation_reasons text[] not null default '{}',
  asked_block bigint not null,
  asked_ts bigint not null,
  due_ts bigint not null,
  failures integer not null default 0,
  -- balanceOf disagrees with what the logs add up to: the contract's own balances (told_…) are shown instead.
  disagrees boolean not null default false,
  -- balanceOf answers nothing, so nothing tells whether the logs are complete.
  unprovable boolean not null default false,
  told_supply numeric,
  told_holders bigint,
  told_block bigint,
  told_ts bigint not null default 0,
  -- The block up to which the node was asked for the token's logs.
  named_to bigint,
  primary key (chain, token)
);
-- The tokens to be asked next: tokens/facts/facts-store.ts.
create index token_facts_due on token_facts (chain, due_ts);
-- The tokens whose balances are to be asked of them: tokens/facts/proof-worker.ts.
create index token_facts_disagrees on token_facts (chain, told_ts) where disagrees;

-- The balance that a contract tells of an account, for tokens whose logs do not add up to it (token_facts.disagrees): of
-- every account that a log of the token names, zero included.
create table told_balances (
  chain bigint not null,
  token bytea not null,
  address bytea not null,
  balance numeric not null,
  -- The block at which it was told; null if it is not asked yet.
  told_block bigint,
  primary key (chain, token, address)
);
-- The holders of such a token: store/tokens/read-holder.ts.
create index told_balances_balance on told_balances (chain, token, balance, address) where balance > 0;
-- Such tokens of an address: store/tokens/read-balance.ts.
create index told_balances_address on told_balances (chain, address, token);
-- The accounts that are asked next, the longest unasked first: tokens/facts/told-balances.ts.
create index told_balances_oldest on told_balances (chain, token, told_block nulls first);

-- What the URI of an NFT returns.
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
  -- When it is to be read next; null when it is not. A worker that reads it moves it forward as its lease.
  due_ts bigint,
  attempts integer not null default 0,
  -- When a person last asked for a reindex.
  reindexed_ts bigint,
  primary key (chain, token, token_id)
);
-- The NFTs to be read next: tokens/nft/queue.ts.
create index nft_metadata_due on nft_metadata (due_ts) where due_ts is not null;
`
