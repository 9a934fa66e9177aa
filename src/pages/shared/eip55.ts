import { getAddress } from 'viem/utils'

/** Whether an address in both cases has those that EIP-55 derives from it; an address in one case has no checksum. */
export function isEip55(address: string): boolean {
  const digits = address.slice(2)
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true
  return getAddress(`0x${digits.toLowerCase()}`).slice(2) === digits
}
