/** What is known of a token's unit. `ercType` tells NFTs, which are counted whole, whatever decimals they claim. */
type UnitFacts = {
  readonly symbol?: string | undefined
  readonly decimals?: number | undefined
  readonly ercType?: string | undefined
}

/** The most decimals of an amount in units: one more, and no amount of 256 bits has a digit before the last. */
const max = 77

/** Whether a token's items have ids. */
export const isCollection = ({ ercType }: Pick<UnitFacts, 'ercType'>): boolean =>
  ercType === 'ERC-721' || ercType === 'ERC-1155'

/**
 * The decimals of a token if its amounts can be told in units; undefined if they are told in its smallest ones, because a
 * token may claim any number, or none.
 */
export function decimalsOf(token: UnitFacts): number | undefined {
  const decimals = isCollection(token) ? 0 : token.decimals
  return decimals !== undefined && decimals >= 0 && decimals <= max ? decimals : undefined
}

/** The unit behind an amount of a token: its symbol, or that these are its smallest units. */
export function unitName(token: UnitFacts): string {
  const { symbol = '' } = token
  if (decimalsOf(token) !== undefined) return symbol || 'tokens'
  return symbol === '' ? 'smallest units' : `smallest units of ${symbol}`
}
