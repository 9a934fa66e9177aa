import { expect, test } from 'vitest'
import { watchRuleKinds } from '../../../../contract/watch/rule-kinds.ts'
import { draftOf, newDraft, ruleOf, withKind } from './draft.ts'

const fleetId = '00000000-0000-4000-8000-000000000001'
const anyAddress = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const channelId = '00000000-0000-4000-8000-000000000002'

test('every kind of the catalogue has defaults that the service takes', () => {
  for (const { kind, scope, threshold, hysteresis, defaultSamples, defaultSeverity } of watchRuleKinds) {
    const place = scope === 'address' && { chainId: '43113', address: anyAddress }
    const result = ruleOf({ ...newDraft({ kind, fleetId }), ...place })
    expect(result, kind).toEqual({
      rule: {
        kind,
        ...(scope === 'fleet' && { fleetId }),
        ...place,
        ...(threshold !== null && { threshold: threshold.default }),
        ...(hysteresis !== null && { hysteresis: hysteresis.default }),
        samples: defaultSamples,
        severity: defaultSeverity,
        repeatSeconds: 4 * 3_600,
        quietHours: null,
        channelIds: [],
        isEnabled: true,
      },
    })
  }
})

test('times are sent in seconds, whatever unit they were given in', () => {
  const draft = {
    ...newDraft({ kind: 'stakeEnds', fleetId }),
    threshold: { text: '36', unit: 'hours' as const },
  }
  expect(ruleOf(draft)).toMatchObject({ rule: { threshold: 129_600 } })
  expect(ruleOf({ ...draft, repeat: { text: '0', unit: 'hours' } })).toMatchObject({
    rule: { repeatSeconds: 0 },
  })
})

test('what is wrong stands at its field', () => {
  const draft = newDraft({ kind: 'uptimeLow', fleetId })
  expect(ruleOf({ ...draft, threshold: { text: '51', unit: 'minutes' } })).toEqual({
    wrong: { threshold: 'A number from 0 to 50.' },
  })
  expect(ruleOf({ ...draft, threshold: { text: 'five', unit: 'minutes' } })).toHaveProperty('wrong.threshold')
  expect(ruleOf({ ...draft, hysteresis: { text: '21', unit: 'minutes' } })).toHaveProperty('wrong.hysteresis')
  expect(ruleOf({ ...draft, samples: '0' })).toHaveProperty('wrong.samples')
  expect(ruleOf({ ...draft, samples: '1.5' })).toHaveProperty('wrong.samples')
  expect(ruleOf({ ...draft, repeat: { text: '31', unit: 'days' } })).toHaveProperty('wrong.repeat')
  expect(ruleOf({ ...draft, fleetId: '' })).toEqual({ wrong: { fleetId: 'Choose a fleet.' } })
  expect(ruleOf({ ...draft, isQuiet: true, quietDays: [] })).toHaveProperty('wrong.quietDays')
  expect(ruleOf({ ...draft, isQuiet: true, timeZone: 'Atlantis/Centre' })).toHaveProperty('wrong.timeZone')
  expect(ruleOf({ ...draft, isQuiet: true, quietFrom: '25:00' })).toHaveProperty('wrong.quietFrom')
  expect(ruleOf({ ...draft, isQuiet: true, samples: '0', quietTo: '', timeZone: 'Atlantis/Centre' })).toEqual(
    {
      wrong: {
        samples: 'A whole number from 1 to 1,000.',
        quietTo: 'The end must be a time such as 22:00.',
        timeZone: 'The time zone must be a name such as Europe/Zurich.',
      },
    },
  )
  expect(ruleOf({ ...newDraft({ kind: 'indexerLate' }), threshold: { text: '9', unit: 'seconds' } })).toEqual(
    {
      wrong: { threshold: 'A number from 10 s to 30 d.' },
    },
  )
})

test('a rule for an address needs its chain and the address; one for chains may be for one', () => {
  expect(ruleOf(newDraft({ kind: 'addressSends' }))).toEqual({
    wrong: { chainId: 'Choose a chain.', address: '0x and 40 hex digits.' },
  })
  const draft = { ...newDraft({ kind: 'addressSends' }), chainId: '43113', address: anyAddress }
  const most = {
    ...withKind(draft, 'addressBalanceLow', ''),
    threshold: { text: '1000000000', unit: 'minutes' as const },
  }
  expect(ruleOf(most)).toMatchObject({ rule: { threshold: 1_000_000_000 } })
  expect(ruleOf({ ...most, threshold: { ...most.threshold, text: '1000000001' } })).toEqual({
    wrong: { threshold: 'A number from 0.000001 to 1,000,000,000.' },
  })
  expect(ruleOf(withKind(draft, 'chainQuiet', ''))).toMatchObject({ rule: { chainId: '43113' } })
  expect(ruleOf(withKind(draft, 'chainQuiet', ''))).not.toHaveProperty('rule.address')
  expect(ruleOf(withKind(draft, 'diskFull', ''))).not.toHaveProperty('rule.chainId')
})

test('quiet hours name their days only when they are not all', () => {
  const draft = { ...newDraft({ kind: 'notConnected', fleetId }), isQuiet: true, timeZone: 'Europe/Zurich' }
  expect(ruleOf(draft)).toMatchObject({
    rule: { quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Zurich' } },
  })
  expect(ruleOf(draft)).not.toHaveProperty('rule.quietHours.days')
  expect(ruleOf({ ...draft, quietDays: [7, 6] })).toMatchObject({ rule: { quietHours: { days: [6, 7] } } })
})

test('a rule of the service fills the form and comes back unchanged', () => {
  const given = {
    name: 'Balance of Meridian',
    kind: 'l1BalanceLow',
    fleetId,
    threshold: 3 * 86_400,
    hysteresis: 7_200,
    samples: 3,
    severity: 'warning',
    repeatSeconds: 3_600,
    quietHours: { from: '01:00', to: '02:30', timeZone: 'UTC', days: [1, 5] },
    channelIds: [channelId],
    isEnabled: false,
  }
  const rule = {
    ...given,
    ruleId: channelId,
    createdTimestamp: 1,
    updatedTimestamp: 2,
    states: { ok: 0, pending: 0, firing: 0, unknown: 0 },
  }
  expect(ruleOf(draftOf(rule))).toEqual({ rule: given })
})

test('another kind brings its own defaults, and keeps whom it tells', () => {
  const draft = { ...newDraft({ kind: 'uptimeLow', fleetId }), name: 'mine', channelIds: [channelId] }
  const next = withKind({ ...draft, threshold: { text: '9', unit: 'minutes' } }, 'stakeEnds', fleetId)
  expect(next).toMatchObject({
    kind: 'stakeEnds',
    fleetId,
    name: 'mine',
    channelIds: [channelId],
    threshold: { text: '3', unit: 'days' },
  })
  expect(withKind(draft, 'diskFull', fleetId)).toMatchObject({ fleetId: '', severity: 'warning' })
})
