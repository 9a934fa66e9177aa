import { type Database, liveChannel, type Queryable } from '../../../store/database.ts'
import { primaryTableNames } from '../../../store/primary/columns.ts'
import { forgetUnreached, noteUnreached, stoppedTs } from '../../../store/unreached.ts'
import { FatalError, RetryableError } from '../../../kernel/errors.ts'
import type { Progress } from '../../../kernel/progress-meter.ts'
import { primaryChainOf } from '../../../primary/chains.ts'
import { startWatchOver } from '../../../store/watch/start-over.ts'
import { keyOf } from './rows.ts'

/** The identity of a chain of the primary network. */
export type Identity = {
  readonly chain: number
  readonly name: string
  readonly blockchainId: Uint8Array
  /** The id of block 0. */
  readonly genesis: Uint8Array
  readonly avaxAsset: Uint8Array
  readonly version: string | undefined
  /** Undefined if something other than the chain's own indexer determines it. */
  readonly hasIndex: boolean | undefined
}

/** All tables with rows of a chain. */
export const chainTables = [
  ...primaryTableNames,
  'uptime_samples',
  'latest_samples',
  'network_samples',
  'version_samples',
  'c_proposers',
] as const

/**
 * Creates the chain's row, or checks the node against the existing one. If the genesis differs, it throws
 * FatalError or, with `startOver`, deletes everything stored for the chain. Returns whether data were
 * deleted.
 */
export async function registerChain(sql: Database, identity: Identity, startOver: boolean): Promise<boolean> {
  const { chain, name, blockchainId, genesis, avaxAsset, version, hasIndex } = identity
  const [row] = await sql<{ genesis_hash: Buffer | null }[]>`
    select genesis_hash from primary_chains where chain = ${chain}`
  const differs =
    row?.genesis_hash !== undefined && row.genesis_hash !== null && !row.genesis_hash.equals(genesis)
  if (differs && !startOver) {
    throw new FatalError(
      `the node serves another ${name}: its block 0 is ${keyOf(genesis)}. Check the network's nodeUrl, or use a new database`,
    )
  }
  if (differs) {
    await writeAs(sql, chain)
    await sql`delete from pending_imports where home = ${chain}`
    // UTXOs that other chains have imported from this one will be exported again.
    await sql`
      insert into pending_imports (home, source, utxo_id, spent_height, spent_index, spent_input, spent_ts, spent_tx, type)
      select u.home, u.chain, u.utxo_id, u.spent_height, u.spent_index, u.spent_input, u.spent_ts, u.spent_tx, t.type
      from utxos u join primary_transactions t
        on t.chain = u.spent_chain and t.height = u.spent_height and t.index = u.spent_index
      where u.chain = ${chain} and u.home <> ${chain} and u.height <> ${strayHeight} and u.spent_chain = u.home`
    for (const table of chainTables) await sql`delete from ${sql(table)} where chain = ${chain}`
    const { network, alias } = primaryChainOf(chain)
    if (alias === 'p-chain') await startWatchOver(sql, chain, network)
    await sql`
      update utxos set spent_chain = null, spent_height = null, spent_index = null, spent_input = null,
        spent_ts = null, spent_tx = null
      where spent_chain = ${chain} and chain <> ${chain}`
  }
  await sql`
    insert into primary_chains (chain, blockchain_id, genesis_hash, avax_asset, client_version, has_index)
    values (${chain}, ${Buffer.from(blockchainId)}, ${Buffer.from(genesis)}, ${Buffer.from(avaxAsset)},
      ${version ?? null}, ${hasIndex ?? null})
    on conflict (chain) do update set blockchain_id = excluded.blockchain_id,
      genesis_hash = excluded.genesis_hash, avax_asset = excluded.avax_asset,
      client_version = excluded.client_version, has_index = coalesce(excluded.has_index, primary_chains.has_index)`
  await forgetUnreached(sql, 'primary', chain)
  return differs
}

