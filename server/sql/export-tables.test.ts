import { expect, test } from 'vitest'
import {
  exportKeys,
  exportTables,
  primaryExportKeys,
  primaryExportTables,
} from '../../contract/sql/exports.ts'
import { evmTables } from '../store/evm/columns.ts'
import { conditionsOf } from './export-tables.ts'
import { primaryTables } from './primary-tables.ts'

test('the keys of the contract are those of the catalogue', () => {
  for (const table of exportTables) expect([table, exportKeys[table]]).toEqual([table, evmTables[table].key])
  for (const table of primaryExportTables) {
    const { key } = primaryTables.find(({ name }) => name === table) ?? {}
    expect([table, primaryExportKeys[table]]).toEqual([table, key])
  }
})

test('a key of three columns is exceeded by its last, its second or its first', () => {
  expect(conditionsOf('calls', {}, '7,2,-1').exact).toBe(
    '("number" > 7 or ("number" = 7 and ("tx_index" > 2 or ("tx_index" = 2 and "ordinal" > -1))))',
  )
})
