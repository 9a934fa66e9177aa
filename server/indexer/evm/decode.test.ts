import { describe, expect, test } from 'vitest'
import { createStats } from '../../kernel/indexer-stats.ts'
import { SimulatedChain, type Json } from '../testing/simulated-chain.ts'
import { decodeBlock } from './decode.ts'
import recorded from './fixtures/blocks.json' with { type: 'json' }
import recordedTraces from './fixtures/traces.json' with { type: 'json' }
import { isLastingCreation, needsTraces, readDebugTraces, readFlatTraces } from './traces.ts'
import { verifyBlock } from './verify/verify-block.ts'

const alice = '0x00000000000000000000000000000000000000a1'
const bob = '0x00000000000000000000000000000000000000b2'
const words = (...values: number[]) =>
  `0x${values.map((value) => value.toString(16).padStart(64, '0')).join('')}`
const any = `0x${'9'.repeat(64)}`
const noTraces = { calls: [], ownCalls: [] }

/** The columns of a row in COPY's binary format, as hex digits; undefined for null. */
function columnsOf(row: Buffer): (string | undefined)[] {
  const columns: (string | undefined)[] = []
  let at = 2
  for (let left = row.readInt16BE(0); left > 0; left -= 1) {
    const size = row.readInt32BE(at)
    at += 4 + Math.max(0, size)
    columns.push(size < 0 ? undefined : row.toString('hex', at - size, at))
  }
  expect(at).toBe(row.length)
  return columns
}

describe('traces', () => {
  const hash = (trace: unknown) => String((trace as Json)['txHash'])

  test('reads nested creations of a real node', () => {
    const { calls } = readDebugTraces(recordedTraces.create, { hashes: recordedTraces.create.map(hash) })
    expect(calls.map(({ ordinal, depth, type, reverted }) => [ordinal, depth, type, reverted])).toEqual([
      [0, 1, 'CALL', false],
      [1, 2, 'CREATE', false],
      [2, 2, 'CREATE2', false],
    ])
    expect(calls.filter(isLastingCreation).map((call) => [call.sender, call.recipient])).toEqual([
      ['0x5aa01b3b5877255ce50cc55e8986a7a5fe29c70e', '0xd574f87eedaabb97e8b17fe25654895841695c0b'],
      ['0x5aa01b3b5877255ce50cc55e8986a7a5fe29c70e', '0x92f4e187769de11eba93c7e7dd3815252cfea38f'],
    ])
  })

  test('reads the frame of a refused deployment', () => {
    expect(readDebugTraces([{ txHash: any, result: recordedTraces.refused }], { hashes: [any] })).toEqual({
      calls: [],
      ownCalls: [],
    })
  })

  test('leaves out failed creations, and those inside failed calls', () => {
    const create = (to: string, error?: string) => ({
      type: 'CREATE',
      from: alice,
      to,
      input: '0x',
      ...(error && { error }),
    })
    const failing = {
      type: 'CALL',
      from: alice,
      to: bob,
      input: '0x',
      error: 'execution reverted',
      calls: [create(alice)],
    }
    const top = {
      type: 'CALL',
      from: alice,
      to: bob,
      input: '0x',
      calls: [failing, create(bob, 'out of gas'), create(bob)],
    }
    const { calls } = readDebugTraces([{ txHash: any, result: top }], { hashes: [any] })
    expect(calls.map(({ reverted }) => reverted)).toEqual([true, true, true, false])
    expect(calls.filter(isLastingCreation)).toHaveLength(1)
  })

  test('reads the same calls from a flat list', () => {
    const action = {
      from: alice,
      to: bob,
      value: '0x1',
      gas: '0x10',
      input: '0x01020304ff',
      callType: 'call',
    }
    const flat = (traceAddress: number[], rest: object = {}) => ({
      type: 'call',
      action,
      result: { gasUsed: '0x2' },
      traceAddress,
      transactionHash: any,
      transactionPosition: 0,
      ...rest,
    })
    const creation = {
      type: 'create',
      action: { ...action, creationMethod: 'create2' },
      result: { address: bob, gasUsed: '0x3' },
    }
    const { calls } = readFlatTraces(
      [
        flat([]),
        flat([0], { error: 'Reverted', result: null }),
        flat([0, 0], creation),
        flat([1], creation),
        flat([1, 0]),
      ],
      { hashes: [any], hash: any },
    )
    expect(
      calls.map(({ ordinal, depth, type, reverted, input }) => [ordinal, depth, type, reverted, input]),
    ).toEqual([
      [0, 1, 'CALL', true, '0x01020304ff'],
      [1, 2, 'CREATE2', true, undefined],
      [2, 1, 'CREATE2', false, undefined],
      [3, 2, 'CALL', false, '0x01020304ff'],
    ])
    expect(() => readFlatTraces([], { hashes: [any], hash: any })).toThrow(/not those of the block/)
    expect(() =>
      readFlatTraces([flat([], { transactionHash: words(1) })], { hashes: [any], hash: any }),
    ).toThrow(/not those/)
  })

  test('accepts malicious error texts', () => {
    const top = { calls: [{ type: 'CALL\0', from: alice, to: bob, error: `a\0b\uD800${'x'.repeat(5000)}` }] }
    const { calls } = readDebugTraces([{ txHash: any, result: top }], { hashes: [any] })
    const [call] = calls
    expect(call?.type).toBe('CALL')
    expect(call?.error).not.toContain('\0')
    expect(call?.error?.length).toBeLessThanOrEqual(1000)
  })

  test('requests none if all transactions are plain transfers', () => {
    const plain = { gasUsed: 21_000, input: '0x', hasFailed: false }
    expect(needsTraces([plain])).toBe(false)
    expect(needsTraces([{ ...plain, gasUsed: 21_001 }])).toBe(true)
    expect(needsTraces([{ ...plain, input: '0x00' }])).toBe(true)
    expect(needsTraces([{ ...plain, hasFailed: true }])).toBe(true)
    expect(needsTraces([])).toBe(false)
  })
})

