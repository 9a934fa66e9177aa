import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { createStats } from '../../../kernel/indexer-stats.ts'
import { SimulatedChain, type Json } from '../../testing/simulated-chain.ts'
import asynchronous from '../fixtures/async-blocks.json' with { type: 'json' }
import fromGenesis from '../fixtures/async-genesis.json' with { type: 'json' }
import recorded from '../fixtures/blocks.json' with { type: 'json' }
import otherNodes from '../fixtures/other-nodes.json' with { type: 'json' }
import { headerHash } from './header.ts'
import { encodeTransactions } from './roots.ts'
import { emptyTrieRoot, indexedTrieRoot } from './trie.ts'
import { verifyBlock } from './verify-block.ts'

const blocks: Record<string, Json> = recorded

describe('headerHash', () => {
  test.each(Object.entries(blocks))('gives the hash that the node recorded: %s', (_name, block) => {
    expect(headerHash(block)).toBe(block['hash'])
  })

  test('gives those of a C-Chain before and after it became asynchronous', () => {
    const all: Json[] = [...asynchronous, ...fromGenesis].map(({ block }) => block)
    expect(all.map((block) => headerHash(block))).toEqual(all.map(({ hash }) => hash))
  })

  test('changes with every hashed field', () => {
    const block = blocks['cChainAtomic'] ?? {}
    expect(headerHash({ ...block, minDelayExcess: '0x1' })).not.toBe(block['hash'])
    expect(headerHash({ ...block, gasUsed: '0x1' })).not.toBe(block['hash'])
  })

  test('is undefined if a field is unknown, or missing before another one', () => {
    const block = blocks['l1Transfer'] ?? {}
    expect(headerHash({ ...block, futureField: '0x1' })).toBeUndefined()
    const { blobGasUsed: _left, ...gap } = block
    expect(headerHash(gap)).toBeUndefined()
  })
})

describe('roots', () => {
  test('gives the transactions root that the node recorded', () => {
    for (const name of ['l1Transfer', 'l1Upgraded']) {
      const block = blocks[name] ?? {}
      const encoded = encodeTransactions(block['transactions'] as Json[]) ?? []
      expect(encoded).toHaveLength(1)
      expect(indexedTrieRoot(encoded)).toBe(block['transactionsRoot'])
    }
  })

  test('gives the well-known root of an empty list', () => {
    expect(indexedTrieRoot([])).toBe(emptyTrieRoot)
    expect(blocks['l1Genesis']?.['receiptsRoot']).toBe(emptyTrieRoot)
  })
})

