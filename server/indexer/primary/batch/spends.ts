import type { Database } from '../../../store/database.ts'
import { copyRows } from '../../../store/copy.ts'
import type { Spend } from './model.ts'
import { columnsOf, keyOf, Rows } from './rows.ts'

const columns = columnsOf('utxo_id bytea, place int4, height int8, index int4, input int4, ts int8, tx bytea')

/**
 * Marks stored UTXOs as spent by the chain that is their home. Returns the owners (keys) of those that exist,
 * by their position in the list.
 */
export async function markSpent(
  sql: Database,
  chain: number,
  spends: readonly { readonly utxoId: Uint8Array; readonly spend: Spend }[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const owners = new Map<number, readonly string[]>()
  if (spends.length === 0) return owners
  await sql`
    create temporary table if not exists primary_spends (
      utxo_id bytea, place integer, height bigint, index integer, input integer, ts bigint, tx bytea
    ) on commit delete rows`
  // Rows from an earlier part of the same transaction.
  await sql`delete from primary_spends`
  const rows = new Rows(columns)
  for (const [place, { utxoId, spend }] of spends.entries())
    rows.add([utxoId, place, spend.height, spend.index, spend.input, spend.ts, spend.txId])
  await copyRows(sql, 'primary_spends', columns.names, rows.done(), 'binary')
  // The planner has no statistics for a table that was just filled. A lateral index lookup for each spend,
  // with a limit that prevents pull-up, keeps it from joining every UTXO of the chain with every spend.
  await setPlanner(sql, 'off')
  const found = await sql<{ place: number; owner: Buffer | null; owners: string | null }[]>`
    with found as materialized (
      select s.*, u.at from primary_spends s cross join lateral (
        select ctid as at from utxos
        where home = ${chain} and utxo_id = s.utxo_id and spent_height is null limit 1) u
    )
    update utxos u set spent_chain = ${chain}, spent_height = f.height, spent_index = f.index,
      spent_input = f.input, spent_ts = f.ts, spent_tx = f.tx
    from found f
    where u.ctid = f.at
    returning f.place, u.owner, u.owners::text as owners`
  await setPlanner(sql, 'on')
  for (const { place, owner, owners: all } of found)
    owners.set(place, all ? keysOfList(all) : owner ? [keyOf(owner)] : [])
  return owners
}

async function setPlanner(sql: Database, state: 'on' | 'off'): Promise<void> {
  const settings = ['hashjoin', 'mergejoin', 'seqscan'].map((each) => `set local enable_${each} = ${state}`)
  await sql.unsafe(settings.join(';'))
}

/** The keys in a `bytea[]` literal in PostgreSQL's text format. */
export function keysOfList(text: string): string[] {
  return text.match(/[0-9a-f]{2,}/g) ?? []
}
