import { z } from 'zod'

/** What the store last saw of a node: its sample, whether it was a peer, and the version that its peer said. */
export const observationFields = {
  uptime: z.number().nullable(),
  connected: z.boolean().nullable(),
  seen: z.boolean().nullable(),
  version: z.string().nullable(),
}

/** The columns of `observationFields`, of the tables that `observationJoins` joins. */
export const observationColumns =
  'sample.uptime::float8 as uptime, sample.connected, contact.connected as seen, peer.version'

/** Joins them to a node `asked.node` of the chain `$1` and its validation `s`. */
export const observationJoins = `
     left join latest_samples sample on sample.chain = $1 and sample.tx_id = s.tx_id
     left join lateral (
       select connected from peer_connections p where p.chain = $1 and p.node = asked.node order by ts desc limit 1
     ) contact on true
     left join lateral (
       select version from peer_versions p where p.chain = $1 and p.node = asked.node order by ts desc limit 1
     ) peer on true`
