import { expect, test } from 'vitest'
import { completions, wordBefore } from './completion.ts'

const column = (name: string) => ({ name, type: 'BIGINT', description: '' })
const tables = [
  { name: 'blocks', group: '', description: '', columns: [column('number'), column('base_fee')] },
  { name: 'transactions', group: '', description: '', columns: [column('nonce')] },
]
const texts = (sql: string, caret = sql.length): string[] =>
  completions(tables, sql, caret).map(({ text }) => text)

test('columns of the tables that are named come first, then tables, then keywords', () => {
  expect(texts('select b', 8)).toEqual(['blocks', 'between'])
  expect(texts('select b from blocks', 8)).toEqual(['base_fee', 'blocks', 'between'])
  expect(texts('select n from blocks', 8)).toEqual(['number'])
  expect(texts('from transactions where n')).toEqual(['nonce'])
})

test('nothing is offered in a text, after a blank, and for a complete word', () => {
  expect(texts("select 'b")).toEqual([])
  expect(texts("select 'x' || b")).toEqual(['blocks', 'between'])
  expect(texts('select ')).toEqual([])
  expect(texts('from blocks')).toEqual([])
})

test('the word before the caret is what is replaced', () => {
  expect(wordBefore('select base_f, x', 13)).toBe('base_f')
  expect(wordBefore('t.num', 5)).toBe('num')
  expect(wordBefore('1 + ', 4)).toBe('')
})
