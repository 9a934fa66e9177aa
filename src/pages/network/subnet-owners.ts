import type { Subnet } from '../../../contract/network/blockchains.ts'

/** Who may act on a subnet: `threshold` of the addresses. Older deployments send the parts one by one. */
export function ownersOf(subnet: Subnet): { addresses: readonly string[]; threshold: number } | undefined {
  if (subnet.subnetOwnershipInfo) return subnet.subnetOwnershipInfo
  if (subnet.ownerAddresses === undefined) return undefined
  return { addresses: subnet.ownerAddresses, threshold: subnet.threshold ?? 1 }
}
