import { expect, test } from 'vitest'
import { pagedRows } from '../../lib/paging.ts'
import { hiddenIds, type Column } from './columns.ts'

type Row = { readonly name: string; readonly price?: string }
const column = (
  id: string,
  text: ((row: Row) => string) | undefined,
  rest: Partial<Column<Row>> = {},
): Column<Row> => ({
  id,
  header: id,
  cell: () => null,
  ...(text && { text }),
  ...rest,
})
const columns = [
  column('name', () => '', { always: true }),
  column('price', (row) => row.price ?? ''),
  column('owner', (row) => row.name, { hidden: true }),
  column('mark', undefined),
]
const hidden = (rows: readonly Row[], chosen?: readonly string[]) => [
  ...hiddenIds(columns, chosen, pagedRows([rows])),
]

test('a column that is empty on all rows is not shown, one with a single value is', () => {
  expect(hidden([{ name: 'a' }, { name: 'b' }])).toEqual(['price', 'owner'])
  expect(hidden([{ name: 'a' }, { name: 'b', price: '1' }])).toEqual(['owner'])
  // Nothing is known of a list that has not loaded.
  expect(hidden([])).toEqual(['owner'])
})

test('a value that says nothing on every row hides its column, too', () => {
  const value = column('value', (row) => row.price ?? '0', { isBlank: (row) => (row.price ?? '0') === '0' })
  const shown = (rows: readonly Row[]) => [...hiddenIds([value], undefined, pagedRows([rows]))]
  expect(shown([{ name: 'a' }, { name: 'b', price: '0' }])).toEqual(['value'])
  expect(shown([{ name: 'a' }, { name: 'b', price: '2' }])).toEqual([])
})

test('what the person chose stays, empty or not', () => {
  expect(hidden([{ name: 'a' }], ['owner'])).toEqual(['owner'])
  expect(hidden([{ name: 'a' }], [])).toEqual([])
})
