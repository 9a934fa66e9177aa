import { expect, test } from 'vitest'
import { minus } from '../../../../charts/series/minus.ts'
import { signOf } from './transfer-columns.tsx'

test('a figure has the sign of its direction, and zero has none', () => {
  expect([signOf('in', '5'), signOf('out', '5'), signOf('self', '5')]).toEqual(['+', minus, ''])
  // An NFT has no figure: its sign stands before its id.
  expect([signOf('in', undefined), signOf('out', undefined)]).toEqual(['+', minus])
  expect([signOf('in', '0'), signOf('out', '0')]).toEqual(['', ''])
})
