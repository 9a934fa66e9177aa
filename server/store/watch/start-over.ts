import type { Queryable } from '../database.ts'

/** The tables with what a network's node was last seen to say, by the key of the P-Chain. */
const seenTables = ['peer_connections', 'peer_versions', 'watch_polls'] as const

/**
 * Makes the watch evaluate the members of a network anew, because the network was recreated and its heights and samples
 * count from the start again. Alarms stay open: the next round evaluates them by the new rows, and says what became of
 * them. What past rounds knew of the old network is deleted, so that no dry run compares it with the new rows.
 */
export async function startWatchOver(sql: Queryable, chain: number, network: string): Promise<void> {
  for (const table of seenTables) await sql`delete from ${sql(table)} where chain = ${chain}`
  // The runner has the states in memory until the revision of their rule changes.
  await sql`update watch_rules set revision = revision + 1 where chain = ${chain} and fleet is not null`
  await sql`
    update watch_states set sample = -1, breaches = 0, clears = 0
    where rule in (select rule from watch_rules where chain = ${chain} and fleet is not null)`
  await sql`
    update watch_rounds set facts = jsonb_set(facts, '{networks}', (facts -> 'networks') - ${network}::text)
    where jsonb_exists(facts -> 'networks', ${network})`
}
