import { expect, test } from 'vitest'
import { matchName, mistakesBetween, spellingsOf } from './match.ts'

test.each([
  ['ridge', 'Ridge', 'exact'],
  ['rid', 'Ridge', 'prefix'],
  ['dol', 'Sample Dollar', 'word'],
  ['sam dol', 'Sample Dollar', 'word'],
  ['dol sam', 'Sample Dollar', undefined],
  ['ample', 'Sample Dollar', 'part'],
  ['am', 'Sample Dollar', undefined],
  ['meridain', 'Meridian', 'similar'],
  ['smaple dolar', 'Sample Dollar', 'similar'],
  ['rigde', 'Ridge', 'similar'],
  ['rigd', 'Ridge', undefined],
  ['abc', 'abd', undefined],
  ['...', 'Ridge', undefined],
])('%s matches %s: %s', (text, name, expected) => {
  expect(matchName(text, name)).toBe(expected)
})

test.each([
  ['kitten', 'sitting', 3],
  ['meridain', 'meridian', 1],
  ['ca', 'abc', 3],
  ['same', 'same', 0],
])('%s and %s differ by %i', (left, right, mistakes) => {
  expect(mistakesBetween(left, right, 5)).toBe(mistakes)
  expect(mistakesBetween(right, left, 5)).toBe(mistakes)
})

test('every spelling differs by one mistake, and every word with one mistake is spelled', () => {
  const spellings = spellingsOf('ridge')
  for (const each of spellings) expect(mistakesBetween('ridge', each, 2)).toBe(1)
  expect(spellings).toEqual(expect.arrayContaining(['rigde', 'idge', 'rige', 'rridge', 'ridges', 'bidge']))
})
