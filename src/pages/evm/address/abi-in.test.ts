import { expect, test } from 'vitest'
import { abiIn } from './abi-in.ts'

const item = { type: 'function', name: 'f', inputs: [] }

test.each([
  ['a list', JSON.stringify([item]), [item]],
  ['an artifact of a compiler', JSON.stringify({ abi: [item], bytecode: '0x' }), [item]],
  ['no JSON', '[{', 'The ABI is not JSON.'],
  ['an empty list', '[]', 'The ABI is not a list, and has no key “abi” with one.'],
  ['something else', '{"name":"f"}', 'The ABI is not a list, and has no key “abi” with one.'],
  ['null', 'null', 'The ABI is not a list, and has no key “abi” with one.'],
])('%s', (_, text, expected) => expect(abiIn(text)).toEqual(expected))
