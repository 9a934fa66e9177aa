/**
 * The partitions that hold rows of an address, by their first block, so that its lists read no others. Rows may remain
 * after a reorg: a partition without rows of the address is then read in vain. Only the partitions in
 * \`listed_partitions\` are complete here; any block outside of them may hold rows of any address.
 */
export const addressPartitions = `
create table listed_partitions (
  chain bigint not null,
  from_block bigint not null,
  before_block bigint not null,
  primary key (chain, from_block)
);
create table address_partitions (
  chain bigint not null,
  address bytea not null,
  from_block bigint not null,
  primary key (chain, address, from_block)
);
`
