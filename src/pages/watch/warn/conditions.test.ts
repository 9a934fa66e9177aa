import { expect, test } from 'vitest'
import { ruleDefinition } from '../../../../contract/watch/rules.ts'
import { newDraft, ruleOf } from '../rules/draft.ts'
import { conditionsOf, fleetFor, targetOf, type WarnSubject } from './conditions.ts'

const subjects: readonly WarnSubject[] = [
  { kind: 'validator', network: 'fuji', id: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', name: 'gamma' },
  {
    kind: 'l1Validator',
    network: 'fuji',
    id: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
    name: 'one',
  },
  { kind: 'wallet', network: 'fuji', id: 'fuji1ur873jhz9qnaqv5qthk5sn3e8nj3e0kmafyxut', name: 'ours' },
  { kind: 'chain', chainId: '43113', name: 'C-Chain' },
  {
    kind: 'address',
    chainId: '43113',
    address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    name: '0x71C7…976F',
  },
]

test('every condition that is offered for a subject makes a rule that the service accepts', () => {
  for (const subject of subjects) {
    const conditions = conditionsOf(subject)
    expect(conditions.length).toBeGreaterThan(0)
    for (const { kind, scope } of conditions) {
      const draft = {
        ...newDraft({ kind: kind as never, fleetId: '00000000-0000-4000-8000-000000000001' }),
        ...targetOf(subject, kind),
      }
      const made = ruleOf(draft)
      expect(made, `${subject.kind} ${kind}`).toHaveProperty('rule')
      expect(ruleDefinition.safeParse('rule' in made ? made.rule : {}).success).toBe(true)
      expect(fleetFor(subject)?.network).toBe(scope === 'fleet' ? 'fuji' : undefined)
    }
  }
})

test('a rule is about the one subject, but a subnet’s is about all members of its fleet', () => {
  const [validator, l1Validator, wallet, chain, address] = subjects
  if (!validator || !l1Validator || !wallet || !chain || !address) throw new Error('no subjects')
  expect(targetOf(validator, 'notConnected')).toEqual({
    memberId: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
  })
  expect(targetOf(l1Validator, 'l1BalanceLow')).toHaveProperty('memberId')
  expect(targetOf(l1Validator, 'quorumNear')).toEqual({})
  expect(targetOf(wallet, 'notConnected')).toEqual({})
  expect(targetOf(chain, 'nodeSilent')).toEqual({ chainId: '43113' })
  expect(targetOf(address, 'addressSends')).toEqual({
    chainId: '43113',
    address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  })
})
