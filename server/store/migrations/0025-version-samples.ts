/**
 * How many of the node's peers run each version, in the last sample of each hour: the parts of
 * `network_samples.peers`. Rare versions of a sample with very many are left out.
 */
export const versionSamples = `
create table version_samples (
  chain smallint not null,
  hour bigint not null,
  version text not null,
  peers integer not null,
  primary key (chain, hour, version)
);
`
