import { z } from 'zod'
import { primarySubnetId } from '../../primary/chains.ts'
import type { Queryable } from '../database.ts'
import { bytes, query, queryOne, read } from '../read.ts'
import { numberList } from '../sql-literals.ts'

/**
 * Times in Unix seconds, ascending, that divide the asked range: the start of each period, then the end of the
 * last one. An event belongs to the period with start <= time < end.
 */
export type Boundaries = readonly number[]

/**
 * A statement for events: rows of `ts` and `amount`. $1 is the chain, $2 the boundaries, and $3 and $4 the
 * bounds of the events' times, $3 inclusive and $4 exclusive. The store has no index on time for most tables;
 * `inHeights` narrows a statement to the blocks of that time.
 */
export type EventStatement = string

const zeros = `'\\x${primarySubnetId.toString('hex')}'::bytea`

/**
 * The condition that a row's height is of a block between the bounds. Transactions in vertices have height -1
 * and genesis has 0, so that a range which begins before the first block includes them; the row's own time
 * decides. A decided proposal is stored at the height of its proposal, one below.
 */
const inHeights = (height: string, from = '$3', to = '$4'): string => `
  ${height} >= (
    select coalesce((select case when height <= 1 then null else height - 1 end from primary_blocks
      where chain = $1 and ts < ${from} order by ts desc, height desc limit 1), -2))
  and ${height} <= (
    select coalesce((select height from primary_blocks
      where chain = $1 and ts < ${to} order by ts desc, height desc limit 1), -1))`

/**
 * Staking periods of the primary network: each stake, and the earlier periods of auto-renewed validators, whose
 * row of `stakers` holds the last period only.
 */
const periods = `
  select is_delegator, node, weight, coalesce(potential_reward, 0) as potential, start_ts, end_ts, ended_ts,
    false as is_renewed
  from stakers where chain = $1 and subnet = ${zeros}
  union all
  select false, node, weight, potential_reward, start_ts, end_ts, end_ts, true
  from staking_cycles where chain = $1 and outcome = 'renewed'`

type Staked = 'validators' | 'delegators' | 'all'
const stakedBy: Readonly<Record<Staked, string>> = {
  validators: 'where not is_delegator',
  delegators: 'where is_delegator',
  all: '',
}

/** The sum of an amount over the staking periods that run. */
const running = (amount: '1' | 'weight' | 'potential', by: Staked): EventStatement => `
  select e.ts, e.amount from (select * from (${periods}) p ${stakedBy[by]}) s
  cross join lateral (values (start_ts, ${amount}::numeric), (ended_ts, -${amount}::numeric)) e (ts, amount)`

/** Stakes that begin: a period that continues another one does not count. */
const begun = (by: Staked): EventStatement => `
  select e.ts, e.amount from (select * from (${periods}) p ${stakedBy[by]}) s
  cross join lateral (values (start_ts, 1), (case when is_renewed then ended_ts end, -1)) e (ts, amount)`

const ended = (by: Staked): EventStatement => `
  select ended_ts as ts, 1 as amount from (select * from (${periods}) p ${stakedBy[by]}) s where not is_renewed`

const transactions = (types?: readonly number[]): EventStatement => `
  select ts, 1 as amount from primary_transactions
  where chain = $1 and height <> 0 and ${inHeights('height')}
    ${types === undefined ? '' : `and type in (${types.join(', ')})`}`

/** Rewards paid by the primary network. Types as in the column: 1 VALIDATOR, 2 DELEGATOR, 3 VALIDATOR_FEE. */
const rewards = (types: readonly number[]): EventStatement => `
  select r.ts, r.amount from rewards r join stakers s on s.tx_id = r.staking_tx
  where r.chain = $1 and ${inHeights('r.height')} and s.subnet = ${zeros} and r.type in (${types.join(', ')})`

/**
 * AVAX that transactions spent and did not create: outputs of genesis and rewards come from no transaction, and
 * what went into balances of L1 validators, or came back from them, is not burned by the transaction.
 */
