import { expect, test } from 'vitest'
import { resultsOf } from './batch-results.ts'

const calls = [1, 'two', 3, 4n].map((id, at) => ({ jsonrpc: '2.0', id, method: `m${at}`, params: [] }))
const refused = { code: -32601, message: 'the method m1 does not exist' }

test('assigns answers in any order to their calls', () => {
  const answers = [
    { id: 3, result: null },
    { id: 'two', error: refused },
    { id: 1, result: '0x1' },
    { id: null, error: { code: -32600 } },
  ]
  expect(resultsOf(calls, answers)).toEqual([
    { method: 'm0', outcome: 'answered', reason: '' },
    { method: 'm1', outcome: 'refused', reason: 'the method m1 does not exist (-32601)' },
    { method: 'm2', outcome: 'answered', reason: '' },
    { method: 'm3', outcome: 'refused', reason: 'no reason given (-32600)' },
  ])
})

test('assigns equal ids by order, and marks calls without an answer', () => {
  const [call] = calls
  if (!call) throw new Error('there are calls')
  const results = resultsOf(
    [call, call, call],
    [
      { id: 1, error: refused },
      { id: 1, result: [] },
    ],
  )
  expect(results.map(({ outcome }) => outcome)).toEqual(['refused', 'answered', 'silent'])
})
