import type { Queryable } from './database.ts'

/**
 * Chains whose node has never answered have no row in `chains` or `primary_chains`, because such a row
 * contains the chain's genesis block. Until then the reason is stored in `service` under these prefixes and
 * the chain's key, as `{"state", "reason"}`.
 */
export const unreachedPrefix = { evm: 'unreached evm ', primary: 'unreached primary ' } as const

/** EVM chains have their rows in `chains`, those of a primary network in `primary_chains`. */
type ChainKind = keyof typeof unreachedPrefix

/** Stores the reason why a chain without a row is not indexed. */
export async function noteUnreached(
  sql: Queryable,
  kind: ChainKind,
  chain: number,
  standing: { readonly state: string; readonly reason: string },
): Promise<void> {
  await sql`
    insert into service (key, value) values (${unreachedPrefix[kind] + chain}, ${JSON.stringify(standing)})
    on conflict (key) do update set value = excluded.value`
}

/** Deletes the reason after the node has answered; from then on the chain's row holds the state. */
export async function forgetUnreached(sql: Queryable, kind: ChainKind, chain: number): Promise<void> {
  await sql`delete from service where key = ${unreachedPrefix[kind] + chain}`
}
