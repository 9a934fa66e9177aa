import { expect, test } from 'vitest'
import { emptyValue, itemOf, readTyped, typedOf, type Parameter } from './parameters.ts'

const order: Parameter = {
  name: 'orders',
  type: '(address,uint256[2])[]',
  components: [
    { name: 'buyer', type: 'address' },
    { name: 'range', type: 'uint256[2]' },
  ],
}
const alice = `0x${'a1'.repeat(20)}`

test('the last brackets of a type are its list', () => {
  expect(itemOf({ name: 'x', type: 'uint8[3][]' })).toEqual({
    item: { name: '', type: 'uint8[3]' },
    size: undefined,
  })
  expect(itemOf({ name: 'x', type: 'uint8[3]' })?.size).toBe(3)
  expect(itemOf({ name: 'x', type: 'uint8' })).toBeUndefined()
})

test('a list begins without items, a fixed one with all, a tuple with its parts', () => {
  expect(emptyValue(order)).toEqual([])
  expect(emptyValue(itemOf(order)?.item as Parameter)).toEqual(['', ['', '']])
})

test('what was typed becomes nested texts', () => {
  expect(readTyped([order, { name: 'to', type: 'string' }], [[[alice, ['1,000', '2']]], ' x '])).toEqual({
    values: [[[alice, ['1000', '2']]], ' x '],
  })
})

test('what is wrong is told at the field', () => {
  const read = readTyped([{ name: 'ok', type: 'bool' }, order], ['true', [[alice, ['1', 'two']]]])
  expect(read).toEqual({ wrong: new Map([['1.0.1.1', 'Give a whole number.']]) })
})

test('a link fills the fields, and one that does not fit leaves them empty', () => {
  const values = [[[alice, ['1', '2']]]]
  expect(typedOf([order], values)).toEqual(values)
  expect(typedOf([order], ['text'])).toEqual([[]])
  expect(typedOf([order], { length: 1 })).toEqual([[]])
  expect(typedOf([{ name: 'a', type: 'uint256' }], [['1']])).toEqual([''])
})
