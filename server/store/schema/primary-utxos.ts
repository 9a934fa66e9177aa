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

/** UTXOs of the primary network, and the assets that they are of. */
export const primaryUtxos = `
-- An asset of the X-Chain.
create table assets (
  chain smallint not null,
  height bigint not null,
  index integer not null,
  ts bigint not null,
  asset bytea not null,
  name text not null,
  symbol text not null,
  denomination smallint not null,
  -- Whether it is made of NFTs, and whether more of it can be minted.
  is_nft boolean not null,
  is_variable boolean not null,
  primary key (chain, height, index)
);
-- An asset by its id: store/primary/read-primary.ts.
create unique index assets_asset on assets (asset);

-- A UTXO from its creation on. chain is where it was created, home where it can be spent: they differ for exports. A stake
-- output is the row that it becomes when the stake is returned: until then it can't be spent.
create table utxos (
  chain smallint not null,
  height bigint not null,
  tx_index integer not null,
  output_index integer not null,
  ts bigint not null,
  tx_id bytea not null,
  utxo_id bytea not null,
  home smallint not null,
  asset bytea not null,
  -- 0 for NFTs and for outputs that only mint.
  amount numeric not null,
  -- The codec's type id of the output on its chain, inside a stakeable lock.
  type smallint not null,
  threshold integer not null,
  locktime numeric not null,
  stakeable_locktime numeric not null default 0,
  -- The first owner; all of them if there are several. Null if nobody owns it.
  owner bytea,
  owners bytea[],
  group_id bigint,
  payload bytea,
  -- Of stake outputs: when the stake counts from, and when it was returned, or will be as far as is known.
  staked_from bigint,
  staked_until bigint,
  -- 1 VALIDATOR, 2 DELEGATOR, 3 VALIDATOR_FEE; null if it is not a reward.
  reward_type smallint,
  spent_chain smallint,
  spent_height bigint,
  spent_index integer,
  spent_input integer,
  spent_ts bigint,
  spent_tx bytea,
  primary key (chain, height, tx_index, output_index)
);
-- A UTXO by its id: indexer/primary/batch/spends.ts. Genesis has the same ids on every network.
create unique index utxos_id on utxos (home, utxo_id);
-- The UTXOs and balances of an address: store/primary/read-utxos.ts, store/primary/read-balances.ts. Balances read this
-- index alone: it carries all that decides the bucket at any time.
create index utxos_owner on utxos (owner, home, chain, height, tx_index, output_index)
  include (ts, spent_ts, asset, amount, locktime, stakeable_locktime, staked_from, staked_until, type);
-- The inputs of a transaction: store/primary/read-utxos.ts.
create index utxos_spent on utxos (spent_chain, spent_height, spent_index) where spent_height is not null;

-- The second or a later owner of a UTXO.
create table utxo_co_owners (
  address bytea not null,
  home smallint not null,
  chain smallint not null,
  height bigint not null,
  tx_index integer not null,
  output_index integer not null,
  primary key (address, home, chain, height, tx_index, output_index)
);

-- An input whose UTXO is not stored yet: chains are indexed in parallel, so an import may be stored before the export that
-- it spends. It waits here until the exporting chain's indexer creates the UTXO, which is then written as spent. A row
-- that is more than a minute older than the head of its source is unmade, and listed in odd_history: nobody has made what
-- it spends.
create table pending_imports (
  -- The importing chain, and the exporting one.
  home smallint not null,
  source smallint not null,
  utxo_id bytea not null,
  spent_height bigint not null,
  spent_index integer not null,
  spent_input integer not null,
  spent_ts bigint not null,
  spent_tx bytea not null,
  -- The codec's type id of the import.
  type smallint not null,
  unmade boolean not null default false,
  primary key (home, utxo_id)
);
-- What an exporting chain should have exported by a time: indexer/primary/batch/pending-imports.ts.
create index pending_imports_source on pending_imports (source, spent_ts) where not unmade;

-- How many UTXOs of a chain an hour adds, so that their number at any time is a sum over hours instead of a scan of all
-- UTXOs. Triggers follow every writer: an import may be stored before its export, and a chain that starts over gives up
-- UTXOs of past hours. Chains are written side by side, and each adds to rows of its own (writer, from the setting
-- ridgeline.writer of its transaction): they never wait for each other.
create table utxo_hours (
  home smallint not null,
  hour bigint not null,
  writer smallint not null,
  change bigint not null,
  primary key (home, hour, writer)
) with (fillfactor = 70);

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
