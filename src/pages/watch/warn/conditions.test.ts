import { expect, test } from 'vitest'
import { ruleDefinition } from '../../../../contract/watch/rules.ts'
import { newDraft, ruleOf } from '../rules/draft.ts'
import { conditionsOf, fleetFor, memberFor, type WarnSubject } from './conditions.ts'

const subjects: readonly WarnSubject[] = [
  { kind: 'validator', network: 'fuji', id: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', name: 'gamma' },
  {
    kind: 'l1Validator',
    network: 'fuji',
    id: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
    name: 'one',
  },
  { kind: 'wallet', network: 'fuji', id: 'fuji1ur873jhz9qnaqv5qthk5sn3e8nj3e0kmafyxut', name: 'ours' },
]

test('every condition that is offered for a subject makes a rule that the service accepts', () => {
  for (const subject of subjects) {
    const conditions = conditionsOf(subject)
    expect(conditions.length).toBeGreaterThan(0)
    for (const { kind, scope } of conditions) {
      const draft = newDraft({
        kind: kind as never,
        fleetId: '00000000-0000-4000-8000-000000000001',
        memberId: memberFor(subject, kind) ?? '',
      })
      const made = ruleOf(draft)
      expect(made, `${subject.kind} ${kind}`).toHaveProperty('rule')
      expect(ruleDefinition.safeParse('rule' in made ? made.rule : {}).success).toBe(true)
      expect(scope).toBe('fleet')
      expect(fleetFor(subject).network).toBe('fuji')
    }
  }
})

test('a rule is about the one member, but a subnet’s is about all of its members', () => {
  const [validator, l1Validator, wallet] = subjects
  if (!validator || !l1Validator || !wallet) throw new Error('no subjects')
  expect(memberFor(validator, 'notConnected')).toBe(validator.id)
  expect(memberFor(l1Validator, 'l1BalanceLow')).toBe(l1Validator.id)
  expect(memberFor(l1Validator, 'quorumNear')).toBeUndefined()
  expect(memberFor(wallet, 'notConnected')).toBeUndefined()
})
