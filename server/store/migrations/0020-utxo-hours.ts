/** The UTXOs of a transition table that were created (1) in each hour, and those that were spent (-1); or the reverse. */
const changes = (table: string, sign: '' | '-'): string => `
    select home, ts - ts % 3600 as hour, ${sign}1 as change from ${table}
    union all
    select home, spent_ts - spent_ts % 3600, -(${sign}1) from ${table} where spent_ts is not null`

const add = (rows: string): string => `
    insert into utxo_hours (home, hour, writer, change)
    select home, hour, written_by, sum(change) from (${rows}) each
    group by home, hour having sum(change) <> 0
    on conflict (home, hour, writer) do update set change = utxo_hours.change + excluded.change;`

/**
 * How many UTXOs of a chain each hour adds, so that their number at any time is a sum over hours instead of a scan of
 * all UTXOs. Triggers follow every writer: an import may be stored before its export, and a chain that starts over
 * gives up UTXOs of past hours. Chains are written side by side, and each adds to rows of its own (`writer`, from the
 * setting `ridgeline.writer` of its transaction): they never wait for each other.
 */
export const utxoHours = `
create table utxo_hours (
  home smallint not null,
  hour bigint not null,
  writer smallint not null,
  change bigint not null,
  primary key (home, hour, writer)
) with (fillfactor = 70);
insert into utxo_hours (home, hour, writer, change)
select home, hour, 0, sum(change) from (${changes('utxos', '')}) each
group by home, hour having sum(change) <> 0;

create function keep_utxo_hours() returns trigger language plpgsql as $$
declare
  written_by smallint := coalesce(nullif(current_setting('ridgeline.writer', true), ''), '0')::smallint;
begin
  if tg_op = 'INSERT' then ${add(changes('added', ''))}
  elsif tg_op = 'UPDATE' then ${add(`${changes('added', '')} union all ${changes('removed', '-')}`)}
  elsif tg_op = 'DELETE' then ${add(changes('removed', '-'))}
  else delete from utxo_hours;
  end if;
  return null;
end $$;
create trigger keep_utxo_hours_on_insert after insert on utxos
  referencing new table as added for each statement execute function keep_utxo_hours();
create trigger keep_utxo_hours_on_update after update on utxos
  referencing old table as removed new table as added for each statement execute function keep_utxo_hours();
create trigger keep_utxo_hours_on_delete after delete on utxos
  referencing old table as removed for each statement execute function keep_utxo_hours();
create trigger keep_utxo_hours_on_truncate after truncate on utxos
  for each statement execute function keep_utxo_hours();
`
