import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { encodeCall } from './encode-call.ts'

const abi = parseAbi([
  'struct Part { uint256 size; address[] owners; }',
  'function many(Part[] parts, int8[2] pair, (bool yes, bytes4 tag) flag, string text, bytes data)',
])
const [alice, bob] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const
const described = {
  signature: 'many((uint256,address[])[],int8[2],(bool,bytes4),string,bytes)',
  inputs: [
    {
      name: 'parts',
      type: '(uint256,address[])[]',
      components: [
        { name: 'size', type: 'uint256' },
        { name: 'owners', type: 'address[]' },
      ],
    },
    { name: 'pair', type: 'int8[2]' },
    {
      name: '',
      type: '(bool,bytes4)',
      components: [
        { name: 'yes', type: 'bool' },
        { name: '', type: 'bytes4' },
      ],
    },
    { name: 'text', type: 'string' },
    { name: 'data', type: 'bytes' },
  ],
  outputs: [],
}

test('texts are encoded as the values of their types', () => {
  const texts = [[['0xff', [alice, bob]]], ['-3', '4'], ['true', '0x01020304'], 'né', '0xab']
  expect(encodeCall(described, texts)).toBe(
    encodeFunctionData({
      abi,
      functionName: 'many',
      args: [[{ size: 255n, owners: [alice, bob] }], [-3, 4], { yes: true, tag: '0x01020304' }, 'né', '0xab'],
    }),
  )
})

test('a value out of its range is refused', () => {
  const texts = [[], ['-129', '4'], ['true', '0x01020304'], '', '0x']
  expect(() => encodeCall(described, texts)).toThrow(/-129/)
})
