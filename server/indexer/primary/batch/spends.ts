import type { Database } from '../../../store/database.ts'
import { bytesList } from '../../../store/sql-literals.ts'
import type { Spend } from './model.ts'
import { keyOf, quickKeyOf, Rows } from './rows.ts'

const columns = {
  utxo_id: 'bytea',
  place: 'integer',
  height: 'bigint',
  index: 'integer',
  input: 'integer',
  ts: 'bigint',
  tx: 'bytea',
} as const

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
  await rows.copy(sql, 'primary_spends')
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
  for (const { place, owner, owners: all } of found) owners.set(place, ownersOf(owner, all))
  return owners
}

/** A UTXO with several owners has all of them in a list. */
const ownersOf = (owner: Buffer | null, all: string | null): string[] =>
  all ? keysOfList(all) : owner ? [keyOf(owner)] : []

/** Who spent a UTXO, and the keys of its owners. */
export type SpentBy = Pick<Spend, 'txId' | 'height'> & { readonly owners: readonly string[] }

/**
 * Those of the UTXOs that the chain, their home, has spent or is about to: an import may wait for its export. By
 * `quickKeyOf` their ids.
 */
export async function readSpent(
  sql: Database,
  chain: number,
  utxos: readonly { readonly utxoId: Uint8Array }[],
): Promise<ReadonlyMap<string, SpentBy>> {
  if (utxos.length === 0) return new Map()
  const ids = bytesList(utxos.map(({ utxoId }) => utxoId))
  const rows = await sql<
    { utxo_id: Buffer; tx: Buffer; height: bigint; owner: Buffer | null; owners: string | null }[]
  >`
    select utxo_id, spent_tx as tx, spent_height as height, owner, owners::text from utxos
    where home = ${chain} and utxo_id in (select unnest(${ids}::text::bytea[])) and spent_height is not null
    union all
    select utxo_id, spent_tx, spent_height, null, null from pending_imports
    where home = ${chain} and utxo_id in (select unnest(${ids}::text::bytea[]))`
  return new Map(
    rows.map(({ utxo_id, tx, height, owner, owners }) => [
      quickKeyOf(utxo_id),
      { txId: tx, height: Number(height), owners: ownersOf(owner, owners) },
    ]),
  )
}

/** The transactions that earlier blocks of the chain contained: the height of the first, by `quickKeyOf` their ids. */
export async function readKnown(
  sql: Database,
  chain: number,
  ids: readonly Uint8Array[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ id: Buffer; height: bigint }[]>`
    select id, height from primary_transactions
    where id in (select unnest(${bytesList(ids)}::text::bytea[])) and chain = ${chain}
    order by height desc, index desc`
  return new Map(rows.map(({ id, height }) => [quickKeyOf(id), Number(height)]))
}

async function setPlanner(sql: Database, state: 'on' | 'off'): Promise<void> {
  const settings = ['hashjoin', 'mergejoin', 'seqscan'].map((each) => `set local enable_${each} = ${state}`)
  await sql.unsafe(settings.join(';'))
}

/** The keys in a `bytea[]` literal in PostgreSQL's text format. */
export function keysOfList(text: string): string[] {
  return text.match(/[0-9a-f]{2,}/g) ?? []
}
