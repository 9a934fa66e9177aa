import { expect, test } from 'vitest'
import {
  amountText,
  plainTokenAmount,
  plainWithUnit,
  unitOf,
  whyNoUnits,
  type TokenFacts,
} from './token-amount.tsx'
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

test.each([
  [{ symbol: 'RDG', decimals: 2 }, '55.55 RDG', 'RDG', undefined],
  [{ decimals: 0 }, '5,555 tokens', 'tokens', undefined],
  [
    { symbol: 'DHUGE' },
    '5,555 smallest units of DHUGE',
    'smallest units of DHUGE',
    'the token does not tell its decimals',
  ],
  [{}, '5,555 smallest units', 'smallest units', 'the token does not tell its decimals'],
  [
    { symbol: 'DHUGE', decimals: 255 },
    '5,555 smallest units of DHUGE',
    'smallest units of DHUGE',
    'the token tells 255 decimals, more than an amount has digits',
  ],
])('an amount of %o says what it counts', (facts, text, unit, why) => {
  const token: TokenFacts = { address: '0x', ...facts }
  expect(amountText('5555', token)).toBe(text)
  expect(unitOf(token)).toBe(unit)
  expect(whyNoUnits(token)).toBe(why)
  const figure = token.decimals === 2 ? '55.55' : '5555'
  expect(plainTokenAmount('5555', token)).toBe(why === undefined ? figure : '5555 smallest units')
  expect(plainWithUnit('5555', token)).toBe(`${figure} ${unit}`)
})

test('NFTs are counted whole, whatever decimals they claim', () => {
  const art: TokenFacts = { address: '0x', symbol: 'ART', decimals: 18, ercType: 'ERC-721' }
  expect([amountText('5', art), plainTokenAmount('5', art), whyNoUnits(art)]).toEqual([
    '5 ART',
    '5',
    undefined,
  ])
  expect(whyNoUnits({ address: '0x', decimals: 255, ercType: 'ERC-1155' })).toBeUndefined()
})
