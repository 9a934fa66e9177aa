import { expect, test } from 'vitest'
import { untracedWords } from './untraced.ts'

const span = (firstBlock: string, lastBlock: string) => ({ firstBlock, lastBlock })

test('names the latest range of untraced blocks and the number of earlier ones', () => {
  expect(untracedWords(undefined)).toBeUndefined()
  expect(untracedWords({})).toBeUndefined()
  expect(untracedWords({ untracedBlocks: [span('7', '7')] })).toBe('block 7')
  expect(untracedWords({ untracedBlocks: [span('1042', '1238')] })).toBe('blocks 1,042 to 1,238')
  expect(untracedWords({ untracedBlocks: [span('9', '12'), span('2', '3')] })).toBe(
    'blocks 9 to 12 and 1 earlier range',
  )
  expect(untracedWords({ untracedBlocks: [span('9', '12'), span('2', '3'), span('1', '1')] })).toBe(
    'blocks 9 to 12 and 2 earlier ranges',
  )
})
