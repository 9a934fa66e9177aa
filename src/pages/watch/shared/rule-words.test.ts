import { expect, test } from 'vitest'
import { watchRuleKinds } from '../../../../contract/watch/rule-kinds.ts'
import { ruleCondition, ruleStanding } from './rule-words.ts'

test('a condition names its side, its threshold and how often it must hold', () => {
  expect(ruleCondition({ kind: 'uptimeLow', threshold: 5, samples: 1 })).toBe('less than 5 points')
  expect(ruleCondition({ kind: 'stakeEnds', threshold: 3 * 86_400, samples: 1 })).toBe('less than 3 d')
  expect(ruleCondition({ kind: 'versionBehind', threshold: 50, samples: 2 })).toBe(
    'more than 50 %, for 2 samples in a row',
  )
  expect(ruleCondition({ kind: 'notConnected', samples: 2 })).toBe('for 2 samples in a row')
  expect(ruleCondition({ kind: 'notConnected', samples: 1 })).toBe('at the first sample')
  expect(ruleCondition({ kind: 'delegationAdded', samples: 1 })).toBe('at every one')
  for (const { kind, threshold, defaultSamples } of watchRuleKinds)
    expect(
      ruleCondition({
        kind,
        samples: defaultSamples,
        ...(threshold !== null && { threshold: threshold.default }),
      }),
      kind,
    ).not.toBe('')
})

test('the worst state of a rule speaks for it, and what was never evaluated is not ok', () => {
  const none = { ok: 0, pending: 0, firing: 0, unknown: 0 }
  const of = (states: Partial<typeof none>, isEnabled = true) =>
    ruleStanding({ isEnabled, states: { ...none, ...states } }).text
  expect(of({ ok: 5, pending: 1, firing: 2, unknown: 1 })).toBe('2 firing')
  expect(of({ ok: 5, pending: 1, unknown: 1 })).toBe('1 unknown')
  expect(of({ ok: 5, pending: 1 })).toBe('1 pending')
  expect(of({ ok: 5 })).toBe('5 ok')
  expect(of({})).toBe('not evaluated yet')
  expect(of({ firing: 2 }, false)).toBe('off')
})
