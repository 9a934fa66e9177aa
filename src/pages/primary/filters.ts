import * as z from 'zod/mini'
import { cb58Id, walletOrEvmAddress } from '../../../contract/primary/fields.ts'
import { cTxTypes, pTxTypes, xTxTypes, type PrimaryTxType } from '../../../contract/primary/transactions.ts'
import { maxListed } from '../../../contract/base/query.ts'
import type { PrimaryTxFilters } from '../../api/primary/transactions.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { wholeNumberInUrl } from '../../lib/search-params.ts'

/** The filters of a list of transactions in the URL; types and addresses are separated by commas. */
export const filterSchema = z.object({
  of: z.catch(z.string().check(z.maxLength(8192)), ''),
  l1: z.catch(z.string().check(z.maxLength(64)), ''),
  types: z.catch(z.string().check(z.maxLength(1024)), ''),
  after: wholeNumberInUrl,
  before: wholeNumberInUrl,
})
export type FilterState = z.infer<typeof filterSchema>

/** The transaction types of each chain. */
export const typesOfChain: Record<PrimaryChainAlias, readonly PrimaryTxType[]> = {
  'p-chain': pTxTypes,
  'x-chain': xTxTypes,
  'c-chain': cTxTypes,
}

/** The chosen types that exist on the chain. */
export function chosenTypes(state: FilterState, chain: PrimaryChainAlias): PrimaryTxType[] {
  const named = new Set(state.types.split(','))
  return typesOfChain[chain].filter((type) => named.has(type))
}

/** Whether the list is of an address or, on the P-Chain, of an L1 validation. */
const isOfSomeone = (state: FilterState, chain: PrimaryChainAlias): boolean =>
  state.of !== '' || (chain === 'p-chain' && state.l1 !== '')

/**
 * Why types and dates cannot filter the list, as a sentence; undefined if they can. The interface has these filters
 * with an address only (docs/api.md, Primary network); `hasByType`: whether the deployment has our own list too.
 */
export function whyNotNarrowed(
  state: FilterState,
  chain: PrimaryChainAlias,
  hasByType: boolean,
): string | undefined {
  if (hasByType || isOfSomeone(state, chain)) return undefined
  return chain === 'p-chain'
    ? 'To filter by type or date, give an address or an L1 validation first.'
    : 'To filter by type or date, give an address first.'
}

/** The request's filters: those that the deployment does not support for this chain are left out. */
export function filtersOf(
  state: FilterState,
  chain: PrimaryChainAlias,
  hasByType: boolean,
): PrimaryTxFilters {
  const types = chosenTypes(state, chain)
  return {
    ...(state.of !== '' && { addresses: state.of }),
    ...(chain === 'p-chain' && state.l1 !== '' && { l1ValidationId: state.l1 }),
    ...(whyNotNarrowed(state, chain, hasByType) === undefined && {
      types: types.length > 0 ? types : undefined,
      after: state.after,
      before: state.before,
    }),
  }
}

/** Why a list of addresses is invalid, as a sentence; undefined for a valid one. */
export function wrongAddresses(text: string, chain: PrimaryChainAlias): string | undefined {
  const all = text.split(',').map((part) => part.trim())
  if (all.length > maxListed) return `Give at most ${maxListed} addresses.`
  for (const one of all) {
    if (!walletOrEvmAddress.safeParse(one).success)
      return `“${one.slice(0, 60)}” is not an address: give one such as fuji1… or, for the C-Chain, 0x and 40 hex digits.`
    if (one.startsWith('0x') && chain !== 'c-chain')
      return 'An address with 0x finds atomic transactions of the C-Chain only.'
  }
  return undefined
}

/**
 * Whether text has the form of a validation ID. An address may have it too: one in twelve has neither 0 nor l, which
 * are what sets bech32 apart from base58.
 */
export const isValidationId = (text: string): boolean =>
  cb58Id.safeParse(text).success && !walletOrEvmAddress.safeParse(text).success
