import type { Subnet } from '../../../contract/network/blockchains.ts'

/**
 * The owners of a subnet: `threshold` of the addresses must sign. Older deployments send the parts as separate
 * fields.
 */
export function ownersOf(subnet: Subnet): { addresses: readonly string[]; threshold: number } | undefined {
  if (subnet.subnetOwnershipInfo) return subnet.subnetOwnershipInfo
  if (subnet.ownerAddresses === undefined) return undefined
  return { addresses: subnet.ownerAddresses, threshold: subnet.threshold ?? 1 }
}
