/**
 * What the node said of the whole network in the last sample of each hour: the spread of its validators' uptimes in
 * 1/10,000 of a percent, and its peers with those of them that run the newest version among them. Hours before the
 * migration have the uptimes of the samples that were kept of each validator.
 */
export const networkSamples = `
create table network_samples (
  chain smallint not null,
  hour bigint not null,
  ts bigint not null,
  uptime_p5 integer,
  uptime_p25 integer,
  uptime_p50 integer,
  uptime_p75 integer,
  uptime_p95 integer,
  peers integer,
  newest_peers integer,
  primary key (chain, hour)
);
insert into network_samples (chain, hour, ts, uptime_p5, uptime_p25, uptime_p50, uptime_p75, uptime_p95)
select chain, ts - ts % 3600, max(ts),
  percentile_disc(0.05) within group (order by uptime),
  percentile_disc(0.25) within group (order by uptime),
  percentile_disc(0.5) within group (order by uptime),
  percentile_disc(0.75) within group (order by uptime),
  percentile_disc(0.95) within group (order by uptime)
from (
  select distinct on (chain, tx_id, ts - ts % 3600) chain, ts, round(uptime::numeric * 10000)::integer as uptime
  from uptime_samples
  order by chain, tx_id, ts - ts % 3600, ts desc) last
group by chain, ts - ts % 3600;
`
