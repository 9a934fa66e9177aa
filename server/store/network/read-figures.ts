import { z } from 'zod'
import { query } from '../read.ts'

/** The progress of a primary network chain, for operators. Heights, counts and Unix seconds. */
const primaryFigures = z.strictObject({
  chain: z.number(),
  indexed: z.bigint().nullable(),
  node: z.bigint().nullable(),
  /** Number of blocks that the node has and the store lacks. */
  lag: z.bigint().nullable(),
  /** The time of the newest indexed block, and of the node's last answer. */
  indexed_seconds: z.bigint().nullable(),
  node_seen_seconds: z.bigint().nullable(),
  /** For the X-chain: vertices from before its blocks. */
  vertices: z.bigint().nullable(),
  /** Inputs that wait for their export on another chain. */
  pending_imports: z.bigint(),
  /** For the C-chain: the highest and the lowest height with proposers. */
  proposers_to: z.bigint().nullable(),
  proposers_from: z.bigint().nullable(),
})

const statement = `
  select c.chain, head.height as indexed, c.node_height as node, greatest(0, c.node_height - head.height) as lag,
    head.ts as indexed_seconds, c.node_seen_ts as node_seen_seconds,
    (select max(index) + 1 from vertices v where v.chain = c.chain) as vertices,
    (select count(*) from pending_imports i where i.home = c.chain) as pending_imports,
    p.to_height as proposers_to, p.from_height as proposers_from
  from primary_chains c
  left join c_proposers p on p.chain = c.chain
  left join lateral (
    select height, ts from primary_blocks b where b.chain = c.chain order by height desc limit 1) head on true
  order by c.chain`

/** The figures of every chain that has been indexed: a few seeks for each. */
export const readPrimaryFigures = query(primaryFigures, () => [statement, []])
