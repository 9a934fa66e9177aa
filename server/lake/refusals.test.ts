import { describe, expect, test } from 'vitest'
import { decodeBlock } from '../indexer/evm/decode.ts'
import { verifyBlock, type CheckedBlock } from '../indexer/evm/verify/verify-block.ts'
import { SimulatedChain, type Json } from '../indexer/testing/simulated-chain.ts'
import { RetryableError } from '../kernel/errors.ts'
import { createStats } from '../kernel/indexer-stats.ts'
import { rowsOfBlock } from './rows.ts'

/**
 * The lake and the store have a decoder each. What one refuses and the other stores would make a chain that can be
 * indexed but not extracted, or the reverse.
 */

const chainId = 43_113
const chain = new SimulatedChain(5)
chain.mine(60)

/** A fresh copy of a block with at least two transactions and a log, which passed every check. */
function checkedBlock(): CheckedBlock {
  for (let number = 1; number <= 60; number += 1) {
    const found = chain.at(number)
    if (!found || found.receipts.length < 2 || logsOf(found.receipts).length === 0) continue
    const { block, receipts } = structuredClone(found)
    return verifyBlock(block, receipts, { number, stats: createStats() })
  }
  throw new Error('the chain has no block with two transactions and a log')
}

const logsOf = (receipts: readonly Json[]): Json[] => receipts.flatMap(({ logs }) => logs as Json[])

/** The parts of a block that a case changes: its header, a transaction, that one's receipt, and a log. */
type Parts = { header: Json; transaction: Json; receipt: Json; log: Json }

function partsOf({ header, transactions, receipts }: CheckedBlock): Parts {
  const [transaction, receipt, log] = [transactions[0], receipts[0], logsOf(receipts as Json[])[0]]
  if (!transaction || !receipt || !log) throw new Error('the block lacks a part')
  return { header: header as Json, transaction: transaction as Json, receipt: receipt as Json, log }
}

/** How a decoder took a block: accepted, refused as a malformed answer, or failed in another way. */
function outcomeOf(decode: () => unknown): string {
  try {
    decode()
    return 'accepted'
  } catch (error) {
    return error instanceof RetryableError ? error.kind : `failed: ${String(error)}`
  }
}

const noTraces = { calls: [], ownCalls: [] }

function outcomes(change: (parts: Parts) => void): { lake: string; store: string } {
  const checked = checkedBlock()
  change(partsOf(checked))
  return {
    lake: outcomeOf(() => rowsOfBlock(chainId, { checked, traces: noTraces })),
    store: outcomeOf(() => decodeBlock(chainId, checked, noTraces)),
  }
}

const word = `0x${'ab'.repeat(32)}`
const address = `0x${'ab'.repeat(20)}`
const widest = `0x${'f'.repeat(64)}`
const withdrawal = { index: '0x1', validatorIndex: '0x2', address, amount: '0x3' }

/** Values that no field of bytes with a fixed size may have. */
const noBytes: readonly unknown[] = [5, '', '0x1', '0xzz', `0x${'g'.repeat(40)}`, `0x${'ab'.repeat(21)}`, {}]
/** Values that no quantity may have. */
const noQuantities: readonly unknown[] = [5, '', '0x', '12', '0xg', '-0x1', `0x1${'0'.repeat(64)}`, {}]

type Part = keyof Parts

