import { formatAmount, formatInteger, formatShare } from '../../lib/amounts.ts'
import { isPrimaryNetwork } from '../../lib/primary-chains.ts'

/** A weight as text: stake in nAVAX on the Primary Network, elsewhere a plain number. */
export const weightText = (weight: bigint | string, subnetId: string | undefined): string =>
  isPrimaryNetwork(subnetId) ? `${formatAmount(weight, 9, 2)} AVAX` : formatInteger(weight)

/** A share in percent. */
export const shareText = (weight: bigint | string, total: bigint | string): string =>
  BigInt(total) === 0n ? '–' : `${formatShare(weight, total)} %`