describe('verifyBlock', () => {
  const chain = new SimulatedChain(5)
  chain.mine(60)
  const busy = [...Array(61).keys()].find((number) => {
    const found = chain.at(number)
    return (
      found &&
      found.receipts.length > 1 &&
      found.receipts.some((receipt) => (receipt['logs'] as Json[]).length > 1)
    )
  })
  const number = busy ?? 0
  const found = chain.at(number)
  const block: Json = found?.block ?? {}
  const receipts = found?.receipts ?? []
  const check = (altered: unknown, alteredReceipts: unknown) =>
    verifyBlock(altered, alteredReceipts, { number, stats: createStats() })
  const first = receipts[0] ?? {}
  const transactions = block['transactions'] as Json[]

  test('accepts a whole block', () => {
    expect(check(block, receipts).hash).toBe(chain.hash(number))
    expect(check(block, receipts).transactions).toHaveLength(transactions.length)
  })

  test('refuses inconsistent parts', () => {
    const refused = (altered: unknown, alteredReceipts: unknown, message: RegExp) =>
      expect(() => check(altered, alteredReceipts)).toThrow(message)
    refused(null, receipts, /not an object/)
    refused({ ...block, number: '0x99' }, receipts, /another block/)
    refused({ ...block, timestamp: '0x1' }, receipts, /does not hash/)
    refused({ ...block, transactions: transactions.slice(1) }, receipts, /receipts for/)
    refused(
      { ...block, transactions: transactions.map((item) => ({ ...item, value: '0x7' })) },
      receipts,
      /does not hash/,
    )
    refused(block, receipts.slice(1), /receipts for/)
    refused(block, [...receipts].reverse(), /another transaction/)
    refused(
      block,
      receipts.map((item) => ({ ...item, blockHash: block['parentHash'] })),
      /another transaction or block/,
    )
    refused(
      block,
      receipts.map((item) => ({ ...item, logs: [] })),
      /bloom|receipts root/,
    )
    refused(block, null, /not a list/)
  })

  test('detects a changed receipt by its root', () => {
    const altered = [{ ...first, status: '0x0', cumulativeGasUsed: '0x1' }, ...receipts.slice(1)]
    expect(() => check(block, altered)).toThrow(/receipts root/)
  })

  test('counts headers and transactions that it cannot recompute', () => {
    const stats = createStats()
    verifyBlock({ ...block, future: '0x1' }, receipts, { number, stats })
    expect(stats.unknownHeaders).toBe(1)
    const exotic = transactions.map((item) => ({ ...item, type: '0x7e' }))
    verifyBlock({ ...block, transactions: exotic }, receipts, { number, stats })
    expect(stats.unknownTransactionTypes).toBe(1)
  })

  describe('of other nodes', () => {
    const { gethWithdrawals, hardhatGenesis, hardhatReserved, hardhatImpersonated } = otherNodes
    const checkOther = ({ block, receipts }: { block: Json; receipts: Json[] }, altered: Json = {}) =>
      verifyBlock({ ...block, ...altered }, receipts, {
        number: Number(block['number']),
        stats: createStats(),
      })

    test('accepts a block of geth with a withdrawal, and refuses another list of withdrawals', () => {
      expect(checkOther(gethWithdrawals).hash).toBe(gethWithdrawals.block.hash)
      const withdrawals: Json[] = gethWithdrawals.block.withdrawals
      for (const altered of [
        [],
        [...withdrawals, ...withdrawals],
        withdrawals.map((item) => ({ ...item, amount: '0x3b9aca01' })),
      ])
        expect(() => checkOther(gethWithdrawals, { withdrawals: altered })).toThrow(/withdrawals root/)
      expect(checkOther(gethWithdrawals, { withdrawals: undefined }).transactions).toEqual([])
    })

    test('accepts the empty blocks of Hardhat, whose transactions root is the hash of nothing', () => {
      for (const each of [hardhatGenesis, hardhatReserved]) {
        expect(each.block.transactionsRoot).toBe(keccak256('0x'))
        expect(checkOther(each).hash).toBe(each.block.hash)
      }
    })

    test('accepts a block of Hardhat with impersonated senders, whose hashes are those of their fields', () => {
      const { proven, transactions: listed } = checkOther(hardhatImpersonated)
      expect(listed.map(({ v }) => v)).toContain('0x1c')
      expect(proven).toEqual({ count: listed.length, names: new Map() })
    })

    test('a transaction that its sender signed must have the hash of its fields', () => {
      const signed = blocks['l1Transfer'] ?? {}
      const [transaction] = signed['transactions'] as Json[]
      const name = `0x${'6e'.repeat(32)}`
      const receipt = { transactionHash: name, blockHash: signed['hash'], transactionIndex: '0x0' }
      const renamed = { ...signed, transactions: [{ ...transaction, hash: name }] }
      expect(() => verifyBlock(renamed, [receipt], { number: 3, stats: createStats() })).toThrow(
        /transaction 0 does not hash to/,
      )
    })

    test('refuses that root for a block with transactions', () => {
      const root = { transactionsRoot: keccak256('0x') }
      // The header must match its hash, or the hash would be the reason for the refusal.
      const header = { ...block, ...root }
      const hash = headerHash(header) ?? ''
      const within = (items: readonly Json[]) => items.map((item) => ({ ...item, blockHash: hash }))
      expect(() => check({ ...header, hash, transactions: within(transactions) }, within(receipts))).toThrow(
        /transactions root differs/,
      )
    })
  })
})

describe('verifyBlock of an asynchronous block', () => {
  const [, , , , , fifth] = asynchronous
  const { block, receipts }: { block: Json; receipts: Json[] } = fifth ?? { block: {}, receipts: [] }
  const check = (altered: Json, alteredReceipts: Json[]) =>
    verifyBlock(altered, alteredReceipts, { number: 5, stats: createStats() })
  const change = (fields: Json): Json[] =>
    receipts.map((item, index) => (index === 1 ? { ...item, ...fields } : item))

  test('accepts its statements about earlier blocks, and checks its own receipts as far as possible', () => {
    const { settlement } = check(block, receipts)
    expect(settlement).toMatchObject({ height: 2, gasUsed: 122_042, receiptsRoot: emptyTrieRoot })
    expect(settlement?.receipts.encoded).toHaveLength(2)
  })

  test('refuses receipts that cannot be its own', () => {
    const refused = (alteredReceipts: Json[], message: RegExp) =>
      expect(() => check(block, alteredReceipts)).toThrow(message)
    refused(receipts.slice(1), /receipts for/)
    refused(change({ blockHash: block['parentHash'] }), /another transaction or block/)
    refused(change({ type: '0x2' }), /another type/)
    refused(change({ cumulativeGasUsed: '0x1dcbb' }), /does not add up/)
    refused(change({ gasUsed: '0x9c41', cumulativeGasUsed: '0x222e1' }), /more than its limit/)
    refused(change({ effectiveGasPrice: '0xdf8475801' }), /more than its transaction offers/)
  })
})
