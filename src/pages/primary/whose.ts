import { cb58Id, walletOrEvmAddress } from '../../../contract/primary/fields.ts'
import { maxListed } from '../../../contract/base/query.ts'
import type { ChainAlias } from '../../lib/primary-chains.ts'

/** What is wrong with a list of addresses, in a sentence; undefined when nothing is. */
export function wrongAddresses(text: string, chain: ChainAlias): string | undefined {
  const all = text.split(',').map((part) => part.trim())
  if (all.length > maxListed) return `Give at most ${maxListed} addresses.`
  for (const one of all) {
    if (!walletOrEvmAddress.safeParse(one).success)
      return `“${one.slice(0, 60)}” is no address: give one such as fuji1… or, for the C-Chain, 0x and 40 hex digits.`
    if (one.startsWith('0x') && chain !== 'c-chain')
      return 'An address with 0x finds atomic transactions of the C-Chain only.'
  }
  return undefined
}

/** Whether a text has the form of a validation id. */
export const isValidationId = (text: string): boolean => cb58Id.safeParse(text).success
