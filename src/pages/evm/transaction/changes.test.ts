import { expect, test } from 'vitest'
import { hasOtherChanges } from './changes.ts'

test.each([
  ['-30', '100', '70', false],
  ['-30', '100', '71', true],
  ['5', '0', '5', false],
  ['115792089237316195423570985008687907853269984665640564039457584007913129639935', '1', '1', true],
  ['5', undefined, '5', false],
  ['5', '5', undefined, false],
])('%s between %s and %s', (change, balanceBefore, balanceAfter, expected) => {
  expect(hasOtherChanges({ change, balanceBefore, balanceAfter })).toBe(expected)
})
