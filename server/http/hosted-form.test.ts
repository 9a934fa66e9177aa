import { expect, test } from 'vitest'
import { asksForHosted, toHostedForm, withoutHostedPrefix } from './hosted-form.ts'

test.each([
  ['/hosted/v1/chains?pageSize=2', '/v1/chains?pageSize=2', true],
  ['/hosted/v2/chains/1/metrics/txCount', '/v2/chains/1/metrics/txCount', true],
  ['/hosted/ext/admin', '/hosted/ext/admin', false],
  ['/hosted//v1/chains', '/hosted//v1/chains', false],
  ['/v1/hosted/v1/chains', '/v1/hosted/v1/chains', false],
  ['/hosted/v11/chains', '/hosted/v11/chains', false],
])('%s is routed as %s', (url, routed, hosted) => {
  expect(withoutHostedPrefix(url)).toBe(routed)
  expect(asksForHosted(url)).toBe(hosted)
})

test('writes prices as numbers and amounts as text', () => {
  const price = { currencyCode: 'usd', value: '21.5' }
  expect(
    toHostedForm({}, { nativeTokenBalance: { balance: '9007199254740993', price, balanceValue: price } }),
  ).toEqual({
    nativeTokenBalance: {
      balance: '9007199254740993',
      price: { currencyCode: 'usd', value: 21.5 },
      balanceValue: { currencyCode: 'usd', value: 21.5 },
    },
  })
})

test('gives a token without metadata empty texts and 0 decimals', () => {
  const tokens = [
    { ercType: 'ERC-20', address: '0x01', name: undefined, symbol: 'A' },
    { ercType: 'ERC-721', address: '0x02', name: 'B' },
    { ercType: 'ERC-1155', address: '0x03' },
  ]
  expect(toHostedForm({}, { tokens })).toEqual({
    tokens: [
      { ercType: 'ERC-20', address: '0x01', name: '', symbol: 'A', decimals: 0 },
      { ercType: 'ERC-721', address: '0x02', name: 'B', symbol: '', tokenUri: '' },
      { ercType: 'ERC-1155', address: '0x03', tokenUri: '' },
    ],
  })
})

test('writes the sort key of NFT holders as text with all digits', () => {
  expect(toHostedForm({}, { addresses: [{ address: '0x01', sortKey: 2n ** 64n }] })).toEqual({
    addresses: [{ address: '0x01', sortKey: '18446744073709551616' }],
  })
})

test.each(['p-chain', '11111111111111111111111111111111LpoYY'])(
  'a UTXO of %s keeps its record, a newer type is unknown',
  (blockchainId) => {
    const utxo = { utxoId: 'a', utxoType: 'TRANSFER', outputIndex: 1, txHash: 'b' }
    const transaction = { txHash: 'c', txType: 'RewardAutoRenewedValidatorTx', consumedUtxos: [utxo] }
    expect(toHostedForm({ blockchainId }, { transactions: [transaction] })).toEqual({
      transactions: [{ txHash: 'c', txType: 'UNKNOWN', consumedUtxos: [{ ...utxo, blockNumber: '' }] }],
    })
  },
)

test('gives a UTXO of the X-Chain the fields of its hosted record', () => {
  const utxo = { utxoType: 'TRANSFER', outputIndex: 2, txHash: 'b', blockTimestamp: 7, platformLocktime: 9 }
  expect(toHostedForm({ blockchainId: 'x-chain' }, { utxos: [utxo] })).toEqual({
    utxos: [{ ...utxo, outputIndex: '2', creationTxHash: 'b', timestamp: 7, locktime: 9, blockNumber: '' }],
  })
})

test('names both chains of an atomic transaction of the C-Chain', () => {
  const lists = { evmInputs: [], evmOutputs: [], consumedUtxos: [], emittedUtxos: [] }
  const transactions = [
    { ...lists, txType: 'ImportTx', sourceChain: 'X', consumedUtxos: [{ consumedOnChainId: 'C' }] },
    { ...lists, txType: 'ExportTx', destinationChain: 'P', emittedUtxos: [{ createdOnChainId: 'C' }] },
  ]
  expect(toHostedForm({ blockchainId: 'c-chain' }, { transactions })).toMatchObject({
    transactions: [
      { memo: '', sourceChain: 'X', destinationChain: 'C' },
      { memo: '', sourceChain: 'C', destinationChain: 'P' },
    ],
  })
})