describe('decodeBlock', () => {
  test('reads a recorded transfer', () => {
    const block = recorded.l1Transfer
    const [transaction] = block.transactions
    const receipt = {
      transactionHash: transaction?.hash,
      transactionIndex: '0x0',
      blockHash: block.hash,
      status: '0x1',
      gasUsed: '0x5208',
      cumulativeGasUsed: '0x5208',
      effectiveGasPrice: '0x5d21dba01',
      contractAddress: null,
      logsBloom: block.logsBloom,
      logs: [],
      type: '0x2',
    }
    // The receipts root of the recorded header proves the receipt written out here.
    const checked = verifyBlock(block, [receipt], { number: 3, stats: createStats() })
    const decoded = decodeBlock(99_777, checked, noTraces)
    expect(decoded.fees).toBe(21_000n * 25_000_000_001n)
    expect([...decoded.senders]).toEqual(['0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc'])
    const row = columnsOf(decoded.rows.transactions)
    expect(row).toHaveLength(23)
    expect(row.slice(0, 5).map((column) => Number.parseInt(column ?? '', 16))).toEqual([99_777, 3, 0, 2, 1])
    const [hash, sender, recipient, created] = row.slice(5)
    expect([hash, sender, recipient, created].map((column) => column && `0x${column}`)).toEqual([
      transaction?.hash,
      transaction?.from,
      transaction?.to,
      undefined,
    ])
    expect(row.slice(17)).toEqual([transaction?.input.slice(2), ...Array<undefined>(5)])
  })

  test('stores the atomic transactions of a C-Chain block, which its header proves', () => {
    const { cChainAtomic: block, cChainGenesis: genesis } = recorded
    const checked = (header: Json) => ({
      number: 1,
      hash: any,
      parentHash: any,
      header,
      transactions: [],
      receipts: [],
      hashes: [],
      proven: { count: 0, names: new Map() },
      settlement: undefined,
    })
    expect(decodeBlock(43_112, checked(block), noTraces).header.extData).toBe(block.blockExtraData)
    expect(decodeBlock(43_112, checked(genesis), noTraces).header.extData).toBeUndefined()
    const turned = `${block.blockExtraData.slice(0, -2)}00`
    for (const blockExtraData of [turned, '0x', undefined]) {
      expect(() => decodeBlock(43_112, checked({ ...block, blockExtraData }), noTraces)).toThrow(/extra data/)
    }
  })

  test('refuses a log out of order and a foreign type', () => {
    const chain = new SimulatedChain(2)
    chain.mineWith([{ address: alice, topics: [any], data: '0x01' }], '0x01')
    const found = chain.at(1)
    const receipts = found?.receipts ?? []
    const checked = verifyBlock(found?.block, receipts, {
      number: 1,
      stats: createStats(),
    })
    const withReceipt = (change: object) => ({
      ...checked,
      receipts: receipts.map((receipt) => ({ ...receipt, ...change })),
    })
    expect(decodeBlock(1, checked, noTraces).logCount).toBe(1)
    const [log] = receipts.flatMap((receipt) => receipt['logs'] as Json[])
    expect(() => decodeBlock(1, withReceipt({ logs: [{ ...log, logIndex: '0x5' }] }), noTraces)).toThrow(
      /log 0/,
    )
    expect(() =>
      decodeBlock(1, withReceipt({ logs: [{ ...log, topics: Array(5).fill(any) }] }), noTraces),
    ).toThrow(/four topics/)
    expect(() =>
      decodeBlock(1, withReceipt({ gasUsed: words(1).replace('0x', '0xf').slice(0, 66) }), noTraces),
    ).toThrow(/gas/)
    expect(() => decodeBlock(1, withReceipt({ effectiveGasPrice: 12 }), noTraces)).toThrow(/gas price/)
  })
})
