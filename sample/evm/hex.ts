/** Bytes or a quantity as the node's JSON-RPC writes them. */
export type Hex = `0x${string}`

/** A quantity: no leading zeros. */
export function quantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`
}

/** True for a 0x-prefixed string. */
export function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && value.startsWith('0x')
}

/** An address without the capitals of its checksum. */
export function lower(address: Hex): Hex {
  return `0x${address.slice(2).toLowerCase()}`
}
