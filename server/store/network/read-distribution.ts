import { z } from 'zod'
import { primarySubnetId } from '../../primary/chains.ts'
import type { Queryable } from '../database.ts'
import { read } from '../read.ts'

const nanoAvax = 1_000_000_000n

/**
 * The bounds of the bins by stake in nAVAX: 0, then 1, 2 and 5 AVAX times each power of ten up to 1,000 million AVAX,
 * more than the supply of 720 million.
 */
const stakeBounds: readonly bigint[] = [
  0n,
  ...Array.from({ length: 9 }, (_, power) =>
    [1n, 2n, 5n].map((step) => step * 10n ** BigInt(power) * nanoAvax),
  ).flat(),
  10n ** 9n * nanoAvax,
]

/**
 * The lower bounds of the bins by uptime in percent. 80 and 90 are the uptimes that a reward needs before and since
 * Helicon (docs/primary.md); above them the bins are narrow, because most validators are there.
 */
const uptimeBounds: readonly number[] = [0, 50, 80, 90, 95, 98, 99, 99.5, 99.9]

const binRow = z.strictObject({
  /** The number of bounds that are not above the value, from 1; null for an uptime that was never sampled. */
  stake_bin: z.number().nullable(),
  uptime_bin: z.number().nullable(),
  /** Which of the two the row groups by. */
  is_stake: z.boolean(),
  validators: z.number(),
  staked: z.string(),
  delegated: z.string(),
})

const statement = `
  select stake_bin, uptime_bin, grouping(stake_bin) = 0 as is_stake, count(*)::integer as validators,
    sum(weight)::text as staked, sum(delegated)::text as delegated
  from (
    select s.weight, s.delegated, width_bucket(s.weight + s.delegated, $4::text::numeric[]) as stake_bin,
      width_bucket(l.uptime, $5::text::numeric[]) as uptime_bin
    from stakers s left join latest_samples l on l.chain = s.chain and l.tx_id = s.tx_id
    where s.chain = $1 and s.is_delegator = false and s.ended_ts is null and s.start_ts <= $2
      and s.subnet = $3::bytea
  ) each
  group by grouping sets ((stake_bin), (uptime_bin))`

const arrayText = (bounds: readonly (bigint | number)[]): string => `{${bounds.join(',')}}`

/**
 * The active validators of the primary network at the chain time by stake (own and delegated) and by the newest sample
 * of their uptime, in bins. Bins by stake are those from the lowest stake to the highest. Amounts in nAVAX as decimal
 * text, uptimes in percent.
 */
export async function readDistribution(database: Queryable, chain: number, time: number) {
  const rows = await read(database, binRow, statement, [
    chain,
    time,
    primarySubnetId,
    arrayText(stakeBounds),
    arrayText(uptimeBounds),
  ])
  const byStake = new Map(rows.filter((row) => row.is_stake).map((row) => [row.stake_bin, row]))
  const byUptime = new Map(rows.filter((row) => !row.is_stake).map((row) => [row.uptime_bin, row.validators]))
  const used = [...byStake.keys()].filter((bin) => bin !== null)
  const [low, high] = used.length === 0 ? [1, 0] : [Math.min(...used), Math.max(...used)]
  const sum = (column: 'staked' | 'delegated'): string =>
    [...byStake.values()].reduce((total, row) => total + BigInt(row[column]), 0n).toString()
  return {
    validatorCount: [...byStake.values()].reduce((count, row) => count + row.validators, 0),
    amountStaked: sum('staked'),
    amountDelegated: sum('delegated'),
    stake: stakeBounds.flatMap((from, index) => {
      const below = stakeBounds[index + 1]
      if (below === undefined || index + 1 < low || index + 1 > high) return []
      const row = byStake.get(index + 1)
      return {
        from: from.toString(),
        below: below.toString(),
        validatorCount: row?.validators ?? 0,
        amountStaked: row?.staked ?? '0',
        amountDelegated: row?.delegated ?? '0',
      }
    }),
    uptime: uptimeBounds.map((from, index) => {
      const below = uptimeBounds[index + 1]
      return { from, ...(below !== undefined && { below }), validatorCount: byUptime.get(index + 1) ?? 0 }
    }),
    unsampledCount: byUptime.get(null) ?? 0,
  }
}
