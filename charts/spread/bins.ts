/** A bin for drawing. */
export type Bin = {
  readonly key: string
  /** The lower bound as it stands on the axis. */
  readonly label: string
  readonly count: number
  /** What each bar shows: percentages of the whole, or the count. */
  readonly values: readonly number[]
  /** Bars from 0 to 1, the height of the longest of all bins. */
  readonly bars: readonly number[]
}

type StakeBin = {
  readonly from: string
  readonly validatorCount: number
  readonly amountStaked: string
  readonly amountDelegated: string
}

/** The validators of a network by stake (nAVAX) and by uptime (percent), as the service counts them. */
export type SentBins = {
  readonly validatorCount: number
  readonly amountStaked: string
  readonly amountDelegated: string
  readonly stake: readonly StakeBin[]
  readonly uptime: readonly { readonly from: number; readonly validatorCount: number }[]
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

/** The stake of a bin, own and delegated. */
export const stakeOf = (bin: Pick<StakeBin, 'amountStaked' | 'amountDelegated'>): bigint =>
  BigInt(bin.amountStaked) + BigInt(bin.amountDelegated)

/** Bins by stake; the bars are the shares of the validators and of the stake, on one scale. */
export function stakeBins(sent: SentBins): Bin[] {
  const whole = stakeOf(sent)
  const shares = sent.stake.map((bin) => [
    percent(BigInt(bin.validatorCount), BigInt(sent.validatorCount)),
    percent(stakeOf(bin), whole),
  ])
  const max = Math.max(1, ...shares.flat())
  return sent.stake.map(({ from, validatorCount }, index) => ({
    key: from,
    label: shortAvax(from),
    count: validatorCount,
    values: shares[index] ?? [],
    bars: (shares[index] ?? []).map((share) => share / max),
  }))
}

/** Bins by uptime; the bar is the number of validators. */
export function uptimeBins(sent: Pick<SentBins, 'uptime'>): Bin[] {
  const max = Math.max(1, ...sent.uptime.map((bin) => bin.validatorCount))
  return sent.uptime.map(({ from, validatorCount }) => ({
    key: String(from),
    label: String(from),
    count: validatorCount,
    values: [validatorCount],
    bars: [validatorCount / max],
  }))
}
