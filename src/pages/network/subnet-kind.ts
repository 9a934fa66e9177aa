import type { Subnet } from '../../../contract/network/blockchains.ts'
import { isPrimaryNetwork } from '../../lib/primary-chains.ts'

/** What a subnet is, in words. */
export const subnetKind = ({ subnetId, isL1 }: Pick<Subnet, 'subnetId' | 'isL1'>): string =>
  isPrimaryNetwork(subnetId) ? 'Primary Network' : isL1 ? 'L1' : 'Subnet'