const burned: EventStatement = `
  select spent_ts as ts, amount from utxos
  where spent_chain = $1 and spent_height is not null and ${inHeights('spent_height')}
    and asset = (select avax_asset from primary_chains where chain = $1)
  union all
  select ts, -amount from utxos
  where chain = $1 and height <> 0 and height > -2 and reward_type is null and ${inHeights('height')}
    and asset = (select avax_asset from primary_chains where chain = $1)
  union all
  select ts, -balance_change from l1_validator_changes where chain = $1`

/** Boundaries are whole hours, so that an hour's UTXOs are all on one side. */
const utxos: EventStatement = `select hour as ts, change as amount from utxo_hours where home = $1`

/** The increase of a value with each change of an L1 validator. */
const l1Changes = (value: string): EventStatement => `
  select ts, value - lag(value, 1, 0::numeric) over (partition by validation_id order by height, index) as amount
  from (select *, ${value} as value from l1_validator_changes where chain = $1) changes`

/** The statements by name. Amounts are in nAVAX. */
export const networkEvents = {
  stake: running('weight', 'all'),
  ownStake: running('weight', 'validators'),
  delegatedStake: running('weight', 'delegators'),
  pendingRewards: running('potential', 'all'),
  validators: running('1', 'validators'),
  delegations: running('1', 'delegators'),
  validatorsBegun: begun('validators'),
  delegationsBegun: begun('delegators'),
  validatorsEnded: ended('validators'),
  delegationsEnded: ended('delegators'),
  expiring: `select coalesce(ended_ts, end_ts) as ts, weight as amount from (${periods}) s`,
  burned,
  utxos,
  subnets: `select ts, 1 as amount from subnets where chain = $1 and subnet <> ${zeros}`,
  blockchains: `select ts, 1 as amount from blockchains where chain = $1`,
  l1s: `select conversion_ts as ts, 1 as amount from subnets where chain = $1`,
  l1Validators: l1Changes('(weight > 0)::integer::numeric'),
  /** The accrued fees at which the balances of active L1 validators are used up, added up. */
  l1EndFees: l1Changes('coalesce(end_fee, 0)'),
  /** What was paid into balances of L1 validators, less what was given back. */
  l1Deposits: `select ts, balance_change as amount from l1_validator_changes where chain = $1`,
} as const satisfies Readonly<Record<string, EventStatement>>

/** Statements for counts of transactions and sums of rewards by their type ids. */
export const networkTypedEvents = { transactions, rewards } as const

const bucket = z.object({ place: z.number(), amount: z.string() })

/**
 * The sums of events: first of those before the first boundary (0 unless `since` is `genesis`), then of each
 * period.
 */
export async function readEventSums(
  database: Queryable,
  statement: EventStatement,
  chain: number,
  boundaries: Boundaries,
  since: 'genesis' | 'first boundary',
): Promise<bigint[]> {
  const last = boundaries.at(-1) ?? 0
  const rows = await read(
    database,
    bucket,
    // As a subquery, the list is parsed once, not for every event.
    `select width_bucket(ts, (select $2::text::bigint[])) as place, sum(amount)::text as amount from (${statement}) events
     where ts >= $3::bigint and ts < $4::bigint group by 1`,
    [
      chain,
      numberList(boundaries),
      since === 'genesis' ? Number.MIN_SAFE_INTEGER : (boundaries[0] ?? 0),
      last,
    ],
  )
  const sums = boundaries.map(() => 0n)
  for (const { place, amount } of rows) sums[place] = BigInt(amount)
  return sums
}

const edge = z.object({
  supply: z.string().nullable(),
  accrued_fees: z.string().nullable(),
  active_l1_validators: z.number().nullable(),
})
/** The state after a P-Chain block; null where it is not known, and before the first block. */
export type NetworkEdge = Readonly<z.output<typeof edge>>

/** For each time, the state after the last block before it. */
export const readNetworkEdges = query(edge, (chain: number, times: readonly number[]) => [
  `select edge.supply, edge.accrued_fees, edge.active_l1_validators
   from unnest($2::text::bigint[]) with ordinality as asked (ts, place)
   left join lateral (
   select supply, accrued_fees, active_l1_validators from primary_blocks b
   where b.chain = $1 and b.ts < asked.ts order by b.ts desc, b.height desc limit 1) edge on true
   order by asked.place`,
  [chain, numberList(times)],
])

