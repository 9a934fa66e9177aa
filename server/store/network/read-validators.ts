import { z } from 'zod'
import { keyList } from '../sql-literals.ts'
import type { Queryable } from '../database.ts'
import { primarySubnetId } from '../../primary/chains.ts'
import { maxStakeFactor, maxValidatorStake } from '../../../protocol/primary/staking-limits.ts'
import { type NamedStatement, type Placeholders, bytes, named, query, read, readNamed } from '../read.ts'
import { txPlace, type Order, type TxPlace } from '../primary/read-primary.ts'
import { scannedPage, scannedRow, type ScannedPage } from './scan.ts'

const validatorRow = txPlace.extend({
  tx_id: bytes,
  subnet: bytes,
  node: bytes,
  weight: z.string(),
  start_ts: z.bigint(),
  end_ts: z.bigint(),
  /** In millionths; null without a fee. */
  shares: z.number().nullable(),
  bls_key: bytes.nullable(),
  bls_proof: bytes.nullable(),
  reward_addresses: z.array(bytes),
  /** Current and pending delegations; after the end of the validation, all that it ever had. */
  delegator_count: z.number(),
  /** The stake of these delegations. */
  delegated: z.string(),
  potential_reward: z.string().nullable(),
  ended_ts: z.bigint().nullable(),
  ended_tx: bytes.nullable(),
  reward: z.string().nullable(),
  delegation_reward: z.string().nullable(),
  status: z.enum(['completed', 'active', 'pending', 'removed']),
  /** nAVAX that may still be delegated; null if nothing may. */
  capacity: z.string().nullable(),
  /** The newest sample; null without one. */
  uptime: z.number().nullable(),
  connected: z.boolean().nullable(),
  sampled_ts: z.bigint().nullable(),
  /** For an auto-renewed validator, as in `stakers`; null for others. */
  compound_shares: z.number().nullable(),
  next_period: z.bigint().nullable(),
  authority_addresses: z.array(bytes).nullable(),
  accrued_reward: z.string().nullable(),
  accrued_delegation_reward: z.string().nullable(),
  pending_delegation_reward: z.string().nullable(),
  /** The validator's expected share of its delegators' rewards; null after its end. */
  expected_fees: z.string().nullable(),
  /** The position of a sorted scan, as text. */
  key: z.string(),
})
/** A validation with related data. Amounts are text, times Unix seconds. */
export type ValidatorRow = Readonly<z.output<typeof validatorRow>>

/**
 * SQL for a delegator's net reward at a fee in millionths (docs/primary.md, Rewards): `splitReward` of
 * protocol/primary/rewards.ts is the rule, and this is it again for statements that add up, sort or page by it.
 * reward-split.test.ts checks this one against the rule. Uses 64-bit arithmetic if that suffices.
 */
export const netReward = (reward: string, shares: string): string => `
  case when ${reward} <= 9223372036854
    then (${reward}::bigint * (1000000 - ${shares}) / 1000000)::numeric
    when ${reward} * (1000000 - ${shares}) > 18446744073709551615
    then (1000000 - ${shares}) * div(${reward}, 1000000)
    else div(${reward} * (1000000 - ${shares}), 1000000) end`

/**
 * A validator's expected share of its delegators' rewards, as `amount`. An auto-renewed validator is paid per
 * period: delegations that ended in earlier periods are already paid. `chain` is the placeholder of the
 * chain.
 */
export const expectedFees = (validator: string, chain: string): string => `
  select coalesce(sum(d.potential_reward - ${netReward('d.potential_reward', `${validator}.shares`)}), 0)
    + coalesce(${validator}.pending_delegation_reward, 0) as amount
  from stakers d
  where d.chain = ${chain} and d.validator_tx = ${validator}.tx_id and d.is_delegator
    and d.outcome is distinct from 'unrewarded' and (${validator}.compound_shares is null or d.ended_ts is null)`

type Name =
  keyof ValidatorFilter | 'chain' | 'time' | 'primarySubnet' | 'height' | 'index' | 'key' | 'limit' | 'lookAt'
type Params = Placeholders<Name>

// The columns that filters and sort orders need, so that a scan over many rows carries no more.
const evaluated = ($: Params): string => `
  height, index, tx_id, node, shares, start_ts, end_ts,
  case when outcome = 'removed' then 'removed' when ended_ts is not null then 'completed'
    when start_ts > ${$.time} then 'pending' else 'active' end as status,
  case when ended_ts is null and shares is not null and subnet = ${$.primarySubnet}::bytea
    then greatest(least(weight * ${maxStakeFactor}, ${maxValidatorStake}) - weight - delegated, 0) end as capacity,
  case when ended_ts is null then greatest(end_ts - ${$.time}, 0) else 0 end as remaining`

const sampleOf = ($: Params, row: string, condition: string): string => `
  left join (
    select tx_id, uptime, connected, ts as sampled_ts from latest_samples where chain = ${$.chain}
  ) sample on sample.tx_id = ${row}.tx_id and ${condition}`

