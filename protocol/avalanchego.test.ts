import { expect, test } from 'vitest'
import transactions from './fixtures/avalanchego-transactions.json' with { type: 'json' }
import { encode } from './codec/schema.ts'
import { cb58, hexText } from './ids/text.ts'
import { atomicTx, decodeAtomicTx } from './primary/atomic.ts'
import { decodePTx, pTx } from './primary/p-transactions.ts'
import { namesById, pTxTypeIds } from './primary/transaction-types.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

test.each(transactions.p)('avalanchego’s $name is read, and written to the same bytes', ({ name, bytes }) => {
  const tx = decodePTx(Buffer.from(bytes, 'hex').subarray(2))
  expect(tx.unsigned.type).toBe(name.split(' ', 1)[0])
  expect(hex(encode(pTx, tx as never))).toBe(bytes)
})

test('every type of the P-Chain is among them', () => {
  const types = new Set(transactions.p.map(({ name }) => name.split(' ', 1)[0]))
  expect([...types].toSorted()).toEqual([...namesById(pTxTypeIds).values()].toSorted())
})

test.each(transactions.c)(
  'avalanchego’s $name of the C-Chain has its id, and is written to the same bytes',
  ({ id, bytes }) => {
    const tx = decodeAtomicTx(Buffer.from(bytes, 'hex').subarray(2))
    expect(cb58(tx.id)).toBe(id)
    expect(hex(encode(atomicTx, tx as never))).toBe(bytes)
  },
)

test.each([
  [4, { type: 'ImportTx', account: '0xb8b5a87d1c05676f1f966da49151fa54dbe68c33', amount: 50_000_000n }],
  [48, { type: 'ExportTx', account: '0xeb019ccd325ad53543a7e7e3b04828bdecf3cff6', amount: 1_000_001n }],
])('the transaction of mainnet’s block %i says who gets or gives how much', (block, expected) => {
  const { bytes } = transactions.c.find(({ mainnetBlock }) => mainnetBlock === block) ?? { bytes: '' }
  const { unsigned } = decodeAtomicTx(Buffer.from(bytes, 'hex').subarray(2))
  const [entry] = unsigned.type === 'ImportTx' ? unsigned.evmOutputs : unsigned.evmInputs
  expect({
    type: unsigned.type,
    account: entry && hexText(entry.address),
    amount: entry?.amount,
  }).toEqual(expected)
  expect(unsigned.networkId).toBe(1)
})