const stakingPeriod = z.object({
  node: bytes,
  weight: z.string(),
  start_ts: z.bigint(),
  ended_ts: z.bigint().nullable(),
})
/** A stake or a delegation: the validator's node, nAVAX, and Unix seconds. */
export type StakingPeriodRow = Readonly<z.output<typeof stakingPeriod>>

/** The staking periods of the primary network that run at some time between the bounds, the end exclusive. */
export const readStakingPeriods = query(stakingPeriod, (chain: number, from: number, to: number) => [
  `select node, weight, start_ts, ended_ts from (${periods}) p
   where start_ts < $3 and (ended_ts is null or ended_ts >= $2)`,
  [chain, from, to],
])

/** A transaction with its time, its signed bytes without a codec version, and the id of AVAX. */
const transactionBytes = z.object({ ts: z.bigint(), bytes, avax: bytes.nullable() })

/** The transactions of a chain between two times, the end exclusive. */
export const readTransactionBytes = query(transactionBytes, (chain: number, from: number, to: number) => [
  `select t.ts, t.bytes, c.avax_asset as avax
   from primary_transactions t join primary_chains c on c.chain = t.chain
   where t.chain = $1 and t.ts >= $2 and t.ts < $3 and ${inHeights('t.height', '$2', '$3')}
   order by t.height, t.index`,
  [chain, from, to],
])

/**
 * Unix seconds of a chain's first block or vertex and of its head, and the end of the last running stake; null
 * if there is none.
 */
const bounds = z.object({
  first_ts: z.bigint().nullable(),
  last_ts: z.bigint().nullable(),
  planned_ts: z.bigint().nullable(),
})

/** The time range of the series of a chain of the primary network. */
export const readNetworkBounds = queryOne(
  bounds,
  (chain: number) => [
    `select
     least(
       (select ts from primary_blocks where chain = $1 and ts > 0 order by ts, height limit 1),
       (select ts from vertices where chain = $1 order by index limit 1)) as first_ts,
     (select ts from primary_blocks where chain = $1 order by height desc limit 1) as last_ts,
     (select max(end_ts) from stakers
      where chain = $1 and subnet = ${zeros} and ended_ts is null) as planned_ts`,
    [chain],
  ],
  (row) => row ?? { first_ts: null, last_ts: null, planned_ts: null },
)

/** The columns of samples (docs/metrics.md, The network). */
const sampleColumns = {
  uptimeP5: 'uptime_p5',
  uptimeP25: 'uptime_p25',
  uptimeP50: 'uptime_p50',
  uptimeP75: 'uptime_p75',
  uptimeP95: 'uptime_p95',
  connectedPeers: 'peers',
  newestPeers: 'newest_peers',
} as const
export type SampleColumn = keyof typeof sampleColumns

const sampled = z.object({ value: z.number().nullable() })

/** The value of the last sample in each period; null for a period without one. */
export const readSamples = query(
  sampled,
  (column: SampleColumn, chain: number, boundaries: Boundaries) => {
    const name = sampleColumns[column]
    return [
      `select (
       select ${name} from network_samples s
       where s.chain = $1 and s.hour >= period.start and s.hour < period.before and s.ts < period.before
         and ${name} is not null
       order by hour desc limit 1) as value
     from unnest($2::text::bigint[], $3::text::bigint[]) with ordinality period (start, before, place)
     order by place`,
      [chain, numberList(boundaries.slice(0, -1)), numberList(boundaries.slice(1))],
    ]
  },
  (rows) => rows.map(({ value }) => value),
)

const sampledRange = z.object({ first_ts: z.bigint().nullable(), last_ts: z.bigint().nullable() })

/** The times of the first and the last sample that has a value. */
export const readSampledRange = queryOne(
  sampledRange,
  (column: SampleColumn, chain: number) => {
    const name = sampleColumns[column]
    return [
      `select min(ts) as first_ts, max(ts) as last_ts from network_samples where chain = $1 and ${name} is not null`,
      [chain],
    ]
  },
  (row) => row ?? { first_ts: null, last_ts: null },
)
