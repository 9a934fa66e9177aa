import { expect, test } from 'vitest'
import type { Erc20TokenBalance } from '../../../../contract/tokens/balances.ts'
import type { BalanceSheet } from '../../../api/tokens/balances.ts'
import { compareDecimals, lessDecimals, sumDecimals } from './decimals.ts'
import { gainOf, holdingsOf, totalOf, valueGainOf } from './holdings.ts'

const native = { name: 'Avalanche', symbol: 'AVAX', decimals: 18 }
const at = (digit: string): string => `0x${digit.repeat(40)}`
const usd = (value: string) => ({ currencyCode: 'usd', value })

const held = (digit: string, symbol: string, balance: string, worth?: string): Erc20TokenBalance => ({
  address: at(digit),
  symbol,
  decimals: 0,
  ercType: 'ERC-20',
  chainId: '1',
  balance,
  balanceSource: 'logs',
  ...(worth !== undefined && { balanceValue: usd(worth) }),
})
const sheet = (tokens: Erc20TokenBalance[], coins?: string): BalanceSheet => ({
  native: coins === undefined ? undefined : { ...native, chainId: '1', balance: coins },
  tokens,
  spam: 0,
})

test('lists the native token first, then by value, then the rest by symbol', () => {
  const rows = holdingsOf(
    native,
    sheet(
      [
        held('1', 'ZED', '5'),
        held('2', 'LOW', '9', '10.5'),
        held('3', 'ABC', '5'),
        held('4', 'HIGH', '1', '10.50001'),
      ],
      '7',
    ),
  )
  expect(rows.map(({ token }) => token.symbol)).toEqual(['AVAX', 'HIGH', 'LOW', 'ABC', 'ZED'])
  expect(totalOf(rows, 'now')).toEqual(usd('21.00001'))
})

test('matches two times by address and treats a missing token as 0', () => {
  const now = sheet([held('a', 'KEPT', '12', '24'), held('b', 'NEW', '3')], '100')
  const then = sheet([{ ...held('A', 'KEPT', '20', '30'), address: at('A') }, held('c', 'GONE', '4', '8')])
  const rows = holdingsOf(native, now, then)
  const gains = new Map(rows.map((row) => [row.token.symbol, gainOf(row)]))
  expect(gains).toEqual(
    new Map([
      // The node no longer had the native balance at the other time, so there is no difference.
      ['AVAX', undefined],
      ['KEPT', -8n],
      ['GONE', -4n],
      ['NEW', 3n],
    ]),
  )
  const worth = new Map(rows.map((row) => [row.token.symbol, valueGainOf(row)?.value]))
  expect(worth.get('KEPT')).toBe('-6')
  expect(worth.get('GONE')).toBe('-8')
  expect(worth.get('NEW')).toBeUndefined()
  expect(totalOf(rows, 'other')).toEqual(usd('38'))
})

test('has no total if nothing has a price', () => {
  expect(totalOf(holdingsOf(native, sheet([held('1', 'A', '1')], '1')), 'now')).toBeUndefined()
})

test('adds, subtracts and orders decimal texts exactly', () => {
  expect(sumDecimals(['0.1', '0.2', '99999999999999999999.0000000000000000001'])).toBe(
    '99999999999999999999.3000000000000000001',
  )
  expect(sumDecimals([])).toBe('0')
  expect(lessDecimals('1.5', '2.75')).toBe('-1.25')
  expect(lessDecimals('1.5', '-2.5')).toBe('4')
  expect(['2', '10', '9.99', '-1'].toSorted(compareDecimals)).toEqual(['-1', '2', '9.99', '10'])
})
