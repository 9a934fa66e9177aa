import { expect, test } from 'vitest'
import { newBlocks } from './feed-sources.ts'

test('new blocks are counted over all chains', () => {
  const before = { '43114': '100', '1000': '7', 'p-chain': '20' }
  expect(newBlocks(before, { '43114': '103', '1000': '7', 'p-chain': '21' })).toBe(4)
})

test('a reorganization takes no blocks away, and a chain that was not known before adds none', () => {
  expect(newBlocks({ '1': '10', '2': undefined }, { '1': '8', '2': '5', '3': '9' })).toBe(0)
  expect(newBlocks({ '1': '10' }, { '1': undefined })).toBe(0)
})

test('the C-Chain counts as an EVM chain alone, and heights beyond 2^53 are exact', () => {
  expect(newBlocks({ 'c-chain': '1', '43114': '1' }, { 'c-chain': '9', '43114': '2' })).toBe(1)
  expect(newBlocks({ '1': '9007199254740992' }, { '1': '9007199254740993' })).toBe(1)
})
