const form = /^(\d{1,78})(?:\.(\d{1,78}))?$/

/** A decimal text as an integer and its number of decimals; undefined for other text. */
export function parseDecimal(text: string): { digits: bigint; places: number } | undefined {
  const match = form.exec(text.trim().replaceAll(/[,_\s]/g, ''))
  if (!match) return undefined
  const [, whole = '0', fraction = ''] = match
  return { digits: BigInt(whole + fraction), places: fraction.length }
}

/**
 * A decimal text in a token's unit as an integer of its smallest unit; undefined for other text, too many decimals,
 * or a value above 2^256.
 */
export function toSmallestUnit(text: string, decimals: number): string | undefined {
  const parsed = parseDecimal(text)
  if (!parsed || parsed.places > decimals) return undefined
  const amount = parsed.digits * 10n ** BigInt(decimals - parsed.places)
  return amount < 2n ** 256n ? amount.toString() : undefined
}
