/**
 * The newest uptime sample of each validation, so that a list sorted by uptime does not have to find the
 * newest of thousands of series. A trigger keeps the rows up to date with the samples.
 */
export const latestSamples = `
create table latest_samples (
  chain smallint not null,
  tx_id bytea not null,
  ts bigint not null,
  uptime real not null,
  connected boolean not null,
  primary key (chain, tx_id)
) with (fillfactor = 70);
insert into latest_samples (chain, tx_id, ts, uptime, connected)
select distinct on (chain, tx_id) chain, tx_id, ts, uptime, connected from uptime_samples
order by chain, tx_id, ts desc;

create function keep_latest_samples() returns trigger language plpgsql as $$
begin
  insert into latest_samples (chain, tx_id, ts, uptime, connected)
  select distinct on (chain, tx_id) chain, tx_id, ts, uptime, connected from added
  order by chain, tx_id, ts desc
  on conflict (chain, tx_id) do update
  set ts = excluded.ts, uptime = excluded.uptime, connected = excluded.connected
  where excluded.ts >= latest_samples.ts;
  return null;
end $$;
create trigger keep_latest_samples after insert on uptime_samples
  referencing new table as added for each statement execute function keep_latest_samples();
`
