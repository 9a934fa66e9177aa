/**
 * What operators plan with. `sync_progress`: how fast a chain was catching up when it was last measured, and what
 * bounded it. `disk_samples`: bytes of the parts of the store (a chain's id, `primary`, `service`, `total`) once an hour,
 * from which the growth is measured.
 */
export const upkeep = `
create table sync_progress (
  chain bigint primary key,
  ts bigint not null,
  blocks_per_second double precision not null,
  bound text not null check (bound in ('node', 'database', 'decoding'))
);
create table disk_samples (
  part text not null,
  ts bigint not null,
  bytes bigint not null,
  primary key (part, ts)
);
`
