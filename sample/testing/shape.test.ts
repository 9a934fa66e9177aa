import { expect, test } from 'vitest'
import { shapeFaults } from './shape.ts'

test('distinguishes members, types and kinds of text', () => {
  const wanted = { a: '12', b: [{ c: 1 }, { d: '0x00' }], e: null }
  expect(shapeFaults({ a: '3', b: [{ d: '0xff' }, { c: 2 }, { c: 3 }], e: null }, wanted)).toEqual([])
  expect(shapeFaults({ a: 3, b: [], e: null }, wanted)).toEqual(['$.a is number, not numeral'])
  expect(shapeFaults({ a: '0x3', b: [], e: null }, wanted)).toEqual(['$.a is hex, not numeral'])
  expect(shapeFaults({ a: '3', b: [{ c: 'x' }], e: null }, wanted)).toHaveLength(1)
  expect(shapeFaults({ a: '3', b: [], f: 1 }, wanted)).toEqual(['$.f is new', '$.e is missing'])
  expect(shapeFaults({ a: '3', b: [] }, wanted, new Set(['e']))).toEqual([])
})

test('treats members named by ids as items of one kind', () => {
  const id = '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC'
  const other = '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed'
  expect(shapeFaults({ [other]: '1', [id]: '2' }, { [id]: '3' })).toEqual([])
  expect(shapeFaults({ [other]: 1 }, { [id]: '3' })).toHaveLength(1)
})
