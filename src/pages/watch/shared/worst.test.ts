import { expect, test } from 'vitest'
import { worstOf } from './worst.ts'

test('firing comes before unknown, and neither unknown nor unwatched is ok', () => {
  const of = (firingCount: number, unknownCount: number, ruleCount: number) =>
    worstOf({ firingCount, unknownCount, ruleCount })
  expect(of(2, 5, 1)).toEqual({ state: 'failed', text: '2 firing' })
  expect(of(0, 5, 1)).toEqual({ state: 'stale', text: '5 unknown' })
  expect(of(0, 0, 0)).toEqual({ state: 'neutral', text: 'no rules' })
  expect(of(0, 0, 3)).toEqual({ state: 'ok', text: 'ok' })
})
