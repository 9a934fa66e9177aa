import { expect, test } from 'vitest'
import { changeOf, formatFigure, type FigureForm } from './figure-change.ts'

const avax: FigureForm = { kind: 'amount', decimals: 9 }

test.each<[FigureForm, string, string, string | undefined]>([
  [avax, '1000000000', '1500000000', '+0.5'],
  [avax, '1500000000', '1000000000', '−0.5'],
  [avax, '1000000000', '1000000001', '+0.000000001'],
  [{ kind: 'amount', decimals: 18 }, '0', `9${'0'.repeat(30)}`, '+9,000,000,000,000'],
  [{ kind: 'count' }, '1200', '2400', '+1,200'],
  [{ kind: 'count' }, '3', '1', '−2'],
  [{ kind: 'percent' }, '99.5', '98.25', '−1.25'],
  [{ kind: 'time' }, '1790000000', '1790000100', 'new'],
  [{ kind: 'word' }, 'active', 'removed', 'was active'],
  [avax, '7', '7', undefined],
  [{ kind: 'percent' }, '98', '98.0', undefined],
  [{ kind: 'word' }, 'active', 'active', undefined],
])('%o from %s to %s is %s', (form, before, now, words) => {
  expect(changeOf(form, before, now)).toBe(words)
})

test('figures have the digits of their kind', () => {
  expect(formatFigure(avax, '1234567890123')).toBe('1,234.57')
  expect(formatFigure({ kind: 'count' }, '1234567')).toBe('1,234,567')
  expect(formatFigure({ kind: 'percent' }, '99.98765')).toBe('99.99 %')
  const untold: FigureForm = { kind: 'amount', decimals: undefined }
  expect(formatFigure(untold, '5555')).toBe('5,555 smallest units')
  expect(changeOf(untold, '5555', '5560')).toBe('+5 smallest units')
})
