import { maxListed } from '../../../../contract/base/query.ts'
import type { Owners } from '../../../api/primary/address.ts'
import type { NetworkName } from '../../../api/current.ts'
import { bareAddress } from '../../../lib/primary-chains.ts'

/** What each part of the page is about. */
export type Wallet = { network: NetworkName; owners: Owners }

const walletAddress = /^[a-z]{1,16}1[02-9ac-hj-np-z]{38}$/

/**
 * The addresses of a path, each once and without the letter of a chain; undefined where one of them is no
 * address, or where they are more than the operations take.
 */
export function ownersOf(text: string): Owners | undefined {
  const all = text.split(',').map((part) => bareAddress(part.trim()))
  const owners = [...new Set(all)]
  return owners.length <= maxListed && owners.every((one) => walletAddress.test(one)) ? owners : undefined
}
