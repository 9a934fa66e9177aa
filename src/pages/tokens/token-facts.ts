import { decimalsOf, type TokenFacts } from '../../components/tokens/token-amount.tsx'

type Kinded = TokenFacts & { ercType: string }

/** Whether a token's items have ids. */
export function isCollection(token: { ercType: string }): boolean {
  return token.ercType === 'ERC-721' || token.ercType === 'ERC-1155'
}

/** A token as its amounts are shown: NFTs are counted whole, whatever decimals the contract claims. */
export function inUnits(token: Kinded): TokenFacts {
  return isCollection(token) ? { ...token, decimals: 0 } : token
}

/** The decimals of a token's amounts; undefined if the token does not report them. */
export const unitDecimals = (token: Kinded): number | undefined => decimalsOf(inUnits(token))
