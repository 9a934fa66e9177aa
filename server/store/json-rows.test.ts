import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import {
  columnsOf,
  digits,
  flag,
  height,
  hex,
  hexList,
  integer,
  jsonLines,
  jsonOf,
  joinLines,
  list,
  nullable,
  object,
  optional,
  readLines,
  rowOf,
  text,
  withFields,
  word,
} from './json-rows.ts'
import { read } from './read.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

const beyondNumbers = (1n << 200n).toString()
const awkward = 'a "quoted" \\ back\tslash\nand more: é'

/** The same row with these values, and with nulls. */
const values = `(values
  (1, ${beyondNumbers}::numeric, true, '\\xc0ffee'::bytea, '${awkward}'),
  (2, null, null, null, null)) as v (id, amount, yes, bytes, words)`
const fields = {
  id: integer('v.id'),
  amount: nullable(digits('v.amount')),
  maybeAmount: optional(digits('v.amount')),
  yes: nullable(flag('v.yes')),
  bytes: nullable(hex('v.bytes')),
  bytesList: hexList(['v.bytes', "'\\x01'::bytea"]),
  words: nullable(text('v.words')),
  maybeWords: optional(text('v.words')),
  kind: word<'one' | 'two'>("case when v.id = 1 then 'one' else 'two' end"),
  nested: object({ id: integer('v.id'), words: optional(text('v.words')) }),
  list: list(
    { number: integer('n'), words: nullable(text('v.words')) },
    'generate_series(1, v.id) n',
    'n desc',
  ),
  none: list({ number: integer('n') }, 'generate_series(1, 0) n'),
}
const rows = [
  {
    id: 1,
    amount: beyondNumbers,
    maybeAmount: beyondNumbers,
    yes: true,
    bytes: '0xc0ffee',
    bytesList: ['0xc0ffee', '0x01'],
    words: awkward,
    maybeWords: awkward,
    kind: 'one',
    nested: { id: 1, words: awkward },
    list: [{ number: 1, words: awkward }],
    none: [],
  },
  {
    id: 2,
    amount: null,
    maybeAmount: null,
    yes: null,
    bytes: null,
    bytesList: ['0x01'],
    words: null,
    maybeWords: null,
    kind: 'two',
    nested: { id: 2 },
    list: [
      { number: 2, words: null },
      { number: 1, words: null },
    ],
    none: [],
  },
]

test('fields are read as the columns of a row', async () => {
  const statement = `select ${columnsOf(fields)} from ${values} order by v.id`
  expect(await read(store.database, rowOf(fields), statement, [])).toEqual(rows)
})

test('the same fields are read as a JSON object, without optional fields that are null', async () => {
  const found = await store.database.unsafe<{ json: string }[]>(
    `select ${jsonOf(fields)} as json from ${values} order by v.id`,
  )
  const [first, { maybeAmount: _amount, maybeWords: _words, ...second }] = rows as [object, (typeof rows)[1]]
  expect(found.map(({ json }) => JSON.parse(json) as unknown)).toEqual([first, second])
})

test('lines have columns besides their JSON, to which fields can be added', async () => {
  const lines = jsonLines(
    { number: ['n', BigInt], parity: [`case when n % 2 = 0 then 'even' else '' end`, String] },
    { number: digits('n'), words: text(`E'a\\tb\\nc'::text`) },
  )
  const statement = `
    select ${joinLines('n desc')}
    from (select n, ${lines.line} as line from generate_series(1, $1::integer) n) page`
  const found = await readLines(store.database, lines, statement, [2])
  expect(found.map(({ number, parity }) => ({ number, parity }))).toEqual([
    { number: 2n, parity: 'even' },
    { number: 1n, parity: '' },
  ])
  expect(
    found.map(({ json, parity }) => JSON.parse(withFields(json, { method: { parity } })) as unknown),
  ).toEqual([
    { number: '2', words: 'a\tb\nc', method: { parity: 'even' } },
    { number: '1', words: 'a\tb\nc', method: { parity: '' } },
  ])
  expect(await readLines(store.database, lines, statement, [0])).toEqual([])
})

test('a field table that JSON cannot represent is refused', () => {
  expect(() => jsonOf({ number: height('n') })).toThrow("number: JSON can't hold it")
  expect(() => jsonOf({ size: optional(integer('n')) })).toThrow('size: a JSON object can')
})
