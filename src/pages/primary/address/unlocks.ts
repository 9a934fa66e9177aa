import type { Unlock } from '../../../api/primary/address.ts'
import { assetLabel } from '../../../components/asset-amount.tsx'
import { exactAmount } from '../../../lib/amounts.ts'
import { inCalendar, type CalendarEvent } from '../../../lib/ics.ts'
import { chainLabel } from '../../../lib/primary-chains.ts'
import { unlockKinds } from '../../../../charts/spread/unlocks.ts'

/** The name of an unlock's kind; an unknown kind is shown as it is. */
export const waitLabel = ({ kind, renewsItself }: Unlock): string =>
  renewsItself === true
    ? 'Period ends, renews itself'
    : (unlockKinds.find(({ id }) => id === kind)?.label ?? kind)

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
