import type { Unlock } from '../../../api/primary/address.ts'
import { assetLabel } from '../../../components/asset-amount.tsx'
import { exactAmount } from '../../../lib/amounts.ts'
import { inCalendar, type CalendarEvent } from '../../../lib/ics.ts'
import { chainLabel } from '../../../lib/primary-chains.ts'
import { DAY, periodEnd, periodStart, type Interval } from '../../../../charts/series/periods.ts'

/** The kinds of locked amounts, in stacking order. */
export const unlockKinds = [
  { id: 'STAKING_END', label: 'Staking ends', bucket: 'unlockedStaked' },
  { id: 'STAKEABLE_LOCK', label: 'Lock ends (may be staked)', bucket: 'lockedStakeable' },
  { id: 'PLATFORM_LOCK', label: 'Lock ends', bucket: 'lockedPlatform' },
] as const
type Kind = (typeof unlockKinds)[number]['id']

/** The name of an unlock's kind; an unknown kind is shown as it is. */
export const waitLabel = ({ kind, renewsItself }: Unlock): string =>
  renewsItself === true
    ? 'Period ends, renews itself'
    : (unlockKinds.find(({ id }) => id === kind)?.label ?? kind)

/** The amounts that unlock in one period, from `start` (inclusive) to `end` (exclusive). */
export type UnlockBin = { start: number; end: number; amounts: Record<Kind, bigint>; total: bigint }

const years = 365 * DAY
/** Later unlocks would compress all earlier ones into one bar. */
const farthest = 20 * years

/** Days for two months, weeks for two years, else months. */
const intervalOf = (span: number): Interval =>
  span <= 62 * DAY ? 'day' : span <= 2 * years ? 'week' : 'month'

export type UnlockPlan = {
  interval: Interval
  from: number
  to: number
  /** Oldest first, without empty periods. */
  bins: UnlockBin[]
  /** The amount that unlocks after more than twenty years, or never. */
  later: bigint
}

/** The unlocks of one asset from `now` (Unix seconds) on, by period. */
export function unlockPlan(unlocks: readonly Unlock[], assetId: string, now: number): UnlockPlan {
  const own = unlocks.filter(({ asset }) => asset.assetId === assetId)
  const near = own.filter(({ timestamp }) => BigInt(timestamp) <= BigInt(now + farthest))
  const last = near.reduce((latest, { timestamp }) => Math.max(latest, Number(timestamp)), now)
  const interval = intervalOf(last - now)
  const bins = new Map<number, UnlockBin>()
  for (const { timestamp, kind, asset } of near) {
    const start = periodStart(Number(timestamp), interval)
    const bin = bins.get(start) ?? {
      start,
      end: periodEnd(start, interval),
      amounts: { STAKING_END: 0n, STAKEABLE_LOCK: 0n, PLATFORM_LOCK: 0n },
      total: 0n,
    }
    const known = unlockKinds.find(({ id }) => id === kind)?.id ?? 'PLATFORM_LOCK'
    bin.amounts[known] += BigInt(asset.amount)
    bin.total += BigInt(asset.amount)
    bins.set(start, bin)
  }
  return {
    interval,
    from: periodStart(now, interval),
    to: periodEnd(last, interval),
    bins: [...bins.values()].sort((a, b) => a.start - b.start),
    later: own.reduce(
      (sum, { timestamp, asset }) =>
        BigInt(timestamp) > BigInt(now + farthest) ? sum + BigInt(asset.amount) : sum,
      0n,
    ),
  }
}

/** Unlocks as calendar events; those beyond the calendar's range are left out. */
export function unlockEvents(unlocks: readonly Unlock[]): CalendarEvent[] {
  return unlocks
    .filter(({ timestamp }) => inCalendar(timestamp))
    .map((unlock) => {
      const { timestamp, kind, chainName, asset, txHash, nodeId, estimatedReward, renewsItself } = unlock
      const amount = `${exactAmount(asset.amount, asset.denomination)} ${assetLabel(asset)}`
      const reward = estimatedReward
        ? `Reward, as estimated: ${exactAmount(estimatedReward.amount, estimatedReward.denomination)} ${assetLabel(estimatedReward)}`
        : undefined
      return {
        uid: `${txHash}-${kind}-${timestamp}@ridgeline`,
        at: Number(timestamp),
        title: `${amount} ${renewsItself === true ? 'staked again' : 'free'}: ${waitLabel(unlock)}`,
        notes: [
          chainLabel(chainName) ?? chainName,
          ...(nodeId === undefined ? [] : [`Staked at ${nodeId}`]),
          ...(reward === undefined ? [] : [reward]),
          `Transaction ${txHash}`,
        ].join('\n'),
      }
    })
}
