import type { Database } from '../store/database.ts'
import { migrate } from '../store/schema/migrate.ts'
import type { Migration } from '../store/schema/migrations.ts'
import type { TestDatabase } from './database.ts'

/**
 * Made-up migrations, with every kind of step that there is: a first one with the tables that `migrate` needs and two that
 * are large, then columns that are filled, an index, the end of another index, and a new table.
 */
export const madeUp = [
  {
    name: '0001-first',
    sql: `
create table service (key text primary key, value text not null);
create table chains (chain bigint primary key);
create table primary_chains (chain smallint primary key);
create table blocks (
  chain bigint not null,
  number bigint not null,
  gas numeric not null,
  primary key (chain, number)
) partition by range (chain, number);
create table blocks_1_0 partition of blocks for values from (1, 0) to (1, 5000000);
create table tokens (chain bigint not null, token text not null, number bigint not null, primary key (chain, token));
create index tokens_number on tokens (chain, number);
`,
  },
  {
    name: '0002-sums',
    columns: { blocks: ['cum_gas numeric not null default 0'] },
    sql: `
update blocks b set cum_gas = sums.gas
from (select number, sum(gas) over (order by number) as gas from blocks where chain = 1) sums
where b.chain = 1 and b.number = sums.number;
`,
  },
  {
    name: '0003-order',
    columns: { tokens: ['gas numeric not null default 0', 'note text'] },
    sql: `
update tokens t set gas = b.gas from blocks b where b.chain = t.chain and b.number = t.number;
create index tokens_gas on tokens (chain, gas);
`,
    after: 'drop index if exists tokens_number',
  },
  { name: '0004-notes', sql: 'create table notes (chain bigint primary key, note text)' },
] as const satisfies readonly Migration[]

/** The number of blocks of a made-up store; block n has the gas n. */
const madeUpBlocks = 300

/** The pools of a store of the made-up migrations, on a database of its own schema. */
export type MadeUpStore = {
  readonly database: Database
  /** Another pool. */
  open(): Database
  /** Makes the store anew, with rows, as a version with the first `count` migrations has it. */
  make(count: number): Promise<void>
}

/** Puts the made-up store into the schema `made` of a test's database, which no longer sees its own tables. */
export async function openMadeUp(store: TestDatabase): Promise<MadeUpStore> {
  const [row] = await store.database<{ name: string }[]>`select current_database() as name`
  await store.database.unsafe(`alter database ${row?.name} set search_path = made`)
  const database = store.open()
  return {
    database,
    open: () => store.open({ max: 1 }),
    async make(count) {
      await database.unsafe('drop schema if exists made cascade; create schema made')
      await migrate(database, madeUp.slice(0, 1))
      await database.unsafe(`
        insert into chains (chain) values (1);
        insert into blocks (chain, number, gas) select 1, n, n from generate_series(1, ${madeUpBlocks}) n;
        insert into tokens (chain, token, number) select 1, 't' || n, n from generate_series(1, 9) n`)
      await migrate(database, madeUp.slice(0, count))
    },
  }
}
