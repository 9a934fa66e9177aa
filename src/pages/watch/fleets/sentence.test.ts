import { expect, test } from 'vitest'
import { fleetsSentence } from './sentence.ts'

const fleet = { memberCount: 6, ruleCount: 2, firingCount: 0, unknownCount: 0 }

test('the fleets are summed up by what is wrong', () => {
  expect(fleetsSentence([fleet, fleet])).toBe('2 fleets with 12 members: nothing is firing.')
  expect(
    fleetsSentence([
      { ...fleet, firingCount: 1 },
      { ...fleet, unknownCount: 3 },
    ]),
  ).toBe('2 fleets with 12 members: 1 alarm firing; 3 states unknown.')
  expect(fleetsSentence([{ ...fleet, ruleCount: 0, memberCount: 1 }])).toBe(
    '1 fleet with 1 member: no rules yet, so nothing fires.',
  )
  expect(fleetsSentence([fleet, { ...fleet, ruleCount: 0 }])).toBe(
    '2 fleets with 12 members: 1 fleet without rules.',
  )
})
