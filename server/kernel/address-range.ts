import { BlockList, isIP } from 'node:net'
import { z } from 'zod'

/**
 * Whether this is an address or a CIDR range. The range of all addresses is not allowed, because it would
 * trust everyone.
 */
function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  const bits = Number(prefix)
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && bits >= 1 && bits <= (version === 4 ? 32 : 128))
}

/** A setting: an address of a proxy, or a range of them. */
export const proxyRange = z
  .string()
  .refine(isAddressRange, 'an address, or a range such as 10.0.0.0/8 or fd00::/8, not of all addresses')

/** The addresses of some ranges. `has` also knows an IPv4 address in its IPv6 notation. */
export function addressesOf(ranges: readonly string[]): { has(address: string): boolean } {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return {
    has(address) {
      const family = isIP(address)
      return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
    },
  }
}
