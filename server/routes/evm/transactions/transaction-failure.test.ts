import { encodeErrorResult, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { NodeError, startScriptedNode, type ScriptedNode } from '../../../node/testing/scripted-node.ts'
import { addressOf, hashOf, seedChain, type SeedBlock } from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
const [alice, router, pool, token] = ['alice', 'router', 'pool', 'token'].map(addressOf) as [
  string,
  string,
  string,
  string,
]
const errors = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
])
const reason = (text: string) => encodeErrorResult({ abi: errors, errorName: 'Error', args: [text] })
const panic = (code: bigint) => encodeErrorResult({ abi: errors, errorName: 'Panic', args: [code] })

const swap = '0x38ed1739'
const transfer = '0xa9059cbb'
const call = (fields: object) => ({ from: alice, to: router, status: 0 as const, input: swap, ...fields })
const [withCalls, plain, usedAll, fine, untraced] = ['calls', 'plain', 'used all', 'fine', 'untraced'].map(
  hashOf,
) as [string, string, string, string, string]

const blocks: SeedBlock[] = [
  { number: 0, ts: 1_700_000_000, txs: [] },
  {
    number: 1,
    ts: 1_700_000_010,
    txs: [
      call({
        hash: withCalls,
        gasLimit: 100_000n,
        gasUsed: 60_000n,
        value: 5n,
        calls: [
          // Caught: its caller went on.
          { type: 'CALL', sender: router, recipient: token, depth: 1, reverted: true, error: 'out of gas' },
          { type: 'CALL', sender: router, recipient: pool, depth: 1, reverted: true, error: 'too late' },
          { type: 'STATICCALL', sender: pool, recipient: alice, depth: 2, reverted: true },
          {
            type: 'CALL',
            sender: pool,
            recipient: token,
            depth: 2,
            reverted: true,
            error: 'too late',
            input: transfer,
          },
        ],
      }),
      call({ hash: plain, gasLimit: 100_000n, gasUsed: 30_000n }),
      call({ hash: usedAll, gasLimit: 100_000n, gasUsed: 100_000n }),
      call({ hash: fine, status: 1 }),
    ],
  },
  { number: 2, ts: 1_700_000_020, txs: [call({ hash: untraced, gasLimit: 90_000n, gasUsed: 30_000n })] },
]

const frame = (fields: object) => ({
  type: 'CALL',
  from: alice,
  to: router,
  gas: '0x186a0',
  gasUsed: '0xea60',
  input: `${swap}00`,
  ...fields,
})
const noMethod = (): never => {
  throw new NodeError(-32601, 'the method debug_traceTransaction does not exist/is not available')
}
const pruned = (): never => {
  throw new NodeError(-32000, 'missing trie node 12 (path ) state 0x12 is not available, not found')
}

let store: TestDatabase
let service: TestService
let node: ScriptedNode
/** What the node answers to a trace and to a call; tests replace it. */
let answers: { trace: () => unknown; call: () => unknown }

beforeAll(async () => {
  node = await startScriptedNode(({ method }) =>
    method === 'debug_traceTransaction' ? answers.trace() : answers.call(),
  )
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks, finalized: 1 })
  await store.database`insert into trace_gaps (chain, first_block, last_block) values (${chain}, 2, 2)`
})
beforeEach(async () => {
  answers = { trace: noMethod, call: pruned }
  node.asked.length = 0
  // A service of its own for each test: answers are cached.
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [
        { evmChainId: chain, name: 'Test Chain', rpcUrl: node.url },
        { evmChainId: 7, name: 'Away', rpcUrl: 'http://127.0.0.1:9' },
      ],
      contracts: [{ chainId: chain, address: token, name: 'The Token' }],
    }),
  })
})
afterEach(() => service.close())
afterAll(async () => {
  await store.drop()
  await node.close()
})

const get = async (hash: string) => {
  const response = await service.app.inject(`/v1/chains/${chain}/transactions/${hash}/failure`)
  return { status: response.statusCode, body: response.json() }
}

