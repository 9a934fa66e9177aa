/**
 * The ranges of a lake that are still to be extracted by workers on several machines, and who works on each.
 * A row exists until its range is written; the lake's manifests, not this table, say what exists. \`lake\` is a
 * name that the workers share. A lease that has run out (Unix seconds, this server's clock) is free.
 */
export const lakeLeases = `
create table lake_leases (
  lake text not null,
  chain bigint not null,
  from_block bigint not null,
  to_block bigint not null,
  holder text,
  until_ts bigint not null default 0,
  primary key (lake, chain, from_block, to_block)
);
`
