import { z } from 'zod'
import { keyList, numberList } from '../sql-literals.ts'
import { bytes, query } from '../read.ts'
import { txPlace, type Order } from '../primary/read-primary.ts'
import { expectedFees, netReward } from './read-validators.ts'

/** A paid reward with its staking period. Amounts are text. */
const rewardRow = txPlace.extend({
  ordinal: z.number(),
  ts: z.bigint(),
  staking_tx: bytes,
  node: bytes,
  type: z.number(),
  amount: z.string(),
  output_index: z.number(),
  utxo_id: bytes,
  addresses: z.array(bytes),
  /** The transaction that paid the reward. */
  tx_id: bytes.nullable(),
  asset: bytes.nullable(),
  staked: z.string(),
  start_ts: z.bigint(),
  end_ts: z.bigint(),
})

/** The requested recipients; with both fields, rewards of the addresses at the nodes. `types` as stored. */
export type RewardFilter = {
  readonly addresses: readonly Buffer[] | undefined
  readonly nodes: readonly Buffer[] | undefined
  readonly types: readonly number[] | undefined
}

const rewardPlace = txPlace.extend({ ordinal: z.number() })
export type RewardPlace = Readonly<z.output<typeof rewardPlace>>

const past = { asc: '>', desc: '<' } as const
const sortBy = (row: string, order: Order): string =>
  ['height', 'index', 'ordinal'].map((column) => `${row}.${column} ${order}`).join(', ')

// One seek per address or node finds its next rewards.
const source = (filter: RewardFilter, order: Order): string => {
  const bounds = `(k.height, k.index, k.ordinal) ${past[order]} ($2, $3, $4)`
  const sort = `order by ${sortBy('k', order)} limit $5`
  if (!filter.addresses) {
    return `
      select k.* from unnest($7::text::bytea[]) as asked (node) cross join lateral (
        select height, index, ordinal from rewards k
        where k.chain = $1 and k.node = asked.node and ${bounds} and $6::text is null
          and ($8::text is null or k.type = any($8::text::smallint[])) ${sort}) k`
  }
  return `
    select distinct k.height, k.index, k.ordinal from unnest($6::text::bytea[]) as asked (address) cross join lateral (
      select k.height, k.index, k.ordinal from reward_owners k
      where k.address = asked.address and k.chain = $1 and ${bounds}
        and (($7::text is null and $8::text is null) or exists (
          select from rewards r where r.chain = $1 and r.height = k.height and r.index = k.index
            and r.ordinal = k.ordinal and ($7::text is null or r.node = any($7::text::bytea[]))
            and ($8::text is null or r.type = any($8::text::smallint[]))))
      ${sort}) k`
}

const listStatement = (filter: RewardFilter, order: Order): string => `
  select r.height, r.index, r.ordinal, r.ts, r.staking_tx, r.node, r.type, r.amount, r.output_index, r.utxo_id,
    r.addresses, t.id as tx_id, u.asset, coalesce(c.weight, s.weight) as staked,
    coalesce(c.start_ts, s.start_ts) as start_ts, coalesce(c.end_ts, s.end_ts) as end_ts
  from (select * from (${source(filter, order)}) k order by ${sortBy('k', order)} limit $5) k
  cross join lateral (
    select * from rewards where chain = $1 and height = k.height and index = k.index and ordinal = k.ordinal limit 1) r
  join stakers s on s.tx_id = r.staking_tx
  left join staking_cycles c on c.chain = $1 and c.height = r.height and c.index = r.index
  left join lateral (
    select id from primary_transactions where chain = $1 and height = r.height and index = r.index limit 1) t on true
  left join lateral (select asset from utxos where home = $1 and utxo_id = r.utxo_id limit 1) u on true
  order by ${sortBy('r', order)}`

const statements = new Map<string, string>()

function once(name: string, filter: RewardFilter, order: Order, make: () => string): string {
  const shape = [name, order, filter.addresses !== undefined].join(' ')
  let text = statements.get(shape)
  if (text === undefined) {
    text = make()
    statements.set(shape, text)
  }
  return text
}

const listOrNull = (items: readonly Buffer[] | undefined): string | null => (items ? keyList(items) : null)

/** The parameters of a list of rewards after a position. */
const parametersOf = (
  chain: number,
  { addresses, nodes, types }: RewardFilter,
  from: RewardPlace,
  limit: number,
) => [
  chain,
  from.height,
  from.index,
  from.ordinal,
  limit,
  listOrNull(addresses),
  listOrNull(nodes),
  types ? numberList(types) : null,
]

/**
 * The rewards after a position that were paid to the addresses or earned at the nodes, each once, in order.
 */
export const readRewards = query(
  rewardRow,
  (chain: number, filter: RewardFilter, from: RewardPlace, order: Order, limit: number) => [
    once('list', filter, order, () => listStatement(filter, order)),
    parametersOf(chain, filter, from, limit),
  ],
)

