/** Sources of contracts that compile to what the chain has, and the codes of all contracts. */
export const verifiedContracts = `
-- A contract whose sources were checked against a code that it had on its chain. It stays when a reorg takes the contract
-- away: it counts where the address has this code.
create table verified_contracts (
  chain bigint not null,
  address bytea not null,
  -- keccak-256 of the code on the chain.
  code_hash bytea not null,
  verified_ts bigint not null,
  -- exact_match, match, or null; at least one of the two is not null.
  runtime_match text,
  creation_match text,
  language text not null,
  -- With the commit: 0.8.30+commit.73712a01.
  compiler text not null,
  path text not null,
  name text not null,
  -- JSON as text, in the order in which it was given: jsonb would change both.
  sources text not null,
  settings text not null,
  abi text not null,
  metadata text not null,
  userdoc text not null,
  devdoc text not null,
  storage_layout text not null,
  -- The compiled codes, and the changes that make those of the chain of them.
  runtime_code text not null,
  creation_code text not null,
  runtime_changes text,
  creation_changes text,
  constructor_arguments bytea,
  creation_tx bytea,
  -- The contract whose sources these are, if it created this one and nobody gave sources for this one itself; and the
  -- keccak-256 of its code. Of such a contract there may be thousands: sources, metadata, userdoc, devdoc, storage_layout
  -- and both compiled codes are empty here, and are those of the creator's row and of made_contracts.
  made_by bytea,
  made_code bytea,
  -- The names of the functions, events and errors of the ABI, in lower case.
  item_names text[] not null,
  primary key (chain, address, code_hash)
);
-- Contracts with a function, event or error of a name: store/evm/contracts/verified-contracts.ts.
create index verified_contracts_items on verified_contracts using gin (item_names);
-- A contract with the same code as a verified one: store/evm/contracts/verified-contracts.ts.
create index verified_contracts_code_hash on verified_contracts (code_hash);
-- Contracts by the beginning of their name: store/network/read-search-names.ts.
create index verified_contracts_name on verified_contracts (lower(left(name, 64)) text_pattern_ops);

-- A contract that a verified one can create, as it was compiled with it.
create table made_contracts (
  -- keccak-256 of the creator's code.
  code_hash bytea not null,
  path text not null,
  name text not null,
  -- As in verified_contracts.
  abi text not null,
  metadata text not null,
  userdoc text not null,
  devdoc text not null,
  storage_layout text not null,
  -- CompiledContract (contracts/matching/compiled.ts) as JSON.
  compiled text not null,
  primary key (code_hash, path, name)
);

-- The code that a contract had when its node was asked, by which sources of another contract with the same code are its
-- own. Written by a worker (contracts/codes); survives a reorg, after which it is asked again.
create table contract_codes (
  chain bigint not null,
  address bytea not null,
  -- keccak-256; null if it had none any more.
  code_hash bytea,
  -- The height of the creation that this is about, the last one of the address.
  created_block bigint not null,
  -- Whether no reorg could replace that creation any more when the node was asked.
  is_settled boolean not null,
  primary key (chain, address)
);
-- Contracts with a code: store/evm/contracts/verified-contracts.ts.
create index contract_codes_hash on contract_codes (code_hash);

-- What somebody who may has said of an address: a name, the ABI of a contract, or both.
create table address_labels (
  chain bigint not null,
  address bytea not null,
  name text,
  -- JSON as text.
  abi text,
  -- operator, or key or user and its name.
  given_by text not null,
  given_ts bigint not null,
  primary key (chain, address),
  check (name is not null or abi is not null)
);
-- Labels by the beginning of their name: store/evm/address-labels.ts.
create index address_labels_name on address_labels (lower(name) text_pattern_ops);

-- A check of sources. Rows go after a week.
create table verification_jobs (
  job uuid primary key,
  chain bigint not null,
  address bytea not null,
  started_ts bigint not null,
  finished_ts bigint,
  -- waiting, compiling, comparing, done or failed.
  state text not null,
  -- Why it failed: a code in Sourcify's words, and a message.
  error_code text,
  error_message text,
  runtime_match text,
  creation_match text
);
-- What is forgotten: store/evm/contracts/verified-contracts.ts.
create index verification_jobs_started on verification_jobs (started_ts);
`
