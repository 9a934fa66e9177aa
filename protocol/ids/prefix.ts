import { hexToBytes } from '@noble/hashes/utils.js'
import { isBase58Digit, valueOfBase58 } from './base58.ts'

/** Bytes from `first` to `last`, both included, of the same length. */
export type ByteRange = { readonly first: Uint8Array; readonly last: Uint8Array }

const checksumBits = 32n
const checksumSize = 4

/** A number as bytes of a fixed length, most significant first. */
const bytesOf = (value: bigint, size: number): Uint8Array =>
  hexToBytes(value.toString(16).padStart(2 * size, '0'))

/**
 * The ranges of ids of `size` bytes whose CB58 text begins with `prefix`. Base 58 writes each leading zero byte
 * as a `1` and the rest as a number without leading zeros, whose number of digits depends on its value: there
 * is a range for each number of digits. The text ends with a checksum, which its first digits do not show, so
 * that an id at either end of a range may have another text: compare the texts of what is found. Empty for a
 * text that is not in base 58, or longer than any such id.
 */
export function cb58Ranges(prefix: string, size: number): ByteRange[] {
  if (prefix === '' || ![...prefix].every(isBase58Digit)) return []
  const whole = size + checksumSize
  const zeros = /^1*/.exec(prefix)?.[0].length ?? 0
  const digits = prefix.slice(zeros)
  if (zeros > whole) return []
  const max = 256n ** BigInt(whole - zeros) - 1n
  const rangeOf = (first: bigint, last: bigint): ByteRange => ({
    first: bytesOf(first >> checksumBits, size),
    last: bytesOf(last >> checksumBits, size),
  })
  if (digits === '') return [rangeOf(0n, max)]
  const min = whole === zeros ? 1n : 256n ** BigInt(whole - zeros - 1)
  const value = valueOfBase58(digits)
  const ranges: ByteRange[] = []
  for (let length = digits.length; 58n ** BigInt(length - 1) <= max; length += 1) {
    const unit = 58n ** BigInt(length - digits.length)
    const first = value * unit
    const last = (value + 1n) * unit - 1n
    if (last < min || first > max) continue
    ranges.push(rangeOf(first < min ? min : first, last > max ? max : last))
  }
  return ranges
}

const bech32Digits = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const addressSize = 20
const addressDigits = (addressSize * 8) / 5

/**
 * The range of addresses of 20 bytes whose bech32 text, after the prefix of the network and the `1`, begins
 * with `digits`. Digits of the checksum do not narrow the range. Undefined for other characters.
 */
export function bech32Range(digits: string): ByteRange | undefined {
  const values = [...digits].map((digit) => bech32Digits.indexOf(digit))
  if (values.length === 0 || values.includes(-1)) return undefined
  const known = values.slice(0, addressDigits)
  const value = known.reduce((sum, digit) => sum * 32n + BigInt(digit), 0n)
  const free = BigInt(5 * (addressDigits - known.length))
  return {
    first: bytesOf(value << free, addressSize),
    last: bytesOf(((value + 1n) << free) - 1n, addressSize),
  }
}

/** The range of values of `size` bytes whose hex text begins with `digits` (lower case, without 0x). */
export function hexRange(digits: string, size: number): ByteRange {
  return {
    first: hexToBytes(digits.padEnd(2 * size, '0')),
    last: hexToBytes(digits.padEnd(2 * size, 'f')),
  }
}
