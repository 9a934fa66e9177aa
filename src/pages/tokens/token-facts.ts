import { decimalsOf, type TokenFacts } from '../../components/tokens/token-amount.tsx'

type Kinded = TokenFacts & { ercType: string }

/** Whether a token's items are told apart by an id. */
export function isCollection(token: { ercType: string }): boolean {
  return token.ercType === 'ERC-721' || token.ercType === 'ERC-1155'
}

/** A token as its amounts are shown: NFTs are counted whole, whatever decimals the contract claims. */
export function inUnits(token: Kinded): TokenFacts {
  return isCollection(token) ? { ...token, decimals: 0 } : token
}

/** The decimals that amounts of a token are shown with; undefined where it does not tell. */
export const unitDecimals = (token: Kinded): number | undefined => decimalsOf(inUnits(token))
