import { expect, test } from 'vitest'
import { explainError, namesMeant } from './explain-error.ts'

const table = (name: string, ...columns: string[]) => ({
  name,
  columns: columns.map((column) => ({ name: column, type: 'VARCHAR', description: '' })),
})
const tables = [
  table('transactions', 'chain', 'hash', 'sender', 'recipient', 'status', 'time', 'max_fee', 'value'),
  table('blocks', 'chain', 'hash', 'number', 'time', 'gas_used'),
]

test('the column that was meant is named, marked, and its table is opened', () => {
  const sql = 'select tx_hsh from transactions limit 1'
  const message =
    'Binder Error: Referenced column "tx_hsh" not found in FROM clause!\nCandidate bindings: "status", "ts", "max_fee"\n\nLINE 1: select tx_hsh from transactions limit 1\n               ^'
  const { text, meant, mark, tables: opened } = explainError(message, sql, tables)
  expect(text).toBe('There is no column tx_hsh in transactions. Did you mean hash?')
  expect(meant[0]).toBe('hash')
  expect(mark && sql.slice(mark.from, mark.to)).toBe('tx_hsh')
  expect(opened).toEqual(['transactions'])
})

test('a column of another explorer is translated', () => {
  const names = tables[0]?.columns.map(({ name }) => name) ?? []
  expect(namesMeant('to_address', names)[0]).toBe('recipient')
  expect(namesMeant('from', names)[0]).toBe('sender')
  expect(namesMeant('block_timestamp', names)[0]).toBe('time')
  expect(namesMeant('recipent', names)[0]).toBe('recipient')
  expect(namesMeant('zzzz', names)).toEqual([])
  const message =
    'Binder Error: Values list "t" does not have a column named "to_address"\n\nLINE 1: x\n        ^'
  expect(explainError(message, 'select t.to_address from transactions t', tables).text).toContain(
    'Did you mean recipient',
  )
})

test('a mistake is marked on its own line, also where the engine cuts a long one', () => {
  const sql = 'select hash\nfrm transactions'
  const message =
    'Parser Error: syntax error at or near "transactions"\n\nLINE 2: frm transactions\n            ^'
  const { text, mark } = explainError(message, sql, tables)
  expect(text).toBe('Syntax error at “transactions”.')
  expect(mark && sql.slice(mark.from, mark.to)).toBe('transactions')
  const long = `select ${'1, '.repeat(60)}tx_hsh from transactions`
  const cut = `LINE 1: ...${long.slice(140)}\n${' '.repeat(8 + 3 + long.indexOf('tx_hsh') - 140)}^`
  const found = explainError(`Referenced column "tx_hsh" not found\n\n${cut}`, long, tables)
  expect(found.mark && long.slice(found.mark.from, found.mark.to)).toBe('tx_hsh')
})

test('a table that was meant is named; other errors keep the words of the engine', () => {
  const message = 'Catalog Error: Table with name transaction does not exist!\nDid you mean "x"?'
  expect(explainError(message, 'select 1 from transaction', tables)).toMatchObject({
    text: 'There is no table transaction. Did you mean transactions?',
    tables: ['transactions'],
  })
  expect(explainError('read_text() is not available', 'select 1', tables).text).toBeUndefined()
})
