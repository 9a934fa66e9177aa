import { createHash } from 'node:crypto'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Base 58 of the bytes followed by the last four bytes of their SHA-256: how the node writes ids. */
export function cb58(bytes: Uint8Array): string {
  const checksum = createHash('sha256').update(bytes).digest().subarray(-4)
  const all = Buffer.concat([bytes, checksum])
  let rest = BigInt(`0x${all.toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = alphabet.charAt(Number(rest % 58n)) + text
  const zeros = all.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros === -1 ? all.length : zeros) + text
}
