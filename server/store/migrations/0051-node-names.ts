/**
 * Transactions of EVM chains whose hash is only the node's name for them (docs/indexer.md). `reason`: 1 impersonated, a
 * sender whose key the node lacks; 2 system, what the chain did by itself.
 */
export const nodeNames = `
create table node_names (
  chain bigint not null,
  number bigint not null,
  index integer not null,
  reason smallint not null,
  primary key (chain, number, index)
);
`
