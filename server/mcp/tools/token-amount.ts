import { formatUnits } from 'viem'
import { decimalsOf, type unitName } from '../../../protocol/evm/token-units.ts'

/** What the output says of the two fields. */
export const amountWords = 'In the unit that `unit` names'
export const unitWords =
  'What amounts count: whole tokens by their symbol, or `smallest units` where they are not told in whole ones'

type Token = Parameters<typeof unitName>[0]

/** An amount of a token as tools tell it. It needs its unit beside it: one of smallest units reads as one of whole tokens. */
export function tokenAmount(raw: string, token: Token): string {
  const decimals = decimalsOf(token)
  return decimals === undefined ? raw : formatUnits(BigInt(raw), decimals)
}
