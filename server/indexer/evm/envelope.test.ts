import { expect, test } from 'vitest'
import { envelopeLine, envelopeOf } from './envelope.ts'

const [contract, key] = [`0x${'Ab'.repeat(20)}`, `0x${'Cd'.repeat(32)}`]
const place = [7, 8, 9] as const
/** The stored fields of a transaction; undefined without a row. */
function stored(transaction: Record<string, unknown>): unknown {
  const [line] = envelopeLine(place, envelopeOf(transaction)).split('\n')
  if (line === '') return undefined
  const [chain, number, index, fields = ''] = line?.split('\t') ?? []
  expect([chain, number, index]).toEqual(['7', '8', '9'])
  return fields === '\\N' ? null : JSON.parse(fields)
}

test('most transactions have no row', () => {
  expect(stored({})).toBeUndefined()
  expect(stored({ type: '0x0' })).toBeUndefined()
  expect(stored({ type: '0x2', accessList: [] })).toBeUndefined()
  expect(stored({ type: '0x1', accessList: null })).toBeUndefined()
})

test('access lists, blobs and authorizations are kept in one form', () => {
  const accessList = [{ address: contract, storageKeys: [key] }]
  const lower = [{ address: contract.toLowerCase(), storageKeys: [key.toLowerCase()] }]
  expect(stored({ type: '0x1', accessList })).toEqual({ accessList: lower })
  expect(
    stored({ type: '0x3', accessList: [], blobVersionedHashes: [key], maxFeePerBlobGas: '0x01' }),
  ).toEqual({
    blobVersionedHashes: [key.toLowerCase()],
    maxFeePerBlobGas: '0x1',
  })
  const signed = { chainId: '0x00', address: contract, nonce: '0x05', v: '0x1', r: '0x02', s: '0x3' }
  expect(stored({ type: '0x4', accessList, authorizationList: [signed] })).toEqual({
    accessList: lower,
    authorizationList: [
      { address: contract.toLowerCase(), chainId: '0x0', nonce: '0x5', r: '0x2', s: '0x3', yParity: '0x1' },
    ],
  })
})

test('of one that is too long, only that there is one', () => {
  const listOf = (keys: number) => [
    { address: contract, storageKeys: Array.from({ length: keys }, () => key) },
  ]
  expect(stored({ type: '0x1', accessList: listOf(400) })).toMatchObject({ accessList: [{}] })
  expect(stored({ type: '0x1', accessList: listOf(500) })).toBeNull()
})
