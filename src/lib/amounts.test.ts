import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  exactAmount,
  formatAmount,
  formatGwei,
  formatInteger,
  formatNumber,
  formatShare,
  plainAmount,
  signOf,
} from './amounts.ts'

test('integers get separators and keep every digit', () => {
  expect(formatInteger(0)).toBe('0')
  expect(formatInteger(999)).toBe('999')
  expect(formatInteger('1000')).toBe('1,000')
  expect(formatInteger(-1234567n)).toBe('−1,234,567')
  expect(formatInteger(2n ** 256n - 1n).replaceAll(',', '')).toBe((2n ** 256n - 1n).toString())
  expect(formatInteger('pending')).toBe('pending')
})

test.each([
  ['1500000000000000000', 18, '1.5'],
  ['1234567890123456789', 18, '1.23457'],
  ['1234567890123456789000', 18, '1,234.57'],
  ['999999500000000000000000', 18, '1,000,000'],
  ['999999999999999999', 18, '1'],
  ['1', 18, '0.000000000000000001'],
  ['1234567', 18, '0.00000000000123457'],
  ['12345678900000000000000000', 18, '12,345,679'],
  ['0', 18, '0'],
  ['42', 0, '42'],
])('%s with %i decimals is %s', (raw, decimals, text) => {
  expect(formatAmount(raw, decimals)).toBe(text)
})

test('the exact figure keeps all digits', () => {
  expect(exactAmount('1234567890123456789', 18)).toBe('1.234567890123456789')
  expect(plainAmount('1234567890000000000000', 18)).toBe('1234.56789')
})

test('a rounded amount is off by at most half its last decimal', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      fc.integer({ min: 0, max: 18 }),
      (raw, decimals) => {
        const text = formatAmount(raw, decimals).replaceAll(',', '')
        expect(text).toMatch(/^\d+(\.\d+)?$/)
        const [whole = '0', fraction = ''] = text.split('.')
        const back =
          BigInt(whole) * 10n ** BigInt(decimals) +
          BigInt((fraction + '0'.repeat(decimals)).slice(0, decimals) || 0)
        const off = back > raw ? back - raw : raw - back
        // Rounding up may have made the integer part longer.
        const kept = whole === '0' ? fraction.length : Math.max(0, 6 - Math.max(1, whole.length))
        const unit = 10n ** BigInt(Math.max(0, decimals - Math.max(kept, fraction.length)))
        expect(off * 2n <= unit).toBe(true)
        if (fraction !== '') expect((whole + fraction).replace(/^0+/, '').length).toBeLessThanOrEqual(6)
      },
    ),
  )
})

test('displayed figures have a minus sign, exported ones a hyphen', () => {
  const negative = -1_234_567_890_000n
  expect(exactAmount(negative, 6)).toBe('−1,234,567.89')
  expect(formatAmount(negative, 6, 1)).toBe('−1,234,568')
  expect(formatNumber(-1234.5)).toBe('−1,234.5')
  expect(plainAmount(negative, 6)).toBe('-1234567.89')
  expect([3n, -3n, 0n].map(signOf)).toEqual(['+', '−', ''])
})

test('gas prices are in gwei', () => {
  expect(formatGwei('25000000000')).toBe('25')
  expect(formatGwei('1')).toBe('0.000000001')
})

test('shares are computed in integers', () => {
  expect(formatShare('1', '3')).toBe('33.3')
  expect(formatShare('2', '3')).toBe('66.7')
  expect(formatShare('5', '0')).toBe('')
  expect(formatShare(2n ** 255n, 2n ** 256n)).toBe('50.0')
})

test('measured numbers are written without an exponent', () => {
  expect(formatNumber(1234.5)).toBe('1,234.5')
  expect(formatNumber(0.004, 2)).toBe('0.004')
  expect(formatNumber(0)).toBe('0')
  expect(formatNumber(Number.NaN)).toBe('–')
})