describe('a node that traces', () => {
  test('may nest calls as deep as the virtual machine allows', async () => {
    const failed = { error: 'execution reverted', output: reason('too deep') }
    let trace = frame({ ...failed, to: pool })
    for (let depth = 1; depth <= 1_024; depth += 1) trace = frame({ ...failed, calls: [trace] })
    answers.trace = () => trace
    expect((await get(withCalls)).body).toMatchObject({
      source: 'TRACE',
      reason: 'too deep',
      call: { depth: 1_024, to: { address: pool } },
    })
  })

  test('names the reason and the deepest call that it spread from', async () => {
    const data = reason('insufficient allowance')
    const failed = { error: 'execution reverted', output: data }
    answers.trace = () =>
      frame({
        ...failed,
        calls: [
          frame({ from: router, to: alice, calls: [frame({ from: alice, to: alice })] }),
          frame({
            ...failed,
            from: router,
            to: pool,
            calls: [
              // Caught: it reverted with other data than its caller.
              frame({ from: pool, to: router, error: 'execution reverted', output: reason('other') }),
              frame({
                ...failed,
                from: pool,
                to: token,
                input: `${transfer}ff`,
                gas: '0x2710',
                gasUsed: '0x3e8',
              }),
            ],
          }),
        ],
      })
    expect((await get(withCalls)).body).toEqual({
      txHash: withCalls,
      blockNumber: '1',
      source: 'TRACE',
      isStateMissing: false,
      kind: 'REASON',
      reason: 'insufficient allowance',
      error: {
        name: 'Error',
        signature: 'Error(string)',
        args: [{ name: 'reason', type: 'string', value: 'insufficient allowance' }],
      },
      data,
      call: {
        depth: 2,
        internalTxType: 'CALL',
        from: { address: pool },
        to: { address: token, name: 'The Token' },
        methodHash: transfer,
        methodName: 'transfer(address,uint256)',
        gasLimit: '10000',
        gasUsed: '1000',
        internalIndex: 4,
      },
    })
  })

  test('shows a call that failed after it caught a failure as the failing one', async () => {
    answers.trace = () =>
      frame({
        error: 'execution reverted',
        output: reason('mine'),
        calls: [frame({ from: router, to: pool, error: 'execution reverted', output: reason('its') })],
      })
    const { body } = await get(plain)
    expect([body.reason, body.call.depth, body.call.to.address]).toEqual(['mine', 0, router])
    expect(body.call).not.toHaveProperty('internalIndex')
    // The receipt's, whatever the trace says of the transaction's own call.
    expect([body.call.gasLimit, body.call.gasUsed]).toEqual(['100000', '30000'])
  })

  test('follows an inner call that ran out of gas and took its callers with it', async () => {
    answers.trace = () =>
      frame({
        error: 'execution reverted',
        calls: [frame({ from: router, to: pool, error: 'out of gas' })],
      })
    const { body } = await get(plain)
    expect([body.kind, body.reason, body.call.depth]).toEqual(['OUT_OF_GAS', 'out of gas', 1])
  })

  test.each([
    [{ output: panic(0x01n) }, 'PANIC', 'assertion failed'],
    [{ output: panic(0x11n) }, 'PANIC', 'arithmetic overflow or underflow'],
    [{ output: panic(0x12n) }, 'PANIC', 'division or modulo by zero'],
    [{ output: panic(0x32n) }, 'PANIC', 'array index out of bounds'],
    [{ output: panic(0x99n) }, 'PANIC', 'panic 0x99'],
    [{ output: reason('') }, 'REASON', 'reverted with an empty reason'],
    [
      {
        output: encodeErrorResult({
          abi: errors,
          errorName: 'ERC20InsufficientAllowance',
          args: [pool as `0x${string}`, 1n, 2n],
        }),
      },
      'CUSTOM_ERROR',
      'ERC20 insufficient allowance',
    ],
    [{ output: `0xdeadbeef${'00'.repeat(32)}` }, 'UNKNOWN_ERROR', 'unknown error 0xdeadbeef'],
    [{ output: '0x08c379a0ff' }, 'UNKNOWN_ERROR', 'unknown error 0x08c379a0'],
    [{ output: '0xff' }, 'UNKNOWN_ERROR', 'unknown error 0xff'],
    [{}, 'EMPTY_REVERT', 'reverted without a reason'],
    [{ error: 'out of gas' }, 'OUT_OF_GAS', 'out of gas'],
    [{ error: 'EVM error OutOfGas' }, 'OUT_OF_GAS', 'out of gas'],
    [{ error: 'invalid opcode: INVALID' }, 'INVALID_OPCODE', 'invalid opcode'],
    [{ error: 'stack underflow (0 <=> 2)' }, 'OTHER', 'stack underflow (0 <=> 2)'],
  ])('tells kinds apart: %#', async (fields, kind, text) => {
    answers.trace = () => frame({ error: 'execution reverted', ...fields })
    const { body } = await get(plain)
    expect([body.kind, body.reason]).toEqual([kind, text])
  })

  test('is asked once about a block that is final', async () => {
    answers.trace = () => frame({ error: 'out of gas' })
    const first = await get(plain)
    const asked = node.asked.length
    answers.trace = () => frame({ error: 'invalid opcode: INVALID' })
    // Later than equal calls share one answer of the node.
    const later = performance.now() + 60_000
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
    try {
      expect(await get(plain)).toEqual(first)
      expect(node.asked).toHaveLength(asked)
      // Block 2 is not final.
      answers.trace = () => frame({ error: 'out of gas' })
      expect((await get(untraced)).body.kind).toBe('OUT_OF_GAS')
      answers.trace = () => frame({ error: 'invalid opcode: INVALID' })
      clock.mockReturnValue(later + 60_000)
      expect((await get(untraced)).body.kind).toBe('INVALID_OPCODE')
    } finally {
      clock.mockRestore()
    }
  })
})

