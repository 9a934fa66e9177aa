import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { bech32Range, cb58Ranges, hexRange, type ByteRange } from './prefix.ts'
import { addressText, cb58, hexText } from './text.ts'

/** Reproducible bytes, some with leading zeros, as texts with leading ones have. */
const samples = (size: number): Buffer[] =>
  Array.from({ length: 300 }, (_, seed) => {
    const bytes = createHash('sha512').update(`${size} ${seed}`).digest().subarray(0, size)
    return Buffer.concat([Buffer.alloc(seed % 4), bytes]).subarray(0, size)
  })
const holds = ({ first, last }: ByteRange, bytes: Buffer): boolean =>
  Buffer.compare(first, bytes) <= 0 && Buffer.compare(bytes, last) <= 0

test.each([20, 32])(
  'the ranges of a beginning hold exactly the ids of %i bytes that begin with it',
  (size) => {
    const all = [...samples(size), Buffer.alloc(size), Buffer.alloc(size, 255)]
    for (const id of all.slice(0, 60).concat(all.slice(-2))) {
      for (const length of [1, 2, 3, 6, 11, 30]) {
        const prefix = cb58(id).slice(0, length)
        const ranges = cb58Ranges(prefix, size)
        for (const other of all) {
          const inside = ranges.some((range) => holds(range, other))
          if (cb58(other).startsWith(prefix)) expect(inside, `${prefix} of ${cb58(other)}`).toBe(true)
          // Only at the ends of a range does the checksum decide.
          else if (inside)
            expect(ranges.some(({ first, last }) => other.equals(first) || other.equals(last))).toBe(true)
        }
      }
    }
  },
)

test('a text that is not in base 58, or too long, has no ranges', () => {
  expect(cb58Ranges('0OIl', 20)).toEqual([])
  expect(cb58Ranges('', 20)).toEqual([])
  expect(cb58Ranges('z'.repeat(200), 20)).toEqual([])
  expect(cb58Ranges('1'.repeat(25), 20)).toEqual([])
})

test('the range of a beginning of an address holds exactly the addresses that begin with it', () => {
  const all = samples(20)
  for (const address of all.slice(0, 40)) {
    const digits = addressText(address, 'fuji').slice(5)
    for (const length of [1, 2, 7, 31, 32, 38]) {
      const range = bech32Range(digits.slice(0, length))
      for (const other of all)
        expect(range !== undefined && holds(range, other)).toBe(
          addressText(other, 'fuji')
            .slice(5)
            .startsWith(digits.slice(0, Math.min(length, 32))),
        )
    }
  }
  expect(bech32Range('b')).toBeUndefined()
  expect(bech32Range('')).toBeUndefined()
})

test('an odd number of hex digits is half a byte', () => {
  const { first, last } = hexRange('82c7b', 4)
  expect([hexText(first), hexText(last)]).toEqual(['0x82c7b000', '0x82c7bfff'])
})
