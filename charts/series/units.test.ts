import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exactDigits, exactText, figureText, percentText, shortText, withUnit } from './units.ts'
import { valueScale } from './ticks.ts'

describe('exact figures', () => {
  test('keep every digit of a whole value', () => {
    expect(exactText(123456789012345678901234567890n, 18)).toBe('123,456,789,012.34567890123456789')
    expect(exactText(9007199254740993n, 0)).toBe('9,007,199,254,740,993')
    expect(exactText(-1500n, 3)).toBe('−1.5')
    expect(exactText(1n, 18)).toBe('0.000000000000000001')
  })

  test('write fractions without exponent', () => {
    expect(exactDigits(1e-7, 0)).toBe('0.0000001')
    expect(exactDigits(0.1, 0)).toBe('0.1')
    expect(exactDigits(25500000000.5, 9)).toBe('25.5000000005')
    expect(exactDigits(1e21, 0)).toBe('1000000000000000000000')
  })

  test('read back to the same integer', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n }),
        fc.integer({ min: 0, max: 18 }),
        (value, decimals) => {
          const digits = exactDigits(value, decimals)
          const negative = digits.startsWith('-')
          const [whole = '', fraction = ''] = digits.replace('-', '').split('.')
          const back = BigInt(whole + fraction.padEnd(decimals, '0'))
          expect(negative ? -back : back).toBe(value)
        },
      ),
    )
  })
})

describe('shortText', () => {
  test('shortens with a suffix and three digits', () => {
    expect(shortText(0)).toBe('0')
    expect(shortText(1234)).toBe('1.23k')
    expect(shortText(45_600_000)).toBe('45.6M')
    expect(shortText(0.00123)).toBe('0.00123')
    expect(shortText(-2500)).toBe('−2.5k')
    expect(shortText(7e15)).toBe('7,000T')
  })

  test('never labels two marks of one axis alike', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e15, noNaN: true }),
        fc.double({ min: 1e-3, max: 1e15, noNaN: true }),
        (min, span) => {
          const scale = valueScale(min, min + span, 5, false)
          // Beyond what a double resolves, no label could tell them apart.
          fc.pre(scale.step > Math.abs(scale.max) * 1e-9)
          const labels = scale.ticks.map((tick) => shortText(tick, scale.step))
          expect(new Set(labels).size).toBe(labels.length)
        },
      ),
    )
  })
})

describe('percentText', () => {
  test('carries its sign and no more digits than matter', () => {
    expect(percentText(0.042)).toBe('+4.2 %')
    expect(percentText(-0.1234)).toBe('−12.3 %')
    expect(percentText(12.5)).toBe('+1,250 %')
    expect(percentText(0)).toBe('±0 %')
  })
})

describe('a figure for reading', () => {
  const of =
    (symbol: string, decimals = 0) =>
    (value: number | bigint) =>
      figureText(value, { symbol, decimals })

  test('has whole counts, and three digits of a mean or a rate', () => {
    const text = of('addresses')
    expect([138, 12_697, 138.955, 1.469565, 0.0012345, 284_573.5].map(text)).toEqual([
      '138',
      '12,697',
      '139',
      '1.47',
      '0.00123',
      '284,574',
    ])
    expect(text(-1.469565)).toBe('−1.47')
  })

  test('has one digit of a percentage, and never rounds up to the whole', () => {
    const text = of('%')
    expect([37.061403, 99.9934, 99.99999, 100, 0.034567, 0].map(text)).toEqual([
      '37.1',
      '99.993',
      '99.99999',
      '100',
      '0.0346',
      '0',
    ])
  })

  test('has up to three digits of the fraction of an amount, and six in all', () => {
    const text = of('AVAX', 18)
    expect(text(200_920_980_925_104_829n)).toBe('0.201')
    expect(text(1_810_170_748_000_000_000_000_000n)).toBe('1,810,171')
    expect(text(10_170_748_000_000_000_000_000n)).toBe('10,170.7')
    expect(text(999_999_999_999_999_999n)).toBe('1')
    expect(text(5n)).toBe('0.000000000000000005')
  })
})

test('one of a unit has the word for one; the symbol of a token stays', () => {
  const words = (text: string, symbol: string): string => withUnit(text, { symbol, decimals: 0 })
  expect(words('1', 'constructor'), 'a symbol that anybody may choose').toBe('1 constructor')
  expect(words('1', 'addresses')).toBe('1 address')
  expect(words('0', 'addresses')).toBe('0 addresses')
  expect(words('1', 'BEANS')).toBe('1 BEANS')
})