/** The amount paid on one UTC day in one asset; `asset` is null if the reward's UTXO is unknown. */
const rewardDayRow = z.strictObject({
  day_ts: z.bigint(),
  asset: bytes.nullable(),
  amount: z.string(),
  reward_count: z.bigint(),
  first_ts: z.bigint(),
  last_ts: z.bigint(),
})

const ofDays = (filter: RewardFilter): string => `
  with wanted as (
    ${
      filter.addresses
        ? `select distinct height, index, ordinal from reward_owners
           where chain = $1 and address = any($2::text::bytea[])`
        : `select height, index, ordinal from rewards
           where chain = $1 and node = any($3::text::bytea[]) and $2::text is null`
    })
  select r.ts - r.ts % 86400 as day_ts, u.asset, sum(r.amount)::text as amount, count(*) as reward_count,
    min(r.ts) as first_ts, max(r.ts) as last_ts
  from wanted k
  cross join lateral (
    select * from rewards where chain = $1 and height = k.height and index = k.index and ordinal = k.ordinal limit 1) r
  left join lateral (select asset from utxos where home = $1 and utxo_id = r.utxo_id limit 1) u on true
  where ($3::text is null or r.node = any($3::text::bytea[]))
    and ($4::text is null or r.type = any($4::text::smallint[]))
  group by 1, 2 order by 1`

/** The rewards of addresses or nodes by UTC day. */
export const readRewardDays = query(rewardDayRow, (chain: number, filter: RewardFilter) => [
  once('days', filter, 'asc', () => ofDays(filter)),
  [
    chain,
    listOrNull(filter.addresses),
    listOrNull(filter.nodes),
    filter.types ? numberList(filter.types) : null,
  ],
])

/** An expected reward; `type` as in rewards. */
const pendingRewardRow = rewardPlace.extend({
  tx_id: bytes,
  node: bytes,
  subnet: bytes,
  type: z.number(),
  weight: z.string(),
  start_ts: z.bigint(),
  end_ts: z.bigint(),
  addresses: z.array(bytes),
  amount: z.string(),
  /** The token of an elastic subnet; null on the primary network. */
  staking_asset: bytes.nullable(),
})

// A running stake has its own reward (ordinal 0); a validator also has its share of its delegators' rewards
// (1).
const pendingStatement = (order: Order): string => `
  with running as (
    select * from stakers s
    where chain = $1 and ended_ts is null and potential_reward is not null
      and ($6::text is null or reward_addresses && $6::text::bytea[]
        or (not is_delegator and delegation_reward_addresses && $6::text::bytea[]))
      and ($7::text is null or node = any($7::text::bytea[]))
  ), expected as (
    select s.*, 0 as ordinal, case when is_delegator then 2 else 1 end as type, reward_addresses as addresses,
      case when is_delegator then ${netReward('potential_reward', 'v.shares')} else potential_reward end as amount
    from running s
    left join lateral (
      select coalesce(shares, 0) as shares from stakers where tx_id = s.validator_tx limit 1) v on true
    union all
    select s.*, 1, 3, case when delegation_reward_addresses = '{}' then reward_addresses
        else delegation_reward_addresses end, fees.amount
    from running s cross join lateral (
      ${expectedFees('s', '$1')}) fees
    where not s.is_delegator and s.shares is not null and fees.amount > 0
  )
  select e.height, e.index, e.ordinal, e.tx_id, e.node, e.subnet, e.type, e.weight, e.start_ts, e.end_ts, e.addresses,
    e.amount::text as amount, n.staking_asset
  from expected e
  left join subnets n on n.chain = $1 and n.subnet = e.subnet
  where (e.height, e.index, e.ordinal) ${past[order]} ($2, $3, $4)
    and ($6::text is null or e.addresses && $6::text::bytea[])
    and ($8::text is null or e.type = any($8::text::smallint[]))
  order by ${sortBy('e', order)} limit $5`
const pendingIn = { asc: pendingStatement('asc'), desc: pendingStatement('desc') }

/**
 * The rewards after a position that the addresses or nodes may expect, in order of the staking transactions.
 */
export const readPendingRewards = query(
  pendingRewardRow,
  (chain: number, filter: RewardFilter, from: RewardPlace, order: Order, limit: number) => [
    pendingIn[order],
    parametersOf(chain, filter, from, limit),
  ],
)

/** Details of staking transactions, for the calendar. */
const stakeFactsRow = z.strictObject({
  tx_id: bytes,
  node: bytes,
  reward: z.string().nullable(),
  reward_addresses: z.array(bytes),
  /** Whether it continues for another period. */
  renews: z.boolean(),
})

/** The node of each staking transaction, and its expected rewards. */
export const readStakeFacts = query(stakeFactsRow, (transactions: readonly Buffer[]) => [
  `select s.tx_id, s.node, s.reward_addresses, coalesce(s.next_period, 0) > 0 as renews,
     (case when s.is_delegator then ${netReward('s.potential_reward', 'coalesce(v.shares, 0)')}
        else s.potential_reward end)::text as reward
   from stakers s left join stakers v on v.tx_id = s.validator_tx
   where s.tx_id = any($1::text::bytea[])`,
  [keyList(transactions)],
])
