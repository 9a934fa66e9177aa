import { expect, test } from 'vitest'
import { parseSigned, progressAfter, type Progress } from './issue.ts'

const walk = (...statuses: (string | { status: string; blockHeight: string })[]): Progress[] => {
  let now: Progress = { step: 'asked' }
  return statuses.map((one) => (now = progressAfter(now, typeof one === 'string' ? { status: one } : one)))
}

test('follows a transaction to its block, and treats one that the node has forgotten as dropped', () => {
  expect(walk('Unknown', 'Processing', { status: 'Accepted', blockHeight: '7' })).toEqual([
    { step: 'unknown' },
    { step: 'processing' },
    { step: 'accepted', height: '7' },
  ])
  expect(walk('Processing', 'Unknown').at(-1)).toEqual({ step: 'dropped' })
  expect(walk('Dropped').at(-1)).toEqual({ step: 'dropped' })
  expect(walk('Unknown', 'Unknown').at(-1)).toEqual({ step: 'unknown' })
})

test('strips spaces and the prefix of pasted hex, and refuses other text with an explanation', () => {
  expect(parseSigned(' 0xAB\n cd ')).toEqual({ tx: '0xabcd' })
  expect(parseSigned('abcd')).toEqual({ tx: '0xabcd' })
  for (const text of ['', '0x', '0xabc', '0xzz', 'f'.repeat(140_000)])
    expect(parseSigned(text), text.slice(0, 8)).toHaveProperty('wrong')
})