// A filter that is not given is null. Bounds keep the digits they were given with: rounded to the unit of a column, a
// minimum would let pass what is below it. Validations without a fee pass no filter by fee
// (contract/network/validators.ts).
const passes = ($: Params): string => `
  (${$.status}::text is null or s.status = ${$.status})
  and (${$.minCapacity}::numeric is null or coalesce(s.capacity, 0) >= ${$.minCapacity}) and (${$.maxCapacity}::numeric is null or coalesce(s.capacity, 0) <= ${$.maxCapacity})
  and (${$.minRemaining}::bigint is null or s.remaining >= ${$.minRemaining}) and (${$.maxRemaining}::bigint is null or s.remaining <= ${$.maxRemaining})
  and (${$.minFee}::numeric is null or s.shares >= ${$.minFee} * 10000) and (${$.maxFee}::numeric is null or s.shares <= ${$.maxFee} * 10000)
  and (${$.minUptime}::numeric is null or sample.uptime >= ${$.minUptime}) and (${$.maxUptime}::numeric is null or coalesce(sample.uptime, 0) <= ${$.maxUptime})`

const byUptime = ($: Params): string =>
  `(${$.minUptime}::numeric is not null or ${$.maxUptime}::numeric is not null)`

const shown = `
  r.height, r.index, r.tx_id, r.subnet, r.node, r.weight, r.start_ts, r.end_ts, r.shares, r.bls_key, r.bls_proof,
  r.reward_addresses, coalesce(life.delegator_count, r.delegator_count) as delegator_count,
  coalesce(life.delegated, r.delegated::text) as delegated, r.potential_reward, r.ended_ts, r.ended_tx, r.reward,
  r.delegation_reward, r.compound_shares, r.next_period, r.authority_addresses, r.accrued_reward,
  r.accrued_delegation_reward, r.pending_delegation_reward, page.status, page.capacity::text as capacity, sample.uptime::float8 as uptime, sample.connected,
  sample.sampled_ts, fees.expected_fees, page.key`

// The complete rows of a page, with related data.
const details = ($: Params): string => `
  left join lateral (
    select * from stakers where chain = ${$.chain} and height = page.height and index = page.index limit 1) r on true
  ${sampleOf($, 'page', 'true')}
  left join lateral (
    select count(*)::integer as delegator_count, coalesce(sum(weight), 0)::text as delegated from stakers
    where chain = ${$.chain} and validator_tx = r.tx_id having r.ended_ts is not null) life on true
  left join lateral (
    select amount::text as expected_fees from (${expectedFees('r', $.chain)}) expected
    where page.status = 'active' and r.shares is not null) fees on true`

/** Validations by position: those after a position, reading a bounded number. */
const byBlock = ($: Params, order: Order, narrowed: string): string => {
  const over = order === 'asc' ? '>' : '<'
  const sort = `order by height ${order}, index ${order}`
  return `
  with scanned as materialized (
    select ${evaluated($)}, row_number() over (${sort}) as place from (
      select * from stakers
      where chain = ${$.chain} and not is_delegator and (height, index) ${over} (${$.height}, ${$.index}) ${narrowed}
      ${sort} limit ${$.lookAt}) each
  ), page as (
    select s.*, '' as key from scanned s ${sampleOf($, 's', byUptime($))}
    where ${passes($)} order by s.height ${order}, s.index ${order} limit ${$.limit}
  )
  select ${shown}, h.height as horizon_height, h.index as horizon_index
  from (values (1)) as one (row)
  left join (select height, index from scanned where place = ${$.lookAt}) h on true
  left join page on true
  ${details($)}
  order by page.height ${order}, page.index ${order}`
}

/**
 * The sort keys. The remaining time is sorted by end, because the clock moves. A validation without a value
 * sorts below all others, so that a list does not mix missing values with 0.
 */
const keys = {
  blockIndex: '0::numeric',
  startTimestamp: 's.start_ts::numeric',
  delegationCapacity: 'coalesce(s.capacity, -1)',
  timeRemaining: 's.end_ts::numeric',
  delegationFee: 's.shares::numeric',
  uptimePerformance: 'coalesce(sample.uptime, -1)',
} as const
export type ValidatorKey = keyof typeof keys

/** Current and pending validations sorted by a value; they are few compared with all past ones. */
const byKey = ($: Params, key: ValidatorKey, order: Order, narrowed: string): string => {
  const over = order === 'asc' ? '>' : '<'
  const sort = (row: string): string =>
    ['sort_key', 'height', 'index'].map((column) => `${row}.${column} ${order}`).join(', ')
  return `
  with current as (
    select ${evaluated($)} from stakers
    where chain = ${$.chain} and is_delegator = false and ended_ts is null ${narrowed}
      ${key === 'delegationFee' ? `and shares is not null and subnet = ${$.primarySubnet}::bytea` : ''}
  ), keyed as (
    select s.*, ${keys[key]} as sort_key from current s
    ${sampleOf($, 's', key === 'uptimePerformance' ? 'true' : byUptime($))}
    where ${passes($)}
  ), page as (
    select k.*, k.sort_key::text as key from keyed k
    where ${$.key}::numeric is null or (k.sort_key, k.height, k.index) ${over} (${$.key}::numeric, ${$.height}, ${$.index})
    order by ${sort('k')} limit ${$.limit}
  )
  select ${shown}, null::bigint as horizon_height, null::integer as horizon_index
  from page ${details($)}
  order by ${sort('page')}`
}

