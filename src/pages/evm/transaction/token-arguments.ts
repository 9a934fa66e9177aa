import { decimalsOf } from '../../../../protocol/evm/token-units.ts'
import type { DecodedArgument } from '../../../../contract/evm/transactions.ts'
import { type TokenFacts } from '../../../components/tokens/token-amount.tsx'

/** The names that ERC-20 contracts give to amounts of themselves. */
const amountNames = /^_?(value|amount|wad|addedValue|subtractedValue|rawAmount)$/i

/** Whether an approval is unlimited, so that its amount has no meaning. */
export const isEndless = (amount: bigint): boolean => amount >= 2n ** 255n

/** Whether an argument of a token's call or event is an amount of the token, by its type and its name. */
export function isTokenAmount({ type, name, value }: DecodedArgument, contract: TokenFacts): boolean {
  return (
    type === 'uint256' &&
    amountNames.test(name) &&
    decimalsOf(contract) !== undefined &&
    typeof value === 'string' &&
    !isEndless(BigInt(value))
  )
}
