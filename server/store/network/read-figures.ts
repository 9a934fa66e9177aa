import type { Queryable } from '../database.ts'
import { read } from '../read.ts'

/** How far a chain of the primary network is, for operators. Heights, counts and Unix seconds. */
export type PrimaryFigures = {
  readonly chain: number
  readonly indexed: bigint | null
  readonly node: bigint | null
  /** Blocks that the node has and the store lacks. */
  readonly lag: bigint | null
  /** When the newest indexed block was made, and when the node was last heard. */
  readonly indexed_seconds: bigint | null
  readonly node_seen_seconds: bigint | null
  /** Of the X-chain: vertices from before its blocks. */
  readonly vertices: bigint | null
  /** Inputs that wait for their export on another chain. */
  readonly pending_imports: bigint
  /** Of the C-chain: the height up to which proposers are read, and that from which on. */
  readonly proposers_to: bigint | null
  readonly proposers_from: bigint | null
}

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
export function readPrimaryFigures(database: Queryable): Promise<PrimaryFigures[]> {
  return read<PrimaryFigures>(database, statement, [])
}
