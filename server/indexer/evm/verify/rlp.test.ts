import * as fc from 'fast-check'
import { type Hex, toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { encodeRlp, RlpWriter } from './rlp.ts'
import { toHex } from './trie.ts'

const text = fc
  .oneof(fc.uint8Array({ maxLength: 3 }), fc.uint8Array({ minLength: 50, maxLength: 300 }))
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
type Nested = Hex | Nested[]
const { item } = fc.letrec<{ item: Nested }>((tie) => ({
  item: fc.oneof({ depthSize: 'small' }, text, fc.array(tie('item'), { maxLength: 8 })),
}))

describe('RLP', () => {
  test('is what another implementation writes, from text and from bytes', () => {
    const inBytes = (nested: Nested): Uint8Array | (Uint8Array | unknown[])[] =>
      typeof nested === 'string' ? Buffer.from(nested.slice(2), 'hex') : nested.map(inBytes)
    fc.assert(
      fc.property(item, (nested) => {
        expect(toHex(encodeRlp(nested))).toBe(toRlp(nested))
        expect(toHex(encodeRlp(inBytes(nested) as Uint8Array))).toBe(toRlp(nested))
      }),
      { numRuns: 300 },
    )
  })

  test('has prefixes for every length of a length', () => {
    for (const size of [0, 1, 55, 56, 255, 256, 65_535, 65_536, 16_777_216]) {
      const bytes = new Uint8Array(size).fill(0x7f)
      expect(Buffer.from(encodeRlp(bytes)).equals(toRlp(bytes, 'bytes')), `${size} bytes`).toBe(true)
      expect(Buffer.from(encodeRlp([bytes])).equals(toRlp([bytes], 'bytes')), `${size} in a list`).toBe(true)
    }
  })

  test('keeps what was given while the writer grows, and begins anew when it is cleared', () => {
    const writer = new RlpWriter(4)
    const given = Array.from({ length: 40 }, (_, index) => {
      const before = writer.length
      writer.item([`0x${'ab'.repeat(index)}`])
      return writer.since(before)
    })
    given.forEach((bytes, index) => expect(toHex(bytes)).toBe(toRlp([`0x${'ab'.repeat(index)}`])))
    writer.clear().item('0x01')
    expect(toHex(writer.since(0))).toBe('0x01')
  })

  test('writes what is not text of bytes without harm to what is beside it', () => {
    for (const odd of ['', '0', '0x1', 'xyz']) {
      const written = encodeRlp(['0x0102', odd, '0x0304'])
      expect(toHex(written)).toMatch(/820102.*820304$/)
    }
  })
})
