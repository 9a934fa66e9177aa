import { keccak256 as keccakOfViem } from 'viem'
import { describe, expect, test } from 'vitest'
import { keccak256 } from './keccak.ts'
import { toHex } from '../indexer/evm/verify/trie.ts'

describe('keccak256', () => {
  test('gives the known hash of nothing', () => {
    expect(toHex(keccak256(new Uint8Array()))).toBe(
      '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    )
  })

  test('agrees with another implementation at every length around its blocks', () => {
    const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => (index * 167 + 13) % 256)
    for (let length = 0; length <= bytes.length; length += 1) {
      const input = bytes.subarray(0, length)
      expect(toHex(keccak256(input)), `${length} bytes`).toBe(keccakOfViem(input))
    }
  })

  test('takes more than its memory holds at first', () => {
    const bytes = new Uint8Array(1_000_000).fill(7)
    expect(toHex(keccak256(bytes))).toBe(keccakOfViem(bytes))
  })
})
