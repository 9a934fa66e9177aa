import { expect, test } from 'vitest'
import { toSmallestUnit } from './decimal.ts'

test('converts a threshold to the token’s smallest unit exactly, or rejects it', () => {
  expect(toSmallestUnit('1,234.5', 6)).toBe('1234500000')
  expect(toSmallestUnit('0.000000000000000001', 18)).toBe('1')
  expect(toSmallestUnit('7', 0)).toBe('7')
  for (const text of ['0.0000001', '-1', '1e3', '', '1.', '.5', 'x', '9'.repeat(78)])
    expect(toSmallestUnit(text, 6), text).toBeUndefined()
})
