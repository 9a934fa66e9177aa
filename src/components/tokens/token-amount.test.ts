import { expect, test } from 'vitest'
import { fiatText } from './token-amount-fiat.tsx'

test.each([
  ['1234567.891', 'usd', '$1,234,567.89'],
  ['1234.5', 'jpy', '¥1,235'],
  // Every digit of a long figure counts, past what a double holds.
  ['12345678901234567890.12', 'eur', '€12,345,678,901,234,567,890.12'],
  ['0.00001234567', 'usd', '$0.00001235'],
  ['0', 'chf', 'CHF 0.00'],
  ['12', '<b>', '12 <b>'],
  ['1e5', 'usd', '1e5 usd'],
])('%s %s reads %s', (value, currencyCode, text) => {
  expect(fiatText({ currencyCode, value }).replaceAll('\u00A0', ' ')).toBe(text)
})

test('a gain has a plus sign', () => {
  expect(fiatText({ currencyCode: 'usd', value: '3' }, { signed: true })).toBe('+$3.00')
  expect(fiatText({ currencyCode: 'usd', value: '-3' }, { signed: true })).toBe('−$3.00')
})
