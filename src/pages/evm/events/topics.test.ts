import { encodeEventTopics, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { isFilterable, topicOf } from './topics.ts'

const alice = `0x${'a1'.repeat(20)}` as const

test('a typed value is the word that the event has as its topic', () => {
  const abi = parseAbi(['event E(address indexed a, int8 indexed b, bytes4 indexed c)'])
  const [, ...words] = encodeEventTopics({
    abi,
    eventName: 'E',
    args: { a: alice, b: -3, c: '0x0102abcd' },
  })
  expect([topicOf(alice, 'address'), topicOf('-3', 'int8'), topicOf('0x0102aBcD', 'bytes4')]).toEqual(
    words.map((word) => ({ word })),
  )
  expect(topicOf('true', 'bool')).toEqual({ word: `0x${'1'.padStart(64, '0')}` })
  expect(topicOf('1,000', 'uint256')).toEqual({ word: `0x${'3e8'.padStart(64, '0')}` })
  expect(topicOf('x', 'uint256')).toEqual({ wrong: 'Give a whole number.' })
})

test('only what a topic has itself can be asked for', () => {
  expect(['address', 'uint8', 'bytes32', 'bool'].every(isFilterable)).toBe(true)
  expect(['string', 'bytes', 'uint256[]', '(uint256,bool)', 'bytes32[2]'].some(isFilterable)).toBe(false)
})
