import { expect, test } from 'vitest'
import { readArgument } from './arguments.ts'

test.each([
  ['uint256', '1,000_000', '1000000'],
  ['uint256', '0xFf', '0xFf'],
  ['int8', '-5', '-5'],
  ['bool', ' true ', 'true'],
  ['string', ' as typed ', ' as typed '],
  ['bytes', '0x', '0x'],
  ['bytes4', '0xdeadbeef', '0xdeadbeef'],
  ['address', `0x${'aB'.repeat(20)}`, `0x${'aB'.repeat(20)}`],
  // Numbers above 2^53 keep their digits.
  ['uint256[]', '[1, 12345678901234567890, "3"]', ['1', '12345678901234567890', '3']],
  ['tuple(uint256,bool)', '[7, [true]]', ['7', ['true']]],
])('%s accepts %s', (type, typed, value) => {
  expect(readArgument(typed, type)).toEqual({ value })
})

test.each([
  ['uint256', '-1'],
  ['uint256', '1.5'],
  ['uint256', ''],
  ['bool', 'yes'],
  ['bytes', '0xabc'],
  ['bytes4', '0xdead'],
  ['address', '0x12'],
  ['uint256[]', '1, 2'],
  ['uint256[]', '{"a":1}'],
])('%s refuses “%s” with an explanation', (type, typed) => {
  expect(readArgument(typed, type)).toHaveProperty('wrong')
})