/** The filters of a list of validations, which may have none; bounds are inclusive. */
export type ValidatorFilter = {
  readonly nodes?: readonly Buffer[] | undefined
  readonly subnet?: Buffer | undefined
  readonly status?: string | undefined
  readonly minCapacity?: string | undefined
  readonly maxCapacity?: string | undefined
  readonly minRemaining?: number | undefined
  readonly maxRemaining?: number | undefined
  /** In percent, like the uptime. */
  readonly minFee?: number | undefined
  readonly maxFee?: number | undefined
  readonly minUptime?: number | undefined
  readonly maxUptime?: number | undefined
}

/** A position in a list of validations; `key` is empty in block order and at the start of a sorted list. */
type ValidatorPlace = TxPlace & { readonly key: string }

const joinedRow = scannedRow(validatorRow)

const statements = new Map<string, NamedStatement<Name>>()

/** The statement for these options: there are few variants, and each is prepared once. */
function statementOf(
  sortBy: ValidatorKey | undefined,
  order: Order,
  { nodes, subnet }: ValidatorFilter,
): NamedStatement<Name> {
  const shape = [sortBy, order, nodes !== undefined, subnet !== undefined].join(' ')
  let statement = statements.get(shape)
  if (statement === undefined) {
    statement = named(($: Params) => {
      const narrowed =
        (nodes ? `and node = any(${$.nodes}::text::bytea[]) ` : '') +
        (subnet ? `and subnet = ${$.subnet}::bytea` : '')
      return sortBy === undefined ? byBlock($, order, narrowed) : byKey($, sortBy, order, narrowed)
    })
    statements.set(shape, statement)
  }
  return statement
}

/**
 * Validations after a position: in block order, or sorted by a value, which lists only current and pending
 * validations and needs the position's key. In block order at most `lookAt` validations are read, but at
 * least `limit`. `time` is the chain time that determines the status.
 */
export async function readValidators(
  database: Queryable,
  chain: number,
  time: number,
  filter: ValidatorFilter,
  sort: { readonly by: ValidatorKey | undefined; readonly order: Order },
  past: ValidatorPlace,
  limit: number,
  lookAt: number,
): Promise<ScannedPage<ValidatorRow, ValidatorPlace>> {
  const joined = await readNamed(database, joinedRow, statementOf(sort.by, sort.order, filter), {
    chain,
    time,
    primarySubnet: primarySubnetId,
    nodes: filter.nodes ? keyList(filter.nodes) : null,
    subnet: filter.subnet ?? null,
    status: filter.status ?? null,
    minCapacity: filter.minCapacity ?? null,
    maxCapacity: filter.maxCapacity ?? null,
    minRemaining: filter.minRemaining ?? null,
    maxRemaining: filter.maxRemaining ?? null,
    minFee: filter.minFee ?? null,
    maxFee: filter.maxFee ?? null,
    minUptime: filter.minUptime ?? null,
    maxUptime: filter.maxUptime ?? null,
    height: past.height,
    index: past.index,
    key: past.key || null,
    limit,
    lookAt,
  })
  const page = scannedPage(joined)
  return { ...page, horizon: page.horizon && { ...page.horizon, key: '' } }
}

/** The total active stake of each subnet: validators with their delegations. */
export const readStakeOfSubnets = query(
  z.strictObject({ subnet: bytes, stake: z.string() }),
  (chain: number, time: number, subnets: readonly Buffer[]) => [
    `select subnet, sum(weight + delegated)::text as stake from stakers
     where chain = $1 and is_delegator = false and ended_ts is null and start_ts <= $2
       and subnet = any($3::text::bytea[])
     group by subnet`,
    [chain, time, keyList(subnets)],
  ],
  (rows) => new Map(rows.map((row) => [row.subnet.toString('hex'), BigInt(row.stake)])),
)

const nodesPastRow = z.strictObject({ node: bytes })

/** The nodes of the validations after a position, each once, and the position up to which they were read. */
export async function readNodesPast(
  database: Queryable,
  chain: number,
  past: TxPlace,
): Promise<{ nodes: Buffer[]; last: TxPlace | undefined }> {
  const [last] = await read(
    database,
    txPlace,
    `select height, index from stakers where chain = $1 order by height desc, index desc limit 1`,
    [chain],
  )
  if (!last) return { nodes: [], last: undefined }
  const nodes = await read(
    database,
    nodesPastRow,
    `select distinct node from stakers
     where chain = $1 and not is_delegator and (height, index) > ($2, $3) and (height, index) <= ($4, $5)`,
    [chain, past.height, past.index, last.height, last.index],
  )
  return { nodes: nodes.map(({ node }) => node), last }
}
