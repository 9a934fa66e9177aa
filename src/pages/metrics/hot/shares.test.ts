import { expect, test } from 'vitest'
import { shareOf } from './shares.ts'

test('a share is exact to a thousandth of a per cent, of counts of any size', () => {
  expect(shareOf('1', '3')).toBe(33.333)
  expect(shareOf('123456789012345678901', '123456789012345678901')).toBe(100)
  expect(shareOf('0', '0')).toBeUndefined()
})
