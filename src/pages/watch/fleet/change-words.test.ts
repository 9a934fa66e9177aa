import { expect, test } from 'vitest'
import { fleetChangeKinds } from '../../../../contract/watch/fleets.ts'
import { changeWords } from './change-words.ts'

test('every kind of change has words of its own', () => {
  const texts = fleetChangeKinds.map((kind) => changeWords({ kind, ruleName: 'r' }).text)
  expect(new Set(texts).size).toBe(fleetChangeKinds.length)
  for (const [index, kind] of fleetChangeKinds.entries()) expect(texts[index]).not.toBe(kind)
})

test('amounts and weights are in the sentence', () => {
  expect(changeWords({ kind: 'delegationAdded', amount: '25500000000' }).text).toBe('was delegated 25.5 AVAX')
  expect(changeWords({ kind: 'delegationEnded', amount: '1000000000' }).text).toBe(
    'had a delegation end, 1 AVAX',
  )
  expect(changeWords({ kind: 'l1BalanceAdded', amount: '1000000000' }).text).toBe(
    'had its L1 balance topped up by 1 AVAX',
  )
  expect(changeWords({ kind: 'l1WeightChanged', weight: 12345 }).text).toBe('has a new L1 weight, 12,345')
  expect(changeWords({ kind: 'rewarded' }).text).toBe('was paid its reward')
})

test('only states are good or bad', () => {
  expect(changeWords({ kind: 'disconnected' }).tone).toBe('bad')
  expect(changeWords({ kind: 'connected' }).tone).toBe('good')
  expect(changeWords({ kind: 'delegationEnded' }).tone).toBe('neutral')
  expect(changeWords({ kind: 'somethingNew' })).toEqual({ text: 'somethingNew', tone: 'neutral' })
})
