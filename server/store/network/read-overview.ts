import { z } from 'zod'
import { primarySubnetId } from '../../primary/chains.ts'
import { queryOne } from '../read.ts'

/** The headline figures of a network. Amounts are text. */
const overviewRow = z.strictObject({
  staked: z.string(),
  delegated: z.string(),
  /** The total reward of the current stakers if all are rewarded. */
  potential: z.string(),
  validators: z.bigint(),
  pending_validators: z.bigint(),
  delegators: z.bigint(),
  subnets: z.bigint(),
  l1s: z.bigint(),
  blockchains: z.bigint(),
  l1_validators: z.bigint(),
  active_l1_validators: z.bigint(),
  vertices: z.bigint(),
})
export type OverviewRow = Readonly<z.output<typeof overviewRow>>

// Vertices were accepted in order from 0 on, so the highest index gives their number.
const statement = `
  select v.staked, v.validators, v.pending_validators, d.delegated, d.delegators, l.*,
    (v.validator_rewards + d.delegator_rewards)::text as potential,
    (select count(*) from subnets where chain = $1) as subnets,
    (select count(*) from subnets where chain = $1 and conversion_tx is not null) as l1s,
    (select count(*) from blockchains where chain = $1) as blockchains,
    coalesce((select index + 1 from vertices where chain = $2 order by index desc limit 1), 0) as vertices
  from (
    select coalesce(sum(weight) filter (where start_ts <= $3), 0)::text as staked,
      coalesce(sum(potential_reward) filter (where start_ts <= $3), 0) as validator_rewards,
      count(*) filter (where start_ts <= $3) as validators,
      count(*) filter (where start_ts > $3) as pending_validators
    from stakers where chain = $1 and is_delegator = false and ended_ts is null and subnet = $4::bytea) v,
  (
    select coalesce(sum(weight), 0)::text as delegated, count(*) as delegators,
      coalesce(sum(potential_reward), 0) as delegator_rewards
    from stakers where chain = $1 and is_delegator = true and ended_ts is null and subnet = $4::bytea
      and start_ts <= $3) d,
  (
    select count(*) as l1_validators, count(end_fee) as active_l1_validators
    from l1_validators where chain = $1 and weight > 0) l`

/** Counts and sums of the P-Chain at its chain time, and the number of X-Chain vertices. */
export const readOverview = queryOne(
  overviewRow,
  (chains: { readonly p: number; readonly x: number }, time: number) => [
    statement,
    [chains.p, chains.x, time, primarySubnetId],
  ],
)
