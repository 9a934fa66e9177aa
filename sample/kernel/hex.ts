import type { Hex } from 'viem'

/** A quantity: no leading zeros. */
export function quantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`
}

/**
 * A number in RLP's encoding: whole bytes without leading zeros, no byte for zero. Throws if it is not a
 * number.
 */
export function numeric(value: string | number | bigint): Hex {
  const digits = BigInt(value).toString(16)
  return digits === '0' ? '0x' : `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}

/** True for a 0x-prefixed string. */
export function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && value.startsWith('0x')
}

/** An address in lower case, without its checksum. */
export function lower(address: Hex): Hex {
  return `0x${address.slice(2).toLowerCase()}`
}
