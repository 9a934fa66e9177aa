import { describe, expect, test } from 'vitest'
import { recordedCalls } from '../../testing/recorded-answers.ts'
import { testAddress, recordedLedger } from '../../testing/recorded-ledger.ts'
import { hexOfCb58 } from '../../../protocol/ids/bare-hex.ts'
import { readIssued } from './verify.ts'
import { type AtomicView, conflictingOf, verifyAtomic } from './verify-c.ts'

const recorded = recordedCalls('issue-answers.json')
const ledger = recordedLedger()

/** The bytes that were sent, and the node's answer. */
function issued(name: string): {
  bytes: Uint8Array
  answer: { result?: { txID: string }; error?: { message: string } }
} {
  const call = recorded.get(name)
  if (call === undefined) throw new Error(`${name} has not been recorded`)
  const { params } = call.body as { params: { tx: string } }
  return {
    bytes: new Uint8Array(Buffer.from(params.tx.slice(2, -8), 'hex')),
    answer: call.answer as { error?: { message: string } },
  }
}

function txOf(name: string): Extract<ReturnType<typeof readIssued>, { chain: 'C' }>['made'] {
  const found = readIssued('C', issued(name).bytes)
  if (found.chain !== 'C') throw new Error('not of C')
  return found.made
}

/**
 * The recorded node's state at the time of the calls: five coins from X, and a rich account that had sent
 * nothing.
 */
function viewOf(changes: Partial<AtomicView> = {}): AtomicView {
  const { P, X, C, avax } = ledger.ids
  return {
    networkId: 12345,
    ids: { C, avax },
    names: { [P]: 'P', [X]: 'X', [C]: 'C' },
    time: 1_795_000_000,
    baseFee: 1n,
    utxo(source, id) {
      const found = ledger.utxos({ chain: 'C', source }, testAddress).find((utxo) => utxo.id === id)
      return found
    },
    account: () => ({ balance: 10n ** 27n, nonce: 5n }),
    ...changes,
  }
}

function refusalOf(view: AtomicView, name: string, change: (hex: string) => string = (hex) => hex): string {
  const hex = change(Buffer.from(issued(name).bytes).toString('hex'))
  try {
    const found = readIssued('C', new Uint8Array(Buffer.from(hex, 'hex')))
    if (found.chain === 'C') verifyAtomic(view, found.made.tx)
    return 'accepted'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const importCall = 'C.avax.issueTx.ok'
const exportCall = 'C.avax.issueTx.exportBadNonce'

describe('atomic transactions that were sent to a real node', () => {
  test('are decoded, identified and judged as by that node', () => {
    const { id } = txOf(importCall)
    expect(id).toBe(hexOfCb58(issued(importCall).answer.result?.txID ?? ''))
    expect(refusalOf(viewOf(), importCall)).toBe('accepted')
    // After acceptance its coins are spent.
    expect(refusalOf(viewOf({ utxo: () => undefined }), importCall)).toBe(
      issued('C.avax.issueTx.again').answer.error?.message,
    )
    expect(refusalOf(viewOf(), exportCall)).toBe(issued(exportCall).answer.error?.message)
    expect(refusalOf(viewOf(), 'C.avax.issueTx.xTx')).toBe(issued('C.avax.issueTx.xTx').answer.error?.message)
  })

  // For cases without a recording, the messages are from the virtual machine's source.
  test('are refused for every kind of error', () => {
    const account = { balance: 10n ** 27n, nonce: 999n }
    expect(refusalOf(viewOf({ account: () => account }), exportCall)).toBe('accepted')
    const poor = { ...account, balance: 10n ** 18n }
    expect(refusalOf(viewOf({ account: () => poor }), exportCall)).toBe('insufficient funds')
    expect(refusalOf(viewOf({ networkId: 5 }), exportCall)).toBe('tx was issued with a different network ID')
    expect(refusalOf(viewOf({ names: {} }), importCall)).toBe('tx has wrong chain ID')
    expect(refusalOf(viewOf({ baseFee: 10n ** 15n }), importCall)).toBe(
      'import tx flow check failed due to: insufficient funds',
    )
    // The byte is inside a signature.
    const forged = (hex: string): string =>
      `${hex.slice(0, -40)}${hex.at(-40) === '0' ? '1' : '0'}${hex.slice(-39)}`
    expect(refusalOf(viewOf(), importCall, forged)).toMatch(
      /^import tx transfer failed verification: wrong signature: expected signature from \w+ but got from \w+$/,
    )
    expect(refusalOf(viewOf({ account: () => account }), exportCall, forged)).toBe(
      "signature doesn't match public key",
    )
    const less = viewOf({
      utxo(source, id) {
        const found = viewOf().utxo(source, id)
        if (found?.output.type !== 'TRANSFER') return undefined
        return { ...found, output: { ...found.output, amount: found.output.amount - 1n } }
      },
    })
    expect(refusalOf(less, importCall)).toBe(
      'import tx transfer failed verification: utxo amount and input amount are not equal: 999999999 != 1000000000',
    )
  })

  test('are rejected if a conflicting queued one pays as much, and replace one that pays less', () => {
    const made = txOf(importCall)
    const { avax } = ledger.ids
    expect(() => conflictingOf(made, [made], avax)).toThrow(
      /^conflict present: issued tx \(\w+\) gas price \d+ <= conflict tx \(\w+\) gas price \d+ \(1 total conflicts in mempool\)$/,
    )
    const { unsigned } = made.tx
    if (unsigned.type !== 'ImportTx') throw new Error('not an import')
    const evmOutputs = unsigned.evmOutputs.map((out) => ({ ...out, amount: out.amount + 1_000_000n }))
    const cheaper = {
      ...made,
      id: '11'.repeat(32),
      tx: { ...made.tx, unsigned: { ...unsigned, evmOutputs } },
    }
    expect([...conflictingOf(made, [cheaper, txOf(exportCall)], avax)]).toEqual([cheaper.id])
  })
})
