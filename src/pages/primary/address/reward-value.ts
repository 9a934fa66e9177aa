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

/**
 * A value rounded to the digits of its currency, half away from zero: for files, which are read as money. An unknown
 * currency has two digits.
 */
export function moneyText({ currencyCode, value }: { currencyCode: string; value: string }): string {
  const digits = currencyDigits(currencyCode)
  const parsed = parseDecimal(value)
  if (!parsed) return value
  if (parsed.places <= digits) return plainAmount(parsed.digits, parsed.places)
  const unit = 10n ** BigInt(parsed.places - digits)
  const half = parsed.digits < 0n ? -unit / 2n : unit / 2n
  return plainAmount((parsed.digits + half) / unit, digits)
}

function currencyDigits(code: string): number {
  try {
    const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: code })
    return format.resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    // Not a code of ISO 4217.
    return 2
  }
}
