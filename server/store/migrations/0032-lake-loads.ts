/**
 * Bulk loads from a lake that are not finished: the blocks that are being loaded, the hash of the last, and the
 * tables and partitions that are whole. While a chain has a row, its tables do not agree with each other.
 */
export const lakeLoads = `
create table lake_loads (
  chain bigint primary key,
  from_block bigint not null,
  to_block bigint not null,
  last_hash bytea not null,
  done text[] not null default '{}'
);
`