describe('a node that does not trace', () => {
  test('replays the call on the state before its block, with the stored calls', async () => {
    answers.call = () => {
      throw new NodeError(3, 'execution reverted: too late', reason('too late'))
    }
    const { body } = await get(withCalls)
    expect(node.asked.at(-1)).toMatchObject({
      method: 'eth_call',
      params: [{ from: alice, to: router, data: swap, value: '0x5', gas: '0x186a0' }, '0x0'],
    })
    expect(body).toMatchObject({
      source: 'REPLAY',
      kind: 'REASON',
      reason: 'too late',
      call: { depth: 2, to: { address: token }, methodName: 'transfer(address,uint256)', internalIndex: 3 },
    })
  })

  test('does not follow a stored call that failed for another reason than the transaction', async () => {
    answers.call = () => {
      throw new NodeError(3, 'execution reverted: my own', reason('my own'))
    }
    const { body } = await get(withCalls)
    expect([body.reason, body.call.depth, body.call.to.address]).toEqual(['my own', 0, router])
  })

  test('says that the replayed call succeeded', async () => {
    answers.call = () => '0x'
    expect((await get(plain)).body).toMatchObject({
      source: 'REPLAY',
      kind: 'UNKNOWN',
      reason: 'the replayed call succeeded, so the failure depends on earlier transactions of its block',
    })
  })

  test.each(['out of gas', 'EVM error OutOfGas'])('reads a replay that ends with %s', async (message) => {
    answers.call = () => {
      throw new NodeError(-32000, message)
    }
    expect((await get(usedAll)).body).toMatchObject({ source: 'REPLAY', kind: 'OUT_OF_GAS' })
  })

  test('does not know the failing call of a block that is not traced', async () => {
    answers.call = () => {
      throw new NodeError(3, 'execution reverted', '0x')
    }
    const { body } = await get(untraced)
    expect(body).toMatchObject({ source: 'REPLAY', kind: 'EMPTY_REVERT' })
    expect(body).not.toHaveProperty('call')
  })
})

describe('a node that no longer keeps the state', () => {
  test('leaves the stored trace', async () => {
    expect((await get(withCalls)).body).toMatchObject({
      source: 'STORED_TRACE',
      isStateMissing: true,
      kind: 'OTHER',
      reason: 'too late',
      call: { depth: 2, to: { address: token }, internalIndex: 3 },
    })
  })

  test('leaves the receipt, and its answer is not kept', async () => {
    expect((await get(usedAll)).body).toEqual({
      txHash: usedAll,
      blockNumber: '1',
      source: 'RECEIPT',
      isStateMissing: true,
      kind: 'UNKNOWN',
      reason: 'used all of its gas: it ran out of gas, or an instruction was invalid',
    })
    answers.trace = () => frame({ error: 'out of gas' })
    await expect.poll(async () => (await get(usedAll)).body.source).toBe('TRACE')
  })

  test('is told apart from one that refuses', async () => {
    answers.call = noMethod
    expect((await get(plain)).body).toMatchObject({
      source: 'RECEIPT',
      isStateMissing: false,
      kind: 'UNKNOWN',
      reason: 'reverted, the reason is not known',
    })
  })
})

test('a transaction that succeeded, or that nobody knows, is a 404', async () => {
  expect(await get(fine)).toMatchObject({
    status: 404,
    body: { message: `transaction ${fine} did not fail` },
  })
  expect((await get(hashOf('nobody'))).status).toBe(404)
})

test('a node that can’t be reached is a 502', async () => {
  answers.trace = () => {
    throw new NodeError(429, 'too many requests')
  }
  expect((await get(plain)).status).toBe(502)
})
