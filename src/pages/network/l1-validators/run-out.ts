import type { L1Validator } from '../../../../contract/network/validators.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import type { Verdict } from '../../../components/verdict.tsx'
import { formatAmount, formatInteger } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'
import { formatDay, type Zone, spanText } from '../../../lib/time.ts'
import { l1State } from './l1-state.ts'

const day = 86_400
const week = 7 * day
const topUpDays = 30n

/** The last second that a date of a browser can express: what runs out later never does. */
const lastSecond = 8_640_000_000_000

/** When a running validator's balance runs out, in Unix seconds; undefined if it does not, or is not known. */
function emptyAt(validator: L1Validator): number | undefined {
  const at = validator.emptyTimestamp === undefined ? Infinity : Number(validator.emptyTimestamp)
  return l1State(validator) === 'active' && at <= lastSecond ? at : undefined
}

const when = (at: number, now: number, zone: Zone): string =>
  `in ${spanText(Math.max(0, at - now))}, on ${formatDay(at, zone)}`

/** When one validator's balance runs out, and what keeps it going for another 30 days. */
export function runOutOf(validator: L1Validator, now: number, zone: Zone): Verdict | undefined {
  const state = l1State(validator)
  if (state === 'removed')
    return { state: 'ended', word: 'removed', text: 'No longer a validator of its L1.' }
  if (state === 'inactive')
    return {
      state: 'failed',
      word: 'inactive',
      text: 'Its balance is used up: it validates again after a top-up.',
    }
  const at = emptyAt(validator)
  if (at === undefined) return undefined
  const left = BigInt(Math.max(1, at - now))
  const ofDays = (BigInt(validator.remainingBalance) * BigInt(day) * topUpDays) / left
  const cost = `${formatAmount(ofDays, avaxDecimals, 2)} AVAX`
  const isNear = at - now < week
  return {
    state: isNear ? 'stale' : 'ok',
    word: isNear ? 'runs out soon' : 'funded',
    text: `Runs out ${when(at, now, zone)}, at the present fee. Another ${topUpDays} days cost ${cost}.`,
  }
}

/** When the first of an L1's validators runs out. `isWhole`: whether these are all that it has. */
export function firstRunOut(
  validators: readonly L1Validator[],
  isWhole: boolean,
  now: number,
  zone: Zone,
): Verdict {
  const active = validators.filter((one) => l1State(one) === 'active')
  const inactive = validators.filter((one) => l1State(one) === 'inactive').length
  const all = `${isWhole ? '' : 'at least '}${formatInteger(active.length)} active ${plural(active.length, 'validator')}`
  const rest = inactive > 0 ? `, ${formatInteger(inactive)} without a balance` : ''
  if (active.length === 0)
    return {
      state: 'failed',
      word: 'halted',
      text: `No validator is active${rest}.`,
    }
  const ends = active.flatMap((one) => emptyAt(one) ?? []).toSorted((left, right) => left - right)
  const [first] = ends
  if (first === undefined) return { state: 'ok', word: 'running', text: `${all}${rest}.` }
  const near = ends.filter((at) => at - now < week).length
  const isNear = near > 0
  return {
    state: isNear ? 'stale' : inactive > 0 ? 'stale' : 'ok',
    word: isNear ? 'runs out soon' : 'running',
    text: `${all}${rest}. The first one runs out ${when(first, now, zone)}.${near > 1 ? ` ${formatInteger(near)} run out within a week.` : ''}`,
  }
}
