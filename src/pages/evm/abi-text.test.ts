import { expect, test } from 'vitest'
import { addressIn, nameIn, valueText } from './abi-text.ts'

test.each([
  ['uint256', '1234567', '1,234,567'],
  ['int8', '-12', '−12'],
  ['bool', 'true', 'true'],
  ['bytes', '0x00ff', '0x00ff'],
  ['string', 'a long text', 'a long…'],
  // What turns the direction of a text is left out, in a list or a tuple too.
  ['string', '\u202Ecba', 'cba'],
  ['string[]', ['\u202Ecba', 'x'], '["cba","x"]'],
  ['tuple', [['1', '\u202Ecba']], '[["1","cba"]]'],
])('a value of the type %s, %j, is %s', (type, value, text) => {
  expect(valueText({ type, value }, 6)).toBe(text)
})

test('an address is one by its type and its form', () => {
  const value = `0x${'aB'.repeat(20)}`
  expect(addressIn({ type: 'address', value })).toBe(value)
  expect(addressIn({ type: 'bytes20', value })).toBeUndefined()
  expect(addressIn({ type: 'address', value: '0x12' })).toBeUndefined()
  expect(nameIn('transfer(address,uint256)')).toBe('transfer')
})
