/**
 * The validator watch (docs/watch.md). `watch_polls` counts the node's answers about its validators, and
 * `watch_rounds` keeps what each evaluation knew besides the rows of the chains, so that a dry run judges as the
 * runner did. States, alarms and messages of a round are committed together; a message is one row of `watch_outbox`
 * with the idempotency key as its id.
 */
export const watch = `
create table watch_polls (
  chain smallint primary key,
  -- How many times the node has answered: a sample is a new number, whatever the clock says.
  polls bigint not null,
  ts bigint not null,
  validators integer not null,
  connected integer not null,
  -- How many peers run which version; null where the node reports no peers.
  versions jsonb
);

-- The versions that peers said they run, one row for each change.
create table peer_versions (
  chain smallint not null,
  node bytea not null,
  ts bigint not null,
  version text not null,
  primary key (chain, node, ts)
);

-- As before, and also in place of a sample from the future: the clock was set back, and what comes now is newer.
create or replace function keep_latest_samples() returns trigger language plpgsql as $$
begin
  insert into latest_samples (chain, tx_id, ts, uptime, connected)
  select distinct on (chain, tx_id) chain, tx_id, ts, uptime, connected from added
  order by chain, tx_id, ts desc
  on conflict (chain, tx_id) do update
  set ts = excluded.ts, uptime = excluded.uptime, connected = excluded.connected
  where excluded.ts >= latest_samples.ts or latest_samples.ts > extract(epoch from clock_timestamp()) + 1;
  return null;
end $$;

-- Whether the node is connected to the nodes of L1 validators, of which it reports no uptime: one row for each change,
-- from the first time that it was.
create table peer_sights (
  chain smallint not null,
  node bytea not null,
  ts bigint not null,
  connected boolean not null,
  primary key (chain, node, ts)
);

-- Of long series of samples, those without a connection: few, and what a fleet's days are made from.
create index uptime_samples_down on uptime_samples (chain, node, tx_id, ts) where not connected;

create index stakers_ended on stakers (chain, ended_height) where is_delegator and ended_height is not null;

create table watch_fleets (
  fleet uuid primary key,
  chain smallint not null,
  name text not null,
  description text not null,
  feed_token text not null unique,
  created_ts bigint not null
);

create table watch_members (
  chain smallint not null,
  fleet uuid not null,
  -- 20 bytes of a node, or 32 of an L1 validation.
  id bytea not null,
  label text not null,
  position integer not null,
  added_ts bigint not null,
  primary key (chain, fleet, id)
);

create table watch_rules (
  rule uuid primary key,
  -- The network of the fleet; null for rules of the service that are for all.
  chain smallint,
  fleet uuid,
  member bytea,
  kind text not null,
  name text not null,
  threshold double precision,
  hysteresis double precision not null,
  samples integer not null,
  severity text not null,
  repeat_seconds integer not null,
  quiet jsonb,
  channels uuid[] not null,
  enabled boolean not null,
  -- Changes when the states no longer belong to the rule.
  revision bigint not null,
  created_ts bigint not null,
  updated_ts bigint not null
);
create index watch_rules_fleet on watch_rules (fleet);

create table watch_channels (
  channel uuid primary key,
  name text not null,
  kind text not null,
  enabled boolean not null,
  sends_resolved boolean not null,
  settings jsonb not null,
  secrets jsonb not null,
  created_ts bigint not null,
  updated_ts bigint not null
);

create table watch_states (
  rule uuid not null,
  subject text not null,
  state text not null check (state in ('ok', 'pending', 'firing', 'resolved', 'unknown')),
  since bigint not null,
  value double precision,
  text text not null,
  sampled_ts bigint,
  sample bigint not null,
  -- Samples in a row beyond the threshold, and back from it.
  breaches integer not null,
  clears integer not null,
  -- The open alarm.
  alarm uuid,
  primary key (rule, subject)
);

create table watch_alarms (
  alarm uuid primary key,
  rule uuid not null,
  rule_name text not null,
  kind text not null,
  severity text not null,
  chain smallint,
  fleet uuid,
  fleet_name text,
  subject text not null,
  subject_name text,
  subject_node text,
  channels uuid[] not null,
  title text not null,
  text text not null,
  value double precision,
  threshold double precision,
  tx_hash text,
  opened_ts bigint not null,
  resolved_ts bigint,
  resolved_value double precision,
  end_reason text,
  silenced boolean not null,
  notified_ts bigint,
  notifications integer not null default 0
);
create index watch_alarms_opened on watch_alarms (opened_ts desc, alarm desc);
create index watch_alarms_fleet on watch_alarms (fleet, opened_ts desc, alarm desc);
create index watch_alarms_rule on watch_alarms (rule, opened_ts desc, alarm desc);
create index watch_alarms_open on watch_alarms (rule, subject) where resolved_ts is null;

create table watch_outbox (
  delivery uuid primary key,
  alarm uuid not null,
  channel uuid not null,
  event text not null check (event in ('firing', 'repeat', 'resolved')),
  -- 0 for the first message of an alarm; repeats count on.
  number integer not null,
  message jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'dead', 'dropped')),
  created_ts bigint not null,
  attempts integer not null default 0,
  -- By the clock of the database, in Unix seconds: when it is due, and until when a sender has it.
  next_ts double precision not null,
  leased_ts double precision not null default 0,
  ended_ts bigint,
  last_ts bigint,
  last_reason text,
  unique (alarm, channel, event, number)
);
create index watch_outbox_waiting on watch_outbox (next_ts) where status = 'waiting';
create index watch_outbox_created on watch_outbox (created_ts desc, delivery desc);
create index watch_outbox_channel on watch_outbox (channel, status);

create table watch_silences (
  silence uuid primary key,
  fleet uuid,
  rule uuid,
  member bytea,
  comment text not null,
  created_ts bigint not null,
  start_ts bigint not null,
  end_ts bigint not null
);
create index watch_silences_end on watch_silences (end_ts);

create table watch_rounds (
  round bigint primary key,
  ts bigint not null,
  facts jsonb not null,
  milliseconds real not null
);
create index watch_rounds_ts on watch_rounds (ts);
`
