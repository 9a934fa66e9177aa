import type { HistoricalReward } from '../../../../contract/network/rewards.ts'
import { plainAmount } from '../../../lib/amounts.ts'
import { parseDecimal } from '../../shared/decimal.ts'

/** What a reward was worth at the price of its time, exactly; undefined where no price is known. */
export function rewardValue({
  reward,
}: Pick<HistoricalReward, 'reward'>): { currencyCode: string; value: string } | undefined {
  const price = reward.historicalPrice
  const parsed = price && parseDecimal(price.value)
  if (!price || !parsed) return undefined
  const digits = BigInt(reward.amount) * parsed.digits
  return { currencyCode: price.currencyCode, value: plainAmount(digits, reward.denomination + parsed.places) }
}
