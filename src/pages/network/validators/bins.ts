import * as bins from '../../../../charts/spread/bins.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import type { ValidatorDistribution } from '../../../api/network/validators.ts'
import { exactAmount, formatInteger, formatShare } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'
import type { ValidatorsSearch } from './filters.ts'

/** A bin of the page: `words` says all its figures. */
export type Bin = bins.Bin & { readonly words: string }

/** Each bin for drawing with the bin that it is made of. */
function paired<Sent, Drawn>(sent: readonly Sent[], drawn: readonly Drawn[]): (readonly [Sent, Drawn])[] {
  return sent.flatMap((one, index) => {
    const bin = drawn[index]
    return bin === undefined ? [] : [[one, bin] as const]
  })
}

/** Bins by stake (charts/spread/bins.ts). */
export function stakeBins(sent: ValidatorDistribution): Bin[] {
  const whole = bins.stakeOf(sent).toString()
  return paired(sent.stake, bins.stakeBins(sent)).map(([of, bin]) => ({
    ...bin,
    words: `${exactAmount(of.from, avaxDecimals)} to below ${exactAmount(of.below, avaxDecimals)} AVAX: ${formatInteger(of.validatorCount)} ${plural(of.validatorCount, 'validator')} with ${formatShare(bins.stakeOf(of).toString(), whole)} % of the stake`,
  }))
}

/** The filter of the list that lists exactly the validators of a bin by uptime. */
export type UptimeFilter = Pick<ValidatorsSearch, 'minUptime' | 'maxUptime'>

/**
 * The bounds of a bin as a filter. Bounds of the list are inclusive and samples are 32-bit floats: from 16 % on they
 * differ by more than a millionth, so nothing lies between this bound and `below`.
 */
const uptimeFilter = ({ from, below }: ValidatorDistribution['uptime'][number]): UptimeFilter => ({
  minUptime: String(from),
  maxUptime: below === undefined ? undefined : (below - 0.000_001).toFixed(6),
})

/** An upper bound in words: the bounds of bins end a millionth below a round figure. */
export function upperBound(text: string): string {
  if (!/\.\d{6}$/.test(text) || !text.endsWith('9')) return `at most ${text}`
  const round = (Number(text) + 0.000_001).toFixed(6).replace(/\.?0+$/, '')
  return round.length < 6 ? `below ${round}` : `at most ${text}`
}

/** Bins by uptime (charts/spread/bins.ts) with their filters. */
export function uptimeBins(sent: ValidatorDistribution): (Bin & { filter: UptimeFilter })[] {
  return paired(sent.uptime, bins.uptimeBins(sent)).map(([of, bin]) => ({
    ...bin,
    words: `${of.from} to ${of.below === undefined ? '100' : `below ${of.below}`} %: ${formatInteger(of.validatorCount)} ${plural(of.validatorCount, 'validator')}`,
    filter: uptimeFilter(of),
  }))
}