/** The fields that both decoders read, with values that are malformed. */
const malformed: readonly (readonly [Part, string, readonly unknown[]])[] = [
  ['header', 'timestamp', [...noQuantities, null, undefined, widest]],
  ['header', 'miner', [...noBytes, null, undefined]],
  ['header', 'gasLimit', [...noQuantities, null, undefined]],
  ['header', 'gasUsed', [...noQuantities, null, undefined, widest]],
  ['header', 'baseFeePerGas', noQuantities],
  ['header', 'difficulty', noQuantities],
  ['header', 'size', noQuantities],
  ['header', 'stateRoot', [...noBytes, null, undefined]],
  ['header', 'transactionsRoot', [...noBytes, null, undefined]],
  ['header', 'receiptsRoot', [...noBytes, null, undefined]],
  ['header', 'extraData', [5, '', '0x1', '0xzz', null, undefined]],
  ['header', 'nonce', noBytes],
  ['header', 'blockExtraData', [5, '', '0x1', '0xzz']],
  ['header', 'withdrawals', [{}, 5, [5], [null]]],
  ...(['index', 'validatorIndex', 'amount'] as const).map((field): [Part, string, unknown[]] => [
    'header',
    'withdrawals',
    [...noQuantities, null, undefined].map((value) => [{ ...withdrawal, [field]: value }]),
  ]),
  ['header', 'withdrawals', [...noBytes, null].map((value) => [{ ...withdrawal, address: value }])],
  ['transaction', 'from', [...noBytes, null, undefined]],
  ['transaction', 'to', noBytes],
  ['transaction', 'hash', [...noBytes, null, undefined]],
  ['transaction', 'type', [...noQuantities, '0x80', widest]],
  ['transaction', 'value', [...noQuantities, null, undefined]],
  ['transaction', 'nonce', [...noQuantities, null, undefined]],
  ['transaction', 'gas', [...noQuantities, null, undefined]],
  ['transaction', 'maxFeePerGas', noQuantities],
  ['transaction', 'maxPriorityFeePerGas', noQuantities],
  ['transaction', 'input', [5, '', '0x1', '0xzz', null, undefined]],
  ['receipt', 'status', [...noQuantities, null]],
  ['receipt', 'gasUsed', [...noQuantities, null, undefined, '0x8000000000000000']],
  ['receipt', 'cumulativeGasUsed', [...noQuantities, null, undefined, '0x8000000000000000']],
  ['receipt', 'effectiveGasPrice', noQuantities],
  ['receipt', 'logs', [null, undefined, {}, 5, [5], [null]]],
  ['log', 'logIndex', [...noQuantities, null, undefined, '0x7']],
  ['log', 'address', [...noBytes, null, undefined]],
  ['log', 'topics', [null, undefined, {}, [5], [null], ['0x1'], [address], Array(5).fill(word)]],
  ['log', 'data', [5, '', '0x1', '0xzz', null, undefined]],
]

/** Unusual answers that are well-formed. */
const unusual: readonly (readonly [string, (parts: Parts) => void])[] = [
  ['nothing changed', () => undefined],
  ['upper-case hex', ({ log }) => Object.assign(log, { address: address.toUpperCase().replace('0X', '0x') })],
  ['no topics', ({ log }) => Object.assign(log, { topics: [] })],
  ['four topics', ({ log }) => Object.assign(log, { topics: Array(4).fill(word) })],
  ['no data', ({ log }) => Object.assign(log, { data: '0x' })],
  ['the widest value', ({ transaction }) => Object.assign(transaction, { value: widest })],
  ['the widest gas', ({ receipt }) => Object.assign(receipt, { gasUsed: '0x7fffffffffffffff' })],
  ['no status', ({ receipt }) => Object.assign(receipt, { status: undefined })],
  ['no fees', ({ transaction }) => Object.assign(transaction, { maxFeePerGas: null })],
  ['a withdrawal', ({ header }) => Object.assign(header, { withdrawals: [withdrawal] })],
  ['no size', ({ header }) => Object.assign(header, { size: null })],
]

describe("the lake's decoder and the store's", () => {
  const cases = malformed.flatMap(([part, field, values]) =>
    values.map(
      (value) => [`${part}.${field}`, JSON.stringify(value) ?? 'nothing', part, field, value] as const,
    ),
  )
  test.each(cases)('refuse %s: %s', (_name, _text, part, field, value) => {
    const found = outcomes((parts) => Object.assign(parts[part], { [field]: value }))
    expect(found).toEqual({ lake: 'refused', store: 'refused' })
  })

  test.each(unusual)('accept %s', (_name, change) => {
    expect(outcomes(change)).toEqual({ lake: 'accepted', store: 'accepted' })
  })
})