/**
 * Throws RetryableError if the stored cursor is not the expected one: another writer changed the store, and
 * it has to be read again.
 */
export async function expectCursor(sql: Queryable, chain: number, height: number, id: string): Promise<void> {
  const [row] = await sql<{ height: bigint; id: Buffer }[]>`
    select height, id from primary_blocks where chain = ${chain} order by height desc limit 1`
  const same = row ? Number(row.height) === height && keyOf(row.id) === id : height === -1
  if (!same) throw new RetryableError('store', 'the store changed under the indexer')
}

/** Names the chain whose indexer writes the UTXOs of the caller's transaction (server/store/schema/primary-utxos.ts). */
export async function writeAs(sql: Queryable, chain: number): Promise<void> {
  await sql`select set_config('ridgeline.writer', ${String(chain)}, true)`
}

/** The id of a stored block, as a key. */
export async function storedId(sql: Queryable, chain: number, height: number): Promise<string | undefined> {
  const [row] = await sql<{ id: Buffer }[]>`
    select id from primary_blocks where chain = ${chain} and height = ${height}`
  return row && keyOf(row.id)
}

export type PrimaryState = 'waiting' | 'syncing' | 'live' | 'stopped'

/** Sets the state of a chain's row and the node's data. If the chain has no row yet, the reason is stored. */
export async function report(
  sql: Queryable,
  chain: number,
  state: PrimaryState,
  reason: string | undefined,
  nodeHeight: number | undefined,
): Promise<void> {
  const { count } = await sql`
    update primary_chains set state = ${state}, reason = ${reason ?? null}, stopped_ts = ${stoppedTs(sql, state)},
      node_height = coalesce(${nodeHeight ?? null}, node_height),
      node_seen_ts = coalesce(${nodeHeight === undefined ? null : Math.floor(Date.now() / 1000)}, node_seen_ts)
    where chain = ${chain}`
  if (count === 0 && reason !== undefined) await noteUnreached(sql, 'primary', chain, { state, reason })
}

/** Stores how fast a chain catches up. */
export async function saveProgress(sql: Queryable, chain: number, progress: Progress): Promise<void> {
  await sql`
    update primary_chains
    set sync_ts = ${progress.ts}, sync_rate = ${progress.blocksPerSecond}, sync_bound = ${progress.bound}
    where chain = ${chain}`
}

/** Ends the transaction of a run: stores the chain's new position and announces it. */
export async function finishRun(
  sql: Queryable,
  chain: number,
  cursor: { readonly height: number; readonly id: string; readonly ts: number },
  head: number,
): Promise<void> {
  await sql`
    update primary_chains set state = ${cursor.height >= head ? 'live' : 'syncing'}, reason = null,
      node_height = greatest(node_height, ${head}), node_seen_ts = ${Math.floor(Date.now() / 1000)}
    where chain = ${chain}`
  await announce(sql, chain, cursor)
}

/** Announces the chain's new head when the caller's transaction commits. */
export async function announce(
  sql: Queryable,
  chain: number,
  head: { readonly height: number; readonly id: string; readonly ts: number },
): Promise<void> {
  const { height, id, ts } = head
  const notice = { kind: 'primary', primary: chain, height, id: `0x${id}`, ts }
  await sql`select pg_notify(${liveChannel}, ${JSON.stringify(notice)})`
}

/** The height of UTXOs from a chain that is not indexed: their transaction is known, its position is not. */
export const strayHeight = -2

/** The number of such UTXOs that a chain has spent. Each has a number instead of a transaction index. */
export async function countStrays(sql: Queryable, spender: number): Promise<number> {
  const [row] = await sql<{ next: number }[]>`
    select coalesce(max(tx_index) / 10 + 1, 0) as next from utxos
    where height = ${strayHeight} and home = ${spender}`
  return Number(row?.next ?? 0)
}

/** The number used as an index; the last digit separates chains that import from the same one. */
export function strayIndex(next: number, spender: number): number {
  return next * 10 + (spender % 10)
}
