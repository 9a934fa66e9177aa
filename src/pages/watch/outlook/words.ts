import type { Outlook } from '../../../api/watch/outlook.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { formatAmount, formatNumber } from '../../../lib/amounts.ts'
import { spanText } from '../shared/words.ts'

/** What is still reachable, and what is lost if the node stops now, in a sentence or two. */
export function outlookSentence({ uptime, reward, renewsItself }: Outlook): string {
  if (!uptime) return 'Its uptime is unknown, so its reward cannot be estimated.'
  const { uptimePerformance, requirement, needed, isReachable, spareSeconds, highest } = uptime
  const required = `${formatNumber(requirement, 2)} %`
  const old = uptime.isStale ? ' This is by an old sample.' : ''
  const paid = reward ? `, and its reward of ${formatAmount(reward.potential, avaxDecimals, 2)} AVAX,` : ''
  if (!isReachable)
    return `It can no longer reach ${required}: without further downtime it ends at ${formatNumber(highest, 2)} %${reward ? `, and earns nothing` : ''}.${renewsItself ? ' The next period begins anew.' : ''}${old}`
  if (needed <= 0)
    return `It has ${required}${paid} safe: even if it stops now, enough of its time is up.${old}`
  const verb = uptimePerformance < requirement ? 'It is below its requirement: it needs' : 'It needs'
  return `${verb} ${formatNumber(needed, 2)} % from here to reach ${required}; it can be offline for another ${spanText(spareSeconds)}.${old}`
}

/** Whether as many blocks were proposed as the stake lets one expect. */
export function proposalsSentence({
  proposedCount,
  expectedCount,
  low,
  high,
}: NonNullable<Outlook['proposals']>): string {
  const expected = formatNumber(expectedCount, 1)
  const band = `${low}–${high} in 95 of 100 cases`
  if (proposedCount < low)
    return `It proposed ${proposedCount} blocks where ${expected} were expected (${band}): fewer than chance explains, so it missed turns.`
  if (proposedCount > high)
    return `It proposed ${proposedCount} blocks where ${expected} were expected (${band}): more than its present stake explains.`
  return `It proposed ${proposedCount} blocks where ${expected} were expected (${band}): as many as its stake predicts.`
}

/** The places of the picture of proposals, in percent of its width: the band, the expected and the proposed count. */
export function proposalPlaces({
  proposedCount,
  expectedCount,
  low,
  high,
}: NonNullable<Outlook['proposals']>): {
  low: number
  high: number
  expected: number
  proposed: number
} {
  const max = Math.max(proposedCount, high, expectedCount, 1) * 1.15
  const place = (value: number): number => (value / max) * 100
  return {
    low: place(low),
    high: place(high),
    expected: place(expectedCount),
    proposed: place(proposedCount),
  }
}
