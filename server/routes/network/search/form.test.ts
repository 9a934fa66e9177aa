import { expect, test } from 'vitest'
import { readForm } from './form.ts'

test.each([
  ['block 2143', { text: '2143', kinds: ['block', 'primaryBlock'] }],
  ['Block: 2,143', { text: '2,143', kinds: ['block', 'primaryBlock'] }],
  ['#2143', { text: '2143', kinds: ['block', 'primaryBlock'] }],
  ['tx 0xab', { text: '0xab', kinds: ['transaction', 'primaryTransaction'] }],
  ['token SUSD', { text: 'SUSD', kinds: ['token'] }],
  ['P-fuji1abc', { text: 'fuji1abc', alias: 'p-chain' }],
  ['p-chain 12', { text: '12', alias: 'p-chain' }],
  ['X block 12', { text: '12', alias: 'x-chain', kinds: ['block', 'primaryBlock'] }],
  ['Ridge', undefined],
  ['blocks', undefined],
  ['block', undefined],
  ['pepe coin', undefined],
])('%s', (text, expected) => {
  expect(readForm(text)).toEqual(expected)
})
