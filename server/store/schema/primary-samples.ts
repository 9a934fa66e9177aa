/** What the node says of validators and peers, sampled. Uptimes are in percent since the validation began. */
export const primarySamples = `
-- The node's answer about a validation at a time: the uptime as seen by that node, with the digits that it gives.
create table uptime_samples (
  chain smallint not null,
  node bytea not null,
  tx_id bytea not null,
  ts bigint not null,
  uptime numeric not null,
  connected boolean not null,
  primary key (chain, node, tx_id, ts)
);
-- Of long series, the samples without a connection: few, and what a fleet's days are made from: store/watch/read-fleet.ts.
create index uptime_samples_down on uptime_samples (chain, node, tx_id, ts) where not connected;

-- The newest sample of a validation, so that a list sorted by uptime does not have to find the newest of thousands of
-- series. A trigger keeps it.
create table latest_samples (
  chain smallint not null,
  tx_id bytea not null,
  ts bigint not null,
  uptime numeric not null,
  connected boolean not null,
  primary key (chain, tx_id)
) with (fillfactor = 70);

-- Also in place of a sample from the future: the clock was set back, and what comes now is newer.
create function keep_latest_samples() returns trigger language plpgsql as $$
begin
  insert into latest_samples (chain, tx_id, ts, uptime, connected)
  select distinct on (chain, tx_id) chain, tx_id, ts, uptime, connected from added
  order by chain, tx_id, ts desc
  on conflict (chain, tx_id) do update
  set ts = excluded.ts, uptime = excluded.uptime, connected = excluded.connected
  where excluded.ts >= latest_samples.ts or latest_samples.ts > extract(epoch from clock_timestamp()) + 1;
  return null;
end $$;
create trigger keep_latest_samples after insert on uptime_samples
  referencing new table as added for each statement execute function keep_latest_samples();

-- The last sample of the whole network in an hour: the spread of its validators' uptimes in 1/10,000 of a percent, and its
-- peers with those of them that run the newest version among them.
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

-- How many of the node's peers ran a version in the last sample of an hour: a part of network_samples.peers. Rare versions
-- of a sample with very many are left out.
create table version_samples (
  chain smallint not null,
  hour bigint not null,
  version text not null,
  peers integer not null,
  primary key (chain, hour, version)
);

-- A change of the version that a peer said it runs.
create table peer_versions (
  chain smallint not null,
  node bytea not null,
  ts bigint not null,
  version text not null,
  primary key (chain, node, ts)
);

-- A change of whether the node is connected to the node of an L1 validator, of which it reports no uptime; from the first
-- time that it was.
create table peer_connections (
  chain smallint not null,
  node bytea not null,
  ts bigint not null,
  connected boolean not null,
  primary key (chain, node, ts)
);
`
