import { array, assert, bigInt, constantFrom, property, uint8Array } from 'fast-check'
import {
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  parseAbi,
  stringToBytes,
  toHex,
  type Hex,
} from 'viem'
import { expect, test } from 'vitest'
import { decodeCall, decodeLog } from './decode.ts'
import { eventsOf, functionsOf } from './known.ts'
import { methodOf } from './method-names.ts'
import { createAbiBook } from './operator.ts'
import { knownSignatures } from './signatures.ts'
import { tokenTransfers } from './token-transfers.ts'

const hex = (bytes: Uint8Array): Hex => toHex(bytes)
const address = '0x71c7656ec7ab88b098defb751b7401b5f6d8976f'

test('decodes well-known selectors and topics', () => {
  const first = (selector: string) => functionsOf(selector)[0]?.signature
  expect(first('0xa9059cbb')).toBe('transfer(address,uint256)')
  expect(first('0x095ea7b3')).toBe('approve(address,uint256)')
  expect(first('0xd0e30db0')).toBe('deposit()')
  expect(first('0x38ed1739')).toBe('swapExactTokensForTokens(uint256,uint256,address[],address,uint256)')
  expect(first('0x82ad56cb')).toBe('aggregate3((address,bool,bytes)[])')
  const transfer = keccak256(stringToBytes('Transfer(address,address,uint256)'))
  expect(eventsOf(transfer)).toHaveLength(2)
  expect(functionsOf('0xffffffff')).toEqual([])
})

test('lists no signature twice', () => {
  expect(new Set(knownSignatures).size).toBe(knownSignatures.length)
})

test('writes tuples, lists and bytes in order', () => {
  const abi = parseAbi(['function aggregate((address target, bytes callData)[] calls)'])
  const input = encodeFunctionData({ abi, args: [[{ target: address, callData: '0x0102' }]] })
  expect(decodeCall(input)).toEqual({
    name: 'aggregate',
    signature: 'aggregate((address,bytes)[])',
    args: [{ name: 'calls', type: 'tuple[]', value: [[address, '0x0102']] }],
  })
})

test('treats names of the JavaScript runtime as plain names', () => {
  expect(functionsOf('__proto__')).toEqual([])
  expect(eventsOf('constructor')).toEqual([])
  expect(decodeCall('__proto__')).toBeUndefined()
  expect(decodeLog(['__proto__'], '0x')).toBeUndefined()
})

test('leaves invalid UTF-8 and lists with a wrong length raw', () => {
  const reason = '0x' + functionSelector('withReason(string)')
  const invalid = reason + encodeAbiParameters([{ type: 'bytes' }], ['0xff00fe']).slice(2)
  expect(() => JSON.stringify(decodeCall(invalid))).not.toThrow()
  const split = '0x' + functionSelector('split(address[])')
  expect(decodeCall(split + '20'.padStart(64, '0') + 'f'.repeat(64))).toBeUndefined()
  expect(decodeCall(split + '20'.padStart(64, '0') + 'ffffffff'.padStart(64, '0'))).toBeUndefined()
})

function functionSelector(signature: string): string {
  return keccak256(stringToBytes(signature)).slice(2, 10)
}

test('never throws for hostile calls and logs', () => {
  const selectors = [
    'a9059cbb',
    functionSelector('aggregate((address,bytes)[])'),
    functionSelector('withReason(string)'),
  ]
  const topics = knownTopics()
  assert(
    property(constantFrom(...selectors), uint8Array({ maxLength: 300 }), (selector, bytes) => {
      const decoded = decodeCall(`0x${selector}${hex(bytes).slice(2)}`)
      expect(decoded === undefined || decoded.args.length > 0).toBe(true)
    }),
  )
  assert(
    property(
      constantFrom(...topics),
      array(bigInt({ min: 0n, max: 2n ** 256n - 1n }), { maxLength: 3 }),
      uint8Array({ maxLength: 300 }),
      (topic, indexed, bytes) => {
        const log = {
          index: 0,
          address,
          topics: [topic, ...indexed.map((value) => toHex(value, { size: 32 }))],
          data: hex(bytes),
        }
        JSON.stringify(decodeLog(log.topics, log.data))
        for (const moved of tokenTransfers(log)) expect(moved.value).toMatch(/^\d+$/)
      },
    ),
  )
})

function knownTopics(): Hex[] {
  return [
    'Transfer(address,address,uint256)',
    'TransferSingle(address,address,address,uint256,uint256)',
    'TransferBatch(address,address,address,uint256[],uint256[])',
    'URI(string,uint256)',
  ].map((signature) => keccak256(stringToBytes(signature)))
}

test('does not treat a log with an invalid address topic as a transfer', () => {
  const topic = keccak256(stringToBytes('Transfer(address,address,uint256)'))
  const clean = `0x${'0'.repeat(24)}${address.slice(2)}`
  const log = { index: 0, address, topics: [topic, clean, clean], data: toHex(1n, { size: 32 }) }
  expect(tokenTransfers(log)).toHaveLength(1)
  expect(tokenTransfers({ ...log, topics: [topic, clean, `0x1${clean.slice(3)}`] })).toEqual([])
})

test('shows a method’s signature if it is known', () => {
  const none = createAbiBook([])
  const method = (callType: string, selector: string) =>
    methodOf({ to: address, callType, selector, inputSize: 10_000 }, none, '43113')
  expect(method('CONTRACT_CALL', '0xa9059cbb')).toEqual({
    callType: 'CONTRACT_CALL',
    methodHash: '0xa9059cbb',
    methodName: 'transfer(address,uint256)',
  })
  for (const [callType, methodHash] of [
    ['CONTRACT_CALL', '0xffffffff'],
    ['CONTRACT_CALL', '0x01'],
    ['CONTRACT_CREATION', '0xa9059cbb'],
    ['NATIVE_TRANSFER', '0x'],
  ] as const) {
    expect(method(callType, methodHash)).toEqual({ callType, methodHash })
  }
})

test('names no method whose arguments the input can’t hold or that do not decode', () => {
  const none = createAbiBook([])
  const nameOf = (input: string, whole = true) => {
    const size = input.length / 2 - 1
    const call = { to: address, callType: 'CONTRACT_CALL', selector: input.slice(0, 10), inputSize: size }
    const method = methodOf({ ...call, ...(whole && { input }) }, none, '43113')
    return 'methodName' in method ? method.methodName : undefined
  }
  const word = (value: bigint): string => toHex(value, { size: 32 }).slice(2)
  const to = `${'0'.repeat(24)}${address.slice(2)}`
  const transfer = `0xa9059cbb${to}${word(5n)}`
  // A selector of zeros belongs to a function with a long list of arguments.
  for (const whole of [true, false]) {
    expect(nameOf('0x00000000', whole)).toBeUndefined()
    expect(nameOf(`0x00000000${word(1n)}`, whole)).toBeUndefined()
    expect(nameOf('0xa9059cbb', whole)).toBeUndefined()
    expect(nameOf(transfer.slice(0, -2), whole)).toBeUndefined()
    expect(nameOf(transfer, whole)).toBe('transfer(address,uint256)')
  }
})
