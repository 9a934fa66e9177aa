import { chainTables } from '../../../indexer/primary/batch/store.ts'
import type { Database } from '../../../store/database.ts'

/** The tables that blocks write to; others have what was sampled, or what the C-Chain's indexer writes. */
const others = ['uptime_samples', 'latest_samples', 'network_samples', 'version_samples', 'c_proposers']
const tables = [...chainTables.filter((table) => !others.includes(table)), 'pending_imports']

/** All rows of the P- and X-Chain in a database, by table, without what depends on the time of indexing. */
export async function primaryContents(database: Database): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of tables) {
    const rows = await database<{ row: string }[]>`
      select t::text as row from ${database(table)} t order by 1`
    all[table] = rows.map(({ row }) => row)
  }
  const chains = await database<{ row: string }[]>`
    select concat_ws(' ', chain, blockchain_id, genesis_hash, avax_asset, l1_min_price, l1_conversion, helicon_ts,
      has_index) as row
    from primary_chains order by chain`
  return { ...all, chains: chains.map(({ row }) => row) }
}
