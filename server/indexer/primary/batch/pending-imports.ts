import { bytesList, numberList } from '../../../store/sql-literals.ts'
import { oddInput, type OddThing } from '../../../primary/odd-history.ts'
import { lockSpace, type Database } from '../../../store/database.ts'
import type { Spend, UtxoRow } from './model.ts'
import { keyOf, Rows } from './rows.ts'

/**
 * Waits until no other indexer moves UTXOs into these chains, and holds the locks until the caller's
 * transaction ends. Without the locks, an import and its export that commit at the same time would miss each
 * other.
 */
export async function lockImports(sql: Database, homes: Iterable<number>): Promise<void> {
  // All callers lock in the same order, which prevents deadlocks.
  for (const home of [...new Set(homes)].toSorted((a, b) => a - b))
    await sql`select pg_advisory_xact_lock(${lockSpace.imports}, ${home})`
}

/** An import whose export is not stored yet; `source` is the key of the exporting chain. */
export type PendingImport = {
  readonly utxoId: Uint8Array
  readonly source: number
  readonly typeId: number
  readonly spend: Spend
}

const columns = {
  home: 'smallint',
  source: 'smallint',
  utxo_id: 'bytea',
  spent_height: 'bigint',
  spent_index: 'integer',
  spent_input: 'integer',
  spent_ts: 'bigint',
  spent_tx: 'bytea',
  type: 'smallint',
} as const

/** Stores imports until their exports arrive. `home` is the importing chain. */
export async function addPendingImports(
  sql: Database,
  home: number,
  imports: readonly PendingImport[],
): Promise<void> {
  if (imports.length === 0) return
  const rows = new Rows(columns)
  for (const { utxoId, source, typeId, spend } of imports) {
    const { height, index, input, ts, txId } = spend
    rows.add([home, source, utxoId, height, index, input, ts, txId, typeId])
  }
  await rows.copy(sql, 'pending_imports')
}

/**
 * Marks exports as spent if their imports were stored first, and adds the imports to the transaction lists of
 * the owners. The rows of the exports are not yet in the store.
 */
export async function takePendingImports(sql: Database, exports: readonly UtxoRow[]): Promise<void> {
  const byId = new Map(exports.map((row) => [`${row.home} ${keyOf(row.utxoId)}`, row]))
  for (const home of new Set(exports.map((row) => row.home))) {
    const ids = exports.filter((row) => row.home === home).map(({ utxoId }) => utxoId)
    const rows = await sql<
      {
        utxo_id: Buffer
        spent_height: bigint
        spent_index: number
        spent_input: number
        spent_ts: bigint
        spent_tx: Buffer
        type: number
        unmade: boolean
      }[]
    >`
      delete from pending_imports
      where home = ${home} and utxo_id in (select unnest(${bytesList(ids)}::text::bytea[]))
      returning utxo_id, spent_height, spent_index, spent_input, spent_ts, spent_tx, type, unmade`
    const listed: { owner: Uint8Array; by: (typeof rows)[number] }[] = []
    for (const each of rows) {
      const row = byId.get(`${home} ${keyOf(each.utxo_id)}`)
      if (!row) continue
      row.spent = {
        chain: home,
        height: Number(each.spent_height),
        index: each.spent_index,
        input: each.spent_input,
        ts: Number(each.spent_ts),
        txId: each.spent_tx,
      }
      for (const owner of row.owners) listed.push({ owner, by: each })
    }
    const unmade = rows.filter((row) => row.unmade)
    if (unmade.length > 0) await forgetUnmade(sql, home, unmade)
    if (listed.length === 0) continue
    // The import's other addresses were added with the import.
    await sql`
      insert into primary_address_transactions (address, chain, height, index, type, ts)
      select address, ${home}, height, index, type, ts
      from unnest(
        ${bytesList(listed.map(({ owner }) => owner))}::text::bytea[],
        ${numberList(listed.map(({ by }) => by.spent_height))}::text::bigint[],
        ${numberList(listed.map(({ by }) => by.spent_index))}::text::integer[],
        ${numberList(listed.map(({ by }) => by.type))}::text::smallint[],
        ${numberList(listed.map(({ by }) => by.spent_ts))}::text::bigint[]
      ) as listed (address, height, index, type, ts)
      on conflict do nothing`
  }
}

/** Seconds by which the clocks of two chains may differ: so much later, an export should have come. */
const exportGrace = 60

const neverMade: OddThing['kind'] = 'neverMade'

/** The columns of an input that waits. */
type Waiting = {
  readonly utxo_id: Buffer
  readonly spent_height: bigint
  readonly spent_index: number
  readonly spent_input: number
}

/**
 * Lists as odd what other chains imported from this one and it had not exported up to `ts`, the time of its newest block.
 * Such imports stay: an export that still comes cancels them, as in the shared memory of avalanchego
 * (chains/atomic/state.go), and is no longer odd then.
 */
export async function noteUnmade(sql: Database, source: number, ts: number): Promise<void> {
  const rows = await sql<(Waiting & { readonly home: number })[]>`
    update pending_imports set unmade = true
    where source = ${source} and spent_ts < ${ts - exportGrace} and not unmade
    returning home, utxo_id, spent_height, spent_index, spent_input`
  if (rows.length === 0) return
  const { heights, indexes, details } = placesOf(rows)
  await sql`
    insert into odd_history (chain, height, index, kind, detail)
    select home, height, index, ${neverMade}, detail
    from unnest(
      ${numberList(rows.map(({ home }) => home))}::text::smallint[], ${heights}::text::bigint[],
      ${indexes}::text::integer[], ${details}::text[]
    ) as unmade (home, height, index, detail)`
}

/** What waited for its export is no longer odd. */
async function forgetUnmade(sql: Database, home: number, rows: readonly Waiting[]): Promise<void> {
  const { heights, indexes, details } = placesOf(rows)
  await sql`
    delete from odd_history o
    using unnest(${heights}::text::bigint[], ${indexes}::text::integer[], ${details}::text[])
      as made (height, index, detail)
    where o.chain = ${home} and o.height = made.height and o.index = made.index and o.kind = ${neverMade}
      and o.detail = made.detail`
}

const placesOf = (rows: readonly Waiting[]) => ({
  heights: numberList(rows.map((row) => row.spent_height)),
  indexes: numberList(rows.map((row) => row.spent_index)),
  details: rows.map((row) => oddInput(row.spent_input, row.utxo_id)),
})
