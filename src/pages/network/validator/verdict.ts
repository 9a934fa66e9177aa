import type { Validator } from '../../../../contract/network/validators.ts'
import type { Outlook } from '../../../api/watch/outlook.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import type { Verdict } from '../../../components/verdict.tsx'
import { formatAmount, formatNumber } from '../../../lib/amounts.ts'
import { formatDay, type Zone, spanText } from '../../../lib/time.ts'

type Facts = {
  readonly term: Validator
  /** What its validation can still become; undefined where no deployment can say it. */
  readonly outlook: Outlook | undefined
  readonly isConnected: boolean | undefined
  readonly zone: Zone
}

const percent = (value: number): string => `${formatNumber(value, 2)} %`
const avax = (value: string | bigint): string => `${formatAmount(value, avaxDecimals, 2)} AVAX`

/** What an ended validation was paid. */
function ended({ rewards, validationStatus, removeTimestamp, endTimestamp }: Validator, zone: Zone): Verdict {
  const day = formatDay(removeTimestamp ?? endTimestamp, zone)
  if (validationStatus === 'removed') return { state: 'ended', word: 'removed', text: `Removed on ${day}.` }
  const paid = rewards && BigInt(rewards.validationRewardAmount) + BigInt(rewards.delegationRewardAmount)
  if (paid === undefined) return { state: 'ended', word: 'ended', text: `Ended on ${day}.` }
  return paid === 0n
    ? { state: 'failed', word: 'no reward', text: `Ended on ${day} and was paid no reward.` }
    : { state: 'ended', word: 'rewarded', text: `Ended on ${day} and was paid ${avax(paid)}.` }
}

function active({ term, outlook, isConnected }: Facts): Verdict {
  const uptime = outlook?.uptime
  const up = uptime?.uptimePerformance ?? term.uptimePerformance
  const needs = uptime?.requirement ?? term.uptimeRequirement
  if (up !== undefined && needs === undefined)
    return { state: 'neutral', word: 'active', text: `${percent(up)} up.` }
  if (up === undefined || needs === undefined)
    return { state: 'neutral', word: 'uptime unknown', text: 'This service has no sample of its uptime yet.' }
  const isLow = up < needs
  const start = `${percent(up)} up: ${isLow ? 'below' : 'above'} the ${percent(needs)} it needs`
  const old = uptime?.isStale === true ? ' The sample is old.' : ''
  const away = isConnected === false ? ' Not connected now.' : ''
  const end = `${away}${old}`
  if (!uptime)
    return isLow
      ? { state: 'stale', word: 'reward at risk', text: `${start} for a reward.${end}` }
      : {
          state: isConnected === false ? 'stale' : 'ok',
          word: 'on track',
          text: `${start} for a reward.${end}`,
        }
  if (!uptime.isReachable)
    return {
      state: 'failed',
      word: 'no reward',
      text: `${start}, will get no reward: without further downtime it ends at ${percent(uptime.highest)}.${outlook?.renewsItself === true ? ' The next cycle counts anew.' : ''}${end}`,
    }
  if (uptime.needed <= 0) {
    const reward = outlook?.reward ? `its reward of ${avax(outlook.reward.potential)}` : 'its reward'
    return {
      state: isConnected === false ? 'stale' : 'ok',
      word: 'reward safe',
      text: `${start}, keeps ${reward} even if it goes offline now.${end}`,
    }
  }
  const spare = `can be offline for another ${spanText(uptime.spareSeconds)}`
  return isLow
    ? {
        state: 'stale',
        word: 'reward at risk',
        text: `${start}, must be up ${percent(uptime.needed)} of the time left; ${spare}.${end}`,
      }
    : { state: isConnected === false ? 'stale' : 'ok', word: 'on track', text: `${start}, ${spare}.${end}` }
}

/** Whether a node's main validation earns its reward. */
export function verdictOf(facts: Facts): Verdict {
  const { term, zone } = facts
  switch (term.validationStatus) {
    case 'active':
      return active(facts)
    case 'pending':
      return {
        state: 'pending',
        word: 'pending',
        text: `Starts on ${formatDay(term.startTimestamp, zone)}.`,
      }
    default:
      return ended(term, zone)
  }
}
