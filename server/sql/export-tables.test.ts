import { expect, test } from 'vitest'
import { exportKeys, exportTables } from '../../contract/sql/exports.ts'
import { lakeOrder } from '../lake/tables.ts'
import { conditionsOf } from './export-tables.ts'

test('the keys of the contract are the order of the lake', () => {
  for (const table of exportTables) expect([table, exportKeys[table]]).toEqual([table, lakeOrder[table]])
})

test('a key of three columns is exceeded by its last, its second or its first', () => {
  expect(conditionsOf('calls', {}, '7,2,-1').exact).toBe(
    '("number" > 7 or ("number" = 7 and ("tx_index" > 2 or ("tx_index" = 2 and "ordinal" > -1))))',
  )
})
