import { describe, expect, test } from 'vitest'
import { MethodError } from './local.ts'
import { logsRequest } from './logs.ts'
import { withHeadTags } from './tags.ts'
import type { RpcRequest } from '../rpc/jsonrpc.ts'

const head = 3
const hash = `0x${'12'.repeat(32)}`
const contract = `0x${'11'.repeat(20)}`

function getLogs(...params: readonly unknown[]): RpcRequest {
  return { jsonrpc: '2.0', id: 7, method: 'eth_getLogs', params }
}

function refusalOf(params: readonly unknown[]): readonly [number, string] | undefined {
  try {
    logsRequest(getLogs(...params), head)
    return undefined
  } catch (error) {
    if (error instanceof MethodError) return [error.code, error.message]
    throw error
  }
}

/** Recorded answers of avalanchego 1.14.0 at height 3. */
const refusals: readonly (readonly [params: readonly unknown[], code: number, message: string])[] = [
  [[{ fromBlock: '0x64', toBlock: '0x65' }], -32000, 'requested from block 100 after last accepted block 3'],
  [[{ fromBlock: '0x64' }], -32000, 'requested from block 100 after last accepted block 3'],
  [[{ fromBlock: '0x0', toBlock: '0x64' }], -32000, 'requested to block 100 after last accepted block 3'],
  [[{ fromBlock: '0x4', toBlock: '0x4' }], -32000, 'requested from block 4 after last accepted block 3'],
  [[{ fromBlock: 'safe', toBlock: '0x64' }], -32000, 'requested to block 100 after last accepted block 3'],
  [[{ fromBlock: '0x3', toBlock: '0x1' }], -32000, 'invalid block range params'],
  [[{ fromBlock: '0x64', toBlock: '0x1' }], -32000, 'invalid block range params'],
  [[{ fromBlock: 'latest', toBlock: '0x1' }], -32000, 'begin block 3 is greater than end block 1'],
  [
    [{ blockHash: hash, fromBlock: '0x1' }],
    -32602,
    'invalid argument 0: cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other',
  ],
  [[{ blockHash: '0x12' }], -32602, 'invalid argument 0: hex string has length 2, want 64 for common.Hash'],
  [[{ fromBlock: 'xx' }], -32602, 'invalid argument 0: hex string without 0x prefix'],
  [[{ fromBlock: '0x1', toBlock: 3 }], -32602, 'invalid argument 0: hex string without 0x prefix'],
  [[{ fromBlock: '0x01' }], -32602, 'invalid argument 0: hex number with leading zero digits'],
  [
    [{ address: '0x12' }],
    -32602,
    'invalid argument 0: invalid address: hex has invalid length 1 after decoding; expected 20 for address',
  ],
  [[{ address: [contract, 5] }], -32602, 'invalid argument 0: non-string address at index 1'],
  [
    [{ topics: ['0x12'] }],
    -32602,
    'invalid argument 0: hex has invalid length 1 after decoding; expected 32 for topic',
  ],
  [
    [{ topics: '0x' }],
    -32602,
    'invalid argument 0: json: cannot unmarshal string into Go struct field input.topics of type []interface {}',
  ],
  [[{ topics: [[], [], [], [], []] }], -32000, 'exceed max topics'],
  [[], -32602, 'missing value for required argument 0'],
  [[{}, {}], -32602, 'too many arguments, want at most 1'],
  [['x'], -32602, 'invalid argument 0: json: cannot unmarshal string into Go value of type filters.input'],
  [[[]], -32602, 'invalid argument 0: json: cannot unmarshal array into Go value of type filters.input'],
]

/** The block ranges that the same node returned logs for. */
const ranges: readonly (readonly [filter: unknown, from: string, to: string])[] = [
  [{}, '0x3', '0x3'],
  [null, '0x3', '0x3'],
  [{ fromBlock: null, toBlock: null }, '0x3', '0x3'],
  [{ fromBlock: '0x0', toBlock: '0x3' }, '0x0', '0x3'],
  [{ fromBlock: 'finalized', toBlock: 'latest' }, '0x3', '0x3'],
  [{ fromBlock: 'safe', toBlock: 'safe' }, '0x3', '0x3'],
  [{ fromBlock: 'earliest', toBlock: 'finalized' }, '0x0', '0x3'],
  [{ fromBlock: 'earliest', toBlock: 'earliest' }, '0x0', '0x0'],
  [{ topics: [null, [null]] }, '0x3', '0x3'],
]

describe('eth_getLogs', () => {
  test.each(refusals)('refuses %j like a real node', (params, code, message) => {
    expect(refusalOf(params)).toEqual([code, message])
  })

  test.each(ranges)('resolves the block range of %j like a real node', (filter, fromBlock, toBlock) => {
    expect(logsRequest(getLogs(filter), head)?.params).toMatchObject([{ fromBlock, toBlock }])
  })

  test('returns no logs for the pending block, and passes a block hash on unchanged', () => {
    expect(logsRequest(getLogs({ fromBlock: 'pending', toBlock: 'pending' }), head)).toBeUndefined()
    const byHash = getLogs({ blockHash: hash, address: contract })
    expect(logsRequest(byHash, head)).toBe(byHash)
  })
})

test('resolves safe and finalized to the head, and pending too except for transaction counts', () => {
  const asked = (method: string, ...params: unknown[]): unknown =>
    withHeadTags({ jsonrpc: '2.0', id: 1, method, params }).params
  expect(asked('eth_getBlockByNumber', 'finalized', false)).toEqual(['latest', false])
  expect(asked('eth_getStorageAt', contract, '0x0', 'safe')).toEqual([contract, '0x0', 'latest'])
  expect(asked('eth_getBalance', contract, 'pending')).toEqual([contract, 'latest'])
  expect(asked('eth_getTransactionCount', contract, 'pending')).toEqual([contract, 'pending'])
  expect(asked('eth_getTransactionCount', contract, 'safe')).toEqual([contract, 'latest'])
})
