import { expect, test } from 'vitest'
import { shareOf, shareText } from './shares.ts'

test('a share is exact to a thousandth of a per cent, of counts of any size', () => {
  expect(shareOf('1', '3')).toBe(33.333)
  expect(shareOf('123456789012345678901', '123456789012345678901')).toBe(100)
  expect(shareOf('0', '0')).toBeUndefined()
})

test('shares of a column have one decimal', () => {
  expect([12, 9.8, 0.745, 0.1, 0.067, 0, 100].map(shareText)).toEqual([
    '12.0 %',
    '9.8 %',
    '0.7 %',
    '0.1 %',
    '<0.1 %',
    '0.0 %',
    '100.0 %',
  ])
})
