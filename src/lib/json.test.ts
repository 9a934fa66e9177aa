import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalText } from './json.ts'

test('decimal text has no exponent and the same value', () => {
  expect(decimalText(1e-7)).toBe('0.0000001')
  expect(decimalText(1.25e-9)).toBe('0.00000000125')
  expect(decimalText(1e21)).toBe('1000000000000000000000')
  expect(decimalText(-1.5e22)).toBe('-15000000000000000000000')
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(decimalText(value)).not.toContain('e')
      expect(Number(decimalText(value))).toBe(value === 0 ? 0 : value)
    }),
  )
})
