import { z } from 'zod'
import { chainsParameter, forChains, readChains } from '../chain-reads.ts'
import type { Database } from '../database.ts'
import { digits, list } from '../json-rows.ts'
import { read, syncColumns } from '../read.ts'
import { unreachedPrefix } from '../unreached.ts'

const untraced = (chain: string) =>
  list(
    { firstBlock: digits('g.first_block'), lastBlock: digits('g.last_block') },
    `(select first_block, last_block from trace_gaps where chain = ${chain} and not filled
      order by first_block desc limit 100) g`,
    'g.first_block desc',
  )

const statusRow = z.strictObject({
  chain: z.bigint(),
  state: z.string(),
  reason: z.string().nullable(),
  /** Since when it is stopped; meaningful in that state. */
  stopped_ts: z.bigint().nullable(),
  /** Null if the node has never answered; `reason` then contains the cause. */
  genesis_hash: z.string().nullable(),
  trace_source: z.string(),
  client_version: z.string().nullable(),
  node_block: z.bigint().nullable(),
  node_seen_ts: z.bigint().nullable(),
  finalized_block: z.bigint().nullable(),
  reorgs: z.bigint(),
  /** The lowest blocks whose inner calls and logs are kept; 0 if none were dropped. */
  traces_from: z.bigint(),
  logs_from: z.bigint(),
  first_block: z.bigint().nullable(),
  indexed_block: z.bigint().nullable(),
  indexed_ts: z.bigint().nullable(),
  base_fee: z.string().nullable(),
  cum_txs: z.bigint().nullable(),
  cum_addresses: z.bigint().nullable(),
  cum_contracts: z.bigint().nullable(),
  /** Number of transactions in the 24 whole hours before that of the asked time. */
  day_txs: z.bigint().nullable(),
  /** Blocks, seconds and transactions of at most 100 blocks up to the head. */
  recent_blocks: z.bigint().nullable(),
  recent_seconds: z.bigint().nullable(),
  recent_txs: z.bigint().nullable(),
  /**
   * The ranges of blocks that the node could not trace, latest first, at most 100, and the total number of
   * blocks.
   */
  untraced: untraced('').schema,
  untraced_count: z.string(),
  ...syncColumns,
  /** Whether the sums of contracts and deployers include all blocks. */
  counted: z.boolean(),
})
/** The stored state of a chain. Heights are null before the first block. */
export type StatusRow = Readonly<z.output<typeof statusRow>>

// A genesis block with timestamp 0 must not count for the time between blocks (docs/metrics.md).
const statement = forChains(
  ({ among, chainOf }) => `
  select c.chain, c.state, c.reason, c.stopped_ts, '0x' || encode(c.genesis_hash, 'hex') as genesis_hash, c.trace_source,
    c.client_version, c.node_block, c.node_seen_ts, c.finalized_block, c.reorgs, c.traces_from, c.logs_from,
    first.number as first_block, head.number as indexed_block, head.ts as indexed_ts, head.base_fee,
    head.cum_txs, head.cum_addresses, head.cum_contracts,
    coalesce(whole.cum_txs, 0) - coalesce(day.cum_txs, 0) as day_txs,
    head.number - recent.number as recent_blocks, head.ts - recent.ts as recent_seconds,
    head.cum_txs - recent.cum_txs as recent_txs,
    gaps.untraced, gaps.untraced_count,
    progress.blocks_per_second as sync_rate, progress.bound as sync_bound, progress.ts as sync_ts,
    c.trace_sums_from is null
      and not exists (select from trace_gaps g where g.chain = ${chainOf('c')}) as counted
  from (select * from chains where ${among('chain')}) c
  cross join lateral (
    select
      ${untraced(chainOf('c')).column} as untraced,
      (select coalesce(sum(last_block - first_block + 1), 0)::text
       from trace_gaps where chain = ${chainOf('c')} and not filled) as untraced_count) gaps
  left join sync_progress progress on progress.chain = ${chainOf('c')}
  left join lateral (
    select number from blocks b where b.chain = ${chainOf('c')} order by number limit 1) first on true
  left join lateral (
    select number, ts, base_fee, cum_txs, cum_addresses, cum_contracts
    from blocks b where b.chain = ${chainOf('c')} order by number desc limit 1) head on true
  left join lateral (
    select cum_txs from blocks b where b.chain = ${chainOf('c')} and b.ts < $2::bigint
    order by ts desc, number desc limit 1) whole on true
  left join lateral (
    select cum_txs from blocks b where b.chain = ${chainOf('c')} and b.ts < $2::bigint - 86400
    order by ts desc, number desc limit 1) day on true
  left join lateral (
    select number, ts, cum_txs from blocks b
    where b.chain = ${chainOf('c')} and b.number >= head.number - 100 and b.number < head.number and b.ts > 0
    order by number limit 1) recent on true`,
)

const unreachedRow = z.strictObject({
  chain: z.bigint(),
  state: z.string(),
  reason: z.string(),
  stopped_ts: z.bigint().nullable(),
})
const unreachedStatement = `
  select substr(key, ${unreachedPrefix.evm.length + 1})::bigint as chain,
    value::json ->> 'state' as state, value::json ->> 'reason' as reason,
    (value::json ->> 'since')::bigint as stopped_ts
  from service where starts_with(key, '${unreachedPrefix.evm}')`

/** Of a chain whose node has never answered, only the reason is known. */
const nothing: Omit<StatusRow, 'chain' | 'state' | 'reason' | 'stopped_ts'> = {
  genesis_hash: null,
  trace_source: 'unknown',
  client_version: null,
  node_block: null,
  node_seen_ts: null,
  finalized_block: null,
  reorgs: 0n,
  traces_from: 0n,
  logs_from: 0n,
  first_block: null,
  indexed_block: null,
  indexed_ts: null,
  base_fee: null,
  cum_txs: null,
  cum_addresses: null,
  cum_contracts: null,
  day_txs: null,
  recent_blocks: null,
  recent_seconds: null,
  recent_txs: null,
  untraced: [],
  untraced_count: '0',
  sync_rate: null,
  sync_bound: null,
  sync_ts: null,
  counted: true,
}

/** The states of the chains, and those whose database server does not answer. */
export type Statuses = { readonly rows: ReadonlyMap<bigint, StatusRow>; readonly lost: ReadonlySet<bigint> }

/** The state at `now`, in Unix seconds, of each of the chains that is known: a few index seeks per chain. */
export async function readStatus(
  database: Database,
  chains: readonly bigint[],
  now: number,
): Promise<Statuses> {
  const lost = new Set<bigint>()
  const [unreached, reached] = await Promise.all([
    read(database, unreachedRow, unreachedStatement, []),
    readChains(
      database,
      chains,
      (scope) =>
        read(database, statusRow, statement[scope.form], [chainsParameter(scope), now - (now % 3600)]),
      (chain) => lost.add(chain),
    ),
  ])
  const rows = new Map<bigint, StatusRow>(
    unreached.filter(({ chain }) => chains.includes(chain)).map((row) => [row.chain, { ...nothing, ...row }]),
  )
  for (const row of reached) rows.set(row.chain, row)
  return { rows, lost }
}

/** Why a chain of `Statuses.lost` has no state. */
export const lostServer = 'the database server that holds this chain does not answer'
