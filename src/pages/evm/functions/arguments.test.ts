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
])('%s refuses “%s” with an explanation', (type, typed) => {
  expect(readArgument(typed, type)).toHaveProperty('wrong')
})
