/** A plain decimal: digits with at most one point between them. No sign, no exponent. */
export const decimalPattern = /^\d{1,60}(\.\d{1,60})?$/

/** Number of decimals of a value; further digits are truncated, never rounded up. */
const maxDecimals = 18

/**
 * The value of an amount: `amount` units of 10^-`decimals` at `price` per whole unit, exact up to 18
 * decimals. `amount`, `price` and the result are decimal texts.
 */
export function worthOf(amount: string, decimals: number, price: string): string {
  const [whole = '0', fraction = ''] = price.split('.')
  const product = BigInt(amount) * BigInt(whole + fraction)
  return placePoint(product, decimals + fraction.length)
}

/** `digits` × 10^-`decimals` as text, without trailing zeros. */
function placePoint(digits: bigint, decimals: number): string {
  const surplus = Math.max(0, decimals - maxDecimals)
  const kept = decimals - surplus
  const text = (digits / 10n ** BigInt(surplus)).toString().padStart(kept + 1, '0')
  const fraction = text.slice(text.length - kept).replace(/0+$/, '')
  const whole = text.slice(0, text.length - kept)
  return kept === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}
