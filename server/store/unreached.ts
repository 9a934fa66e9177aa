import type { Queryable } from './database.ts'

/**
 * Chains whose node has never answered have no row in `chains` or `primary_chains`, because such a row
 * contains the chain's genesis block. Until then the reason is stored in `service` under these prefixes and
 * the chain's key, as `{"state", "reason", "since"}`, where `since` (Unix seconds) is that of a stop.
 */
export const unreachedPrefix = { evm: 'unreached evm ', primary: 'unreached primary ' } as const

/** EVM chains have their rows in `chains`, those of a primary network in `primary_chains`. */
type ChainKind = keyof typeof unreachedPrefix

const now = (): number => Math.floor(Date.now() / 1000)

/** For the update of a chain's row with a new state: since when it is stopped, which a row that is stopped already keeps. */
export const stoppedTs = (sql: Queryable, state: string) =>
  state === 'stopped'
    ? sql`case when state = 'stopped' then coalesce(stopped_ts, ${now()}) else ${now()} end`
    : sql`null`

/** Stores the reason why a chain without a row is not indexed. */
export async function noteUnreached(
  sql: Queryable,
  kind: ChainKind,
  chain: number,
  standing: { readonly state: string; readonly reason: string },
): Promise<void> {
  const since = standing.state === 'stopped' ? now() : undefined
  await sql`
    insert into service (key, value)
    values (${unreachedPrefix[kind] + chain}, ${JSON.stringify({ ...standing, since })})
    on conflict (key) do update set value = case
      when excluded.value::jsonb ->> 'state' = 'stopped' and service.value::jsonb ->> 'state' = 'stopped'
      then (excluded.value::jsonb || jsonb_build_object('since', service.value::jsonb -> 'since'))::text
      else excluded.value end`
}

/** Deletes the reason after the node has answered; from then on the chain's row holds the state. */
export async function forgetUnreached(sql: Queryable, kind: ChainKind, chain: number): Promise<void> {
  await sql`delete from service where key = ${unreachedPrefix[kind] + chain}`
}
