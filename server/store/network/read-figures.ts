import { z } from 'zod'
import { query } from '../read.ts'
import { numberList } from '../sql-literals.ts'

/** The progress of a primary network chain, for operators. Heights, counts and Unix seconds. */
const primaryFigures = z.strictObject({
  chain: z.number(),
  indexed: z.bigint().nullable(),
  node: z.bigint().nullable(),
  /** Number of blocks that the node has and the store lacks; null if the node has not answered since the chain stopped. */
  lag: z.bigint().nullable(),
  /** 1 while the chain is stopped. */
  stopped: z.number(),
  /** The time of the newest indexed block, and of the node's last answer. */
  indexed_seconds: z.bigint().nullable(),
  node_seen_seconds: z.bigint().nullable(),
  /** For the X-Chain: vertices from before its blocks. */
  vertices: z.bigint().nullable(),
  /** Inputs that wait for their export on another chain; not those whose export did not come. */
  pending_imports: z.bigint(),
  /** For the C-Chain: the highest and the lowest height with proposers. */
  proposers_to: z.bigint().nullable(),
  proposers_from: z.bigint().nullable(),
})

const statement = `
  select c.chain, head.height as indexed, c.node_height as node, (c.state = 'stopped')::integer as stopped,
    case when c.state <> 'stopped' or c.node_seen_ts >= c.stopped_ts
      then greatest(0, c.node_height - coalesce(head.height, -1)) end as lag,
    head.ts as indexed_seconds, c.node_seen_ts as node_seen_seconds,
    (select max(index) + 1 from vertices v where v.chain = c.chain) as vertices,
    (select count(*) from pending_imports i where i.home = c.chain and not i.unmade) as pending_imports,
    p.to_height as proposers_to, p.from_height as proposers_from
  from (select * from primary_chains where chain = any($1::text::smallint[])) c
  left join c_proposers p on p.chain = c.chain
  left join lateral (
    select height, ts from primary_blocks b where b.chain = c.chain order by height desc limit 1) head on true
  order by c.chain`

/** The figures of those of the chains that have been indexed: a few seeks for each. */
export const readPrimaryFigures = query(primaryFigures, (chains: readonly number[]) => [
  statement,
  [numberList(chains)],
])
