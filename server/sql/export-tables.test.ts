import { expect, test } from 'vitest'
import { conditionsOf } from './export-tables.ts'

test('a key of three columns is exceeded by its last, its second or its first', () => {
  expect(conditionsOf('calls', {}, '7,2,-1').exact).toBe(
    '("number" > 7 or ("number" = 7 and ("tx_index" > 2 or ("tx_index" = 2 and "ordinal" > -1))))',
  )
})
