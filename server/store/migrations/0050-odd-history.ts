/**
 * What an accepted block of the primary network contains and today's rules would refuse (docs/indexer.md, "Accepted
 * history"). `index` is that of the transaction, or -1 for the block itself; `kind` is a key of
 * contract/primary/odd-history.ts, `detail` says what exactly.
 */
export const oddHistory = `
create table odd_history (
  chain smallint not null,
  height bigint not null,
  index integer not null,
  kind text not null,
  detail text not null,
  primary key (chain, height, index, kind, detail)
);
`
