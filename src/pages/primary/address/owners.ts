import { bech32 } from '@scure/base'
import { maxListed } from '../../../../contract/base/query.ts'
import type { Owners } from '../../../api/primary/address.ts'
import type { NetworkName } from '../../../api/current.ts'
import { bareAddress } from '../../../lib/primary-chains.ts'

/** The network and owners of a page's tab. */
export type Wallet = { network: NetworkName; owners: Owners }

const walletAddress = /^[a-z]{1,16}1[02-9ac-hj-np-z]{38}$/

/**
 * The addresses in a path, without duplicates and chain prefixes; undefined if one is invalid, or if there are more
 * than the operations accept.
 */
export function ownersOf(text: string): Owners | undefined {
  const all = text.split(',').map((part) => bareAddress(part.trim()))
  const owners = [...new Set(all)]
  return owners.length <= maxListed &&
    owners.every((one) => walletAddress.test(one) && bech32.decodeUnsafe(one) !== undefined)
    ? owners
    : undefined
}
