import { base58 } from '@scure/base'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase58, encodeBase58 } from './base58.ts'

test('is base 58 as the library has it, leading zeros included', () => {
  const bytes = fc
    .tuple(fc.nat({ max: 5 }), fc.uint8Array({ maxLength: 60 }))
    .map(([zeros, rest]) => new Uint8Array([...new Uint8Array(zeros), ...rest]))
  fc.assert(
    fc.property(bytes, (each) => {
      const text = base58.encode(each)
      expect(encodeBase58(each)).toBe(text)
      expect(decodeBase58(text)).toEqual(each)
    }),
    { numRuns: 2_000 },
  )
})

test.each(['0', 'O', 'I', 'l', ' ', '1é', '11111111111/'])('refuses %j', (text) => {
  expect(decodeBase58(text)).toBeUndefined()
})
