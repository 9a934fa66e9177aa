/** What is under way with a lake (docs/lake.md). What a lake contains is in its manifests, not here. */
export const lake = `
-- A range that is still to be extracted by workers on several machines, and who works on it: it exists until the range is
-- written. lake is a name that the workers share. A lease that has run out (Unix seconds, this server's clock) is free.
create table lake_leases (
  lake text not null,
  chain bigint not null,
  from_block bigint not null,
  to_block bigint not null,
  holder text,
  until_ts bigint not null default 0,
  primary key (lake, chain, from_block, to_block)
);

-- A bulk load that is not finished: the blocks that are being loaded, the hash of the last, and the tables and partitions
-- that are whole. While a chain has a row, its tables do not agree with each other.
create table lake_loads (
  chain bigint primary key,
  from_block bigint not null,
  to_block bigint not null,
  last_hash bytea not null,
  done text[] not null default '{}'
);
`
