const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const signatureLength = 96

/** A signed message without its 0x, as a hex file or a contract call needs it. */
export const bareHex = (hex: string): string => hex.replace(/^0x/i, '')

/**
 * The signers of a signed message as indices in the canonical set, from its bit set (signed message = unsigned, 4
 * bytes of type, 4 of length, bit set, signature). Undefined for other bytes.
 */
export function signersIn(signedMessage: string): number[] | undefined {
  const hex = bareHex(signedMessage)
  if (!/^([0-9a-fA-F]{2})+$/.test(hex)) return undefined
  const bytes = bytesOf(hex)
  const view = new DataView(bytes.buffer)
  const payloadAt = 2 + 4 + 32
  if (bytes.length < payloadAt + 4) return undefined
  const typeAt = payloadAt + 4 + view.getUint32(payloadAt)
  if (bytes.length < typeAt + 8 || view.getUint32(typeAt) !== 0) return undefined
  const from = typeAt + 8
  const end = from + view.getUint32(typeAt + 4)
  if (bytes.length !== end + signatureLength) return undefined
  // The bit set is one big-endian number: its last byte has the first eight signers.
  return [...bytes.subarray(from, end)]
    .toReversed()
    .flatMap((byte, index) =>
      [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (byte >> bit) & 1).map((bit) => index * 8 + bit),
    )
}
