import type { Queryable } from './database.ts'

/**
 * Chains whose node has never answered have no row in `chains` or `primary_chains`, because that says which genesis
 * block the chain has. Why they wait is kept in `service` until then, under these prefixes and the chain's key, as
 * `{"state", "reason"}`.
 */
export const unreachedPrefix = { evm: 'unreached evm ', primary: 'unreached primary ' } as const

/** EVM chains have their rows in `chains`, those of a primary network in `primary_chains`. */
export type ChainKind = keyof typeof unreachedPrefix

/** Keeps why a chain is not indexed that has no row yet. */
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

/** The node has answered: from here on the chain's row says how it stands. */
export async function forgetUnreached(sql: Queryable, kind: ChainKind, chain: number): Promise<void> {
  await sql`delete from service where key = ${unreachedPrefix[kind] + chain}`
}
