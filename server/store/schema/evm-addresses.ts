/** When addresses of EVM chains were active, and in which partitions their rows are. */
export const evmAddresses = `
-- An hour in which an address was active in a role (0 party, 1 sender, 2 deployer): one row an hour above the final
-- height, the newest one below it. first_block is the block that made the row, so a reorg is the deletion of a suffix.
create table seen (
  chain bigint not null,
  role smallint not null,
  address bytea not null,
  hour_ts bigint not null,
  first_block bigint not null,
  primary key (chain, role, address, hour_ts)
);
-- What a reorg deletes, and who was active since a block: indexer/evm/apply.ts, store/metrics/read-distinct.ts. BRIN would
-- be smaller, but has no summary of pages that were not vacuumed yet, and reads all of them.
create index seen_first_block on seen (chain, first_block);

-- A partition whose addresses are in address_partitions. Any block outside of these may hold rows of any address.
create table listed_partitions (
  chain bigint not null,
  from_block bigint not null,
  before_block bigint not null,
  primary key (chain, from_block)
);

-- A partition, by its first block, that holds rows of an address, so that the address's lists read no others. Rows may
-- remain after a reorg: a partition without rows of the address is then read in vain.
create table address_partitions (
  chain bigint not null,
  address bytea not null,
  from_block bigint not null,
  primary key (chain, address, from_block)
);
`
