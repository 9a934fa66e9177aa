import { avaxDecimals } from '../../../components/asset-amount.tsx'
import type { ValidatorDistribution } from '../../../api/network/validators.ts'
import { exactAmount, formatInteger, formatShare } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'
import type { ValidatorsSearch } from './filters.ts'

/** A bin for drawing. Shares are in percent; `height` is the share of the longest bar, 0 to 1. */
export type Bin = {
  readonly key: string
  /** The lower bound as it stands on the axis. */
  readonly label: string
  /** All figures of the bin in words. */
  readonly words: string
  readonly count: number
  readonly bars: readonly number[]
}

const percent = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 10_000

const units = [
  [1_000_000n, 'M'],
  [1_000n, 'k'],
] as const

/** A round number of nAVAX in AVAX, short enough for an axis: `500`, `2k`, `1M`. */
export function shortAvax(nanoAvax: string): string {
  const avax = BigInt(nanoAvax) / 1_000_000_000n
  for (const [size, name] of units) if (avax >= size) return `${avax / size}${name}`
  return avax.toString()
}

/** Bins by stake; the bars are the shares of the validators and of the stake, on one scale. */
export function stakeBins(sent: ValidatorDistribution): Bin[] {
  const whole = BigInt(sent.amountStaked) + BigInt(sent.amountDelegated)
  const shares = sent.stake.map((bin) => [
    percent(BigInt(bin.validatorCount), BigInt(sent.validatorCount)),
    percent(BigInt(bin.amountStaked) + BigInt(bin.amountDelegated), whole),
  ])
  const most = Math.max(1, ...shares.flat())
  return sent.stake.map((bin, index) => {
    const held = BigInt(bin.amountStaked) + BigInt(bin.amountDelegated)
    return {
      key: bin.from,
      label: shortAvax(bin.from),
      words: `${exactAmount(bin.from, avaxDecimals)} to below ${exactAmount(bin.below, avaxDecimals)} AVAX: ${formatInteger(bin.validatorCount)} ${plural(bin.validatorCount, 'validator')} with ${formatShare(held.toString(), whole.toString())} % of the stake`,
      count: bin.validatorCount,
      bars: (shares[index] ?? []).map((share) => share / most),
    }
  })
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

/** Bins by uptime with their filters; the bar is the number of validators. */
export function uptimeBins(sent: ValidatorDistribution): (Bin & { filter: UptimeFilter })[] {
  const most = Math.max(1, ...sent.uptime.map((bin) => bin.validatorCount))
  return sent.uptime.map((bin) => ({
    key: String(bin.from),
    label: String(bin.from),
    words: `${bin.from} to ${bin.below === undefined ? '100' : `below ${bin.below}`} %: ${formatInteger(bin.validatorCount)} ${plural(bin.validatorCount, 'validator')}`,
    count: bin.validatorCount,
    bars: [bin.validatorCount / most],
    filter: uptimeFilter(bin),
  }))
}
