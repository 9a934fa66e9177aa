import { expect, test } from 'vitest'
import { fleetsVerdict } from './sentence.ts'

const textOf = (fleets: Parameters<typeof fleetsVerdict>[0]): string => fleetsVerdict(fleets).text

const fleet = { memberCount: 6, ruleCount: 2, firingCount: 0, unknownCount: 0 }

test('the fleets are summed up by what is wrong', () => {
  expect(textOf([fleet, fleet])).toBe('2 fleets with 12 members: nothing is firing.')
  expect(
    textOf([
      { ...fleet, firingCount: 1 },
      { ...fleet, unknownCount: 3 },
    ]),
  ).toBe('2 fleets with 12 members: 1 alarm firing; 3 states unknown.')
  expect(textOf([{ ...fleet, ruleCount: 0, memberCount: 1 }])).toBe(
    '1 fleet with 1 member: no rules yet, so nothing fires.',
  )
  expect(textOf([fleet, { ...fleet, ruleCount: 0 }])).toBe('2 fleets with 12 members: 1 fleet without rules.')
})

test('the word is that of the worst fleet', () => {
  const wordOf = (...fleets: Parameters<typeof fleetsVerdict>[0]): string => fleetsVerdict(fleets).word
  expect(wordOf(fleet)).toBe('ok')
  expect(wordOf(fleet, { ...fleet, ruleCount: 0 })).toBe('no rules')
  expect(wordOf({ ...fleet, ruleCount: 0 }, { ...fleet, unknownCount: 1 })).toBe('unknown')
  expect(wordOf({ ...fleet, unknownCount: 1 }, { ...fleet, firingCount: 1 })).toBe('firing')
})
