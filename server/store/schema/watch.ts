/**
 * The validator watch (docs/watch.md). States, alarms and messages of a round are committed together; a message is one
 * row of `watch_outbox` with the idempotency key as its id.
 */
export const watch = `
-- The node's last answer about its validators.
create table watch_polls (
  chain smallint primary key,
  -- How many times the node has answered: a sample is a new number, whatever the clock says.
  polls bigint not null,
  ts bigint not null,
  validators integer not null,
  connected integer not null,
  -- How many peers run which version; null if the node reports no peers.
  versions jsonb
);

-- A fleet: validators that somebody watches together.
create table watch_fleets (
  fleet uuid primary key,
  chain smallint not null,
  name text not null,
  description text not null,
  feed_token text not null unique,
  created_ts bigint not null
);

-- A member of a fleet.
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

-- A rule, of a fleet, of the service or of an address.
create table watch_rules (
  rule uuid primary key,
  -- The network of the fleet; null for rules of the service that are for all.
  chain smallint,
  fleet uuid,
  member bytea,
  -- The only EVM chain that it is for, and the address on it.
  evm_chain bigint,
  address bytea,
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
-- The rules of a fleet: store/watch/read-watch.ts, routes/watch/fleets.ts.
create index watch_rules_fleet on watch_rules (fleet);

-- A channel that messages are sent through.
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

-- The state of a subject under a rule.
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

-- An alarm, open until it has resolved_ts. Names are those of the time when it was opened.
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
-- The alarms, latest first; those of a fleet; those of a rule: store/watch/read-watch.ts.
create index watch_alarms_opened on watch_alarms (opened_ts desc, alarm desc);
create index watch_alarms_fleet on watch_alarms (fleet, opened_ts desc, alarm desc);
create index watch_alarms_rule on watch_alarms (rule, opened_ts desc, alarm desc);
-- The open alarms: store/watch/read-rules.ts, store/watch/read-watch.ts.
create index watch_alarms_open on watch_alarms (rule, subject) where resolved_ts is null;

-- A message about an alarm through a channel.
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
-- The messages that are due: store/watch/outbox.ts.
create index watch_outbox_waiting on watch_outbox (next_ts) where status = 'waiting';
-- The messages, latest first: store/watch/read-watch.ts.
create index watch_outbox_created on watch_outbox (created_ts desc, delivery desc);
-- How sending through a channel goes: store/watch/read-watch.ts.
create index watch_outbox_channel on watch_outbox (channel, status);

-- A time for which alarms of a fleet, a rule or a member send no messages.
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
-- The silences that have not ended: store/watch/read-rules.ts.
create index watch_silences_end on watch_silences (end_ts);

-- What an evaluation of all rules knew besides the rows of the chains, so that a dry run evaluates as the runner did.
create table watch_rounds (
  round bigint primary key,
  ts bigint not null,
  facts jsonb not null,
  milliseconds double precision not null
);
-- The rounds of a time: store/watch/read-history.ts, watch/runner.ts.
create index watch_rounds_ts on watch_rounds (ts);
`
