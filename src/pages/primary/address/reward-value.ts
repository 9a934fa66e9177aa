import type { HistoricalReward } from '../../../../contract/network/rewards.ts'
import { plainAmount } from '../../../lib/amounts.ts'
import { parseDecimal } from '../../shared/decimal.ts'

/** The exact value of a reward at the price of its time; undefined without a price. */
export function rewardValue({
  reward,
}: Pick<HistoricalReward, 'reward'>): { currencyCode: string; value: string } | undefined {
  const price = reward.historicalPrice
  const parsed = price && parseDecimal(price.value)
  if (!price || !parsed) return undefined
  const digits = BigInt(reward.amount) * parsed.digits
  return { currencyCode: price.currencyCode, value: plainAmount(digits, reward.denomination + parsed.places) }
}
