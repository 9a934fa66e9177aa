import { expect } from 'vitest'

// Values that the tests of records and of transactions share.
export const id = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'
export const pChain = '11111111111111111111111111111111LpoYY'
export const nodeId = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
export const owner = 'fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t'
export const chainInfo = { chainName: 'p-chain', network: 'fuji' }
export const asset = {
  assetId: id,
  name: 'Avalanche',
  symbol: 'AVAX',
  denomination: 9,
  type: 'secp256k1',
  amount: '2000000000',
}
export const bls = { publicKey: `0x${'8f'.repeat(48)}`, proofOfPossession: `0x${'86'.repeat(96)}` }

/** Parsing keeps every field and value of a valid answer, the unknown ones too. */
export const survives = (schema: { parse: (value: unknown) => unknown }, value: unknown) =>
  expect(schema.parse(value)).toEqual(value)
