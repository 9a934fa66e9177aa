import { expect, test } from 'vitest'
import { joinSeconds, measuredText, numberOf, splitSeconds } from './words.ts'
import { spanText } from '../../../lib/time.ts'

test('a length of time has its two largest neighbouring units', () => {
  expect([0, 59, 90, 3_600, 3_660, 3_605, 90_000, 3 * 86_400 + 2, 400 * 86_400].map(spanText)).toEqual([
    '0 s',
    '59 s',
    '1 min 30 s',
    '1 h',
    '1 h 1 min',
    '1 h',
    '1 d 1 h',
    '3 d',
    '400 d',
  ])
})

test('a measured value carries the unit of its kind, and an unknown one is a dash', () => {
  expect(measuredText(79.456, 'percent')).toBe('79.46 %')
  expect(measuredText(1, 'percentagePoints')).toBe('1 point')
  expect(measuredText(-0.5, 'percentagePoints')).toBe('−0.5 points')
  expect(measuredText(1, 'samples')).toBe('1 sample')
  expect(measuredText(3, 'samples')).toBe('3 samples')
  expect(measuredText(90_000, 'seconds')).toBe('1 d 1 h')
  expect(measuredText(-60, 'seconds')).toBe('−1 min')
  expect(measuredText(2, 'parsecs')).toBe('2 parsecs')
  expect(measuredText(undefined, 'percent')).toBe('–')
})

test('seconds fill a form in their largest whole unit and come back unchanged', () => {
  expect(splitSeconds(3 * 86_400)).toEqual({ text: '3', unit: 'days' })
  expect(splitSeconds(90)).toEqual({ text: '90', unit: 'seconds' })
  expect(splitSeconds(5_400)).toEqual({ text: '90', unit: 'minutes' })
  expect(splitSeconds(0)).toEqual({ text: '0', unit: 'minutes' })
  for (const seconds of [0, 1, 59, 60, 7_200, 86_400, 100_000]) {
    const { text, unit } = splitSeconds(seconds)
    expect(joinSeconds(text, unit)).toBe(seconds)
  }
  expect(joinSeconds('1.5', 'hours')).toBe(5_400)
  expect(joinSeconds('soon', 'hours')).toBeUndefined()
})

test('only plain decimal numbers are numbers', () => {
  expect([' 2.5 ', '07', '-1', '1e3', '', '1,000', '0x10'].map(numberOf)).toEqual([
    2.5,
    7,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
