import { expect, test } from 'vitest'
import { isTokenAmount } from './token-arguments.ts'

const token = { address: '0x1', symbol: 'RDG', decimals: 18 }
const argument = (name: string, type = 'uint256', value = '900000000000000000') => ({ name, type, value })

test.each(['value', 'amount', '_amount', 'wad', 'addedValue'])('%s of a token is an amount', (name) => {
  expect(isTokenAmount(argument(name), token)).toBe(true)
})

test.each([
  ['another name', argument('tokenId'), token],
  ['a name that only begins so', argument('valueDate'), token],
  ['another type', argument('value', 'bytes32'), token],
  ['a contract without decimals', argument('value'), { address: '0x1' }],
  ['an approval without end', argument('value', 'uint256', String(2n ** 256n - 1n)), token],
])('%s is none', (_, of, contract) => {
  expect(isTokenAmount(of, contract)).toBe(false)
})
