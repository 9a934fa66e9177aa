import { describe, expect, test } from 'vitest'
import {
  listAddressTransactions,
  listErc1155Transfers,
  listErc20Transfers,
  listErc721Transfers,
  listInternalTransactions,
} from './addresses.ts'
import {
  getNativeBalance,
  listCollectibleBalances,
  listErc1155Balances,
  listErc20Balances,
  listErc721Balances,
} from '../tokens/balances.ts'
import { getContractMetadata, listContractDeployments, reindexNft } from './contracts.ts'

const alice = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const bob = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const hash = `0x${'ab'.repeat(32)}`
const maxUint256 = '115792089237316195423570985008687907853269984665640564039457584007913129639935'

const position = {
  blockNumber: '6479329',
  blockTimestamp: 1763715600,
  blockHash: hash,
  txHash: hash,
}
const from = { address: alice }
const to = {
  name: 'Wrapped AVAX',
  symbol: 'WAVAX',
  decimals: 18,
  logoUri: 'https://example.org/w.png',
  address: bob,
}
const erc20Token = { address: bob, name: 'USD Coin', symbol: 'USDC', decimals: 6, ercType: 'ERC-20' }
const metadata = {
  indexStatus: 'INDEXED',
  metadataLastUpdatedTimestamp: 1763700000,
  name: 'Ridge #1',
  symbol: 'RDG',
  imageUri: 'ipfs://image',
  description: 'A ridge',
  animationUri: 'ipfs://animation',
  externalUrl: 'https://example.org',
  background: 'ffffff',
  decimals: 0,
  properties: '{"height":1}',
}
const erc721Token = {
  address: bob,
  name: 'Ridges',
  symbol: 'RDG',
  ercType: 'ERC-721',
  tokenId: maxUint256,
  tokenUri: '',
  metadata: { indexStatus: 'MISSING_TOKEN', attributes: '[]' },
}
const erc1155Token = {
  address: bob,
  ercType: 'ERC-1155',
  tokenId: '7',
  tokenUri: 'https://example.org/7',
  metadata,
}
const nativeTransaction = {
  ...position,
  chainId: '43113',
  blockIndex: 0,
  txStatus: '1',
  txType: 2,
  gasLimit: '21000',
  gasUsed: '21000',
  gasPrice: '25000000000',
  nonce: '0',
  from,
  to,
  method: { callType: 'CONTRACT_CALL', methodHash: '0xa9059cbb', methodName: 'transfer(address,uint256)' },
  value: '0',
}
const internalCall = {
  from,
  to,
  internalTxType: 'CREATE2',
  value: '1',
  isReverted: false,
  gasUsed: '1',
  gasLimit: '2',
}
const price = { currencyCode: 'usd', value: '17.25' }
const native = {
  name: 'Avalanche',
  symbol: 'AVAX',
  decimals: 18,
  logoUri: 'https://example.org/a.png',
  chainId: '43113',
  price,
  balance: maxUint256,
  balanceValue: { currencyCode: 'usd', value: '0.000000000000000001' },
}

/** Parsing keeps every field and value of a valid answer, the unknown ones too. */
const survives = (schema: { parse: (value: unknown) => unknown }, value: unknown) =>
  expect(schema.parse(value)).toEqual(value)

describe('what an address did', () => {
  test('reads ERC-1155 transfers as the API reference has them', () => {
    const transfer = { ...position, from, to, logIndex: 3, value: maxUint256, erc1155Token }
    survives(listErc1155Transfers.response, { nextPageToken: 'next', transactions: [transfer] })
    survives(listErc1155Transfers.response, { transactions: [] })
  })

  test('reads hosted ERC-20 and ERC-721 transfers', () => {
    survives(listErc20Transfers.response, {
      transactions: [
        { ...position, from, to, logIndex: 3, value: '5', erc20Token: { ...erc20Token, price } },
      ],
    })
    survives(listErc721Transfers.response, {
      transactions: [{ ...position, from, to, logIndex: 3, erc721Token }],
    })
  })

  test('reads hosted internal transactions and whole transactions of an address', () => {
    survives(listInternalTransactions.response, { transactions: [{ ...position, ...internalCall }] })
    survives(listAddressTransactions.response, {
      transactions: [
        { nativeTransaction },
        {
          nativeTransaction,
          erc20Transfers: [{ from, to, logIndex: 0, value: '5', erc20Token }],
          erc721Transfers: [{ from, to, logIndex: 1, erc721Token }],
          erc1155Transfers: [{ from, to, logIndex: 2, value: '1', erc1155Token }],
          internalTransactions: [internalCall],
        },
      ],
    })
  })
})

describe('what an address holds', () => {
  const { price: _price, balanceValue: _value, ...unpriced } = native

  test('reads native balances with and without a price', () => {
    survives(getNativeBalance.response, { nativeTokenBalance: native })
    survives(getNativeBalance.response, { nativeTokenBalance: unpriced })
  })

  test('reads ERC-20 balances; a token may have no name and no reputation', () => {
    const balance = { ...erc20Token, chainId: '43113', balance: '1', tokenReputation: null }
    const nameless = { address: bob, ercType: 'ERC-20', chainId: '43113', balance: '0' }
    survives(listErc20Balances.response, {
      nextPageToken: 'next',
      nativeTokenBalance: native,
      erc20TokenBalances: [
        balance,
        nameless,
        { ...balance, price, balanceValue: price, tokenReputation: 'Benign' },
      ],
    })
  })

  test('reads ERC-721 and ERC-1155 balances and both as collectibles', () => {
    const one = { ...erc721Token, ownerAddress: alice, chainId: '43113' }
    const many = { ...erc1155Token, chainId: '43113', balance: maxUint256 }
    survives(listErc721Balances.response, { nativeTokenBalance: native, erc721TokenBalances: [one] })
    survives(listErc1155Balances.response, { nativeTokenBalance: native, erc1155TokenBalances: [many] })
    survives(listCollectibleBalances.response, { collectibleBalances: [one, many] })
  })

  test('refuses a balance that is not an integer in decimal digits', () => {
    for (const balance of ['1.5', '0x1', '-1', '', 1]) {
      expect(
        getNativeBalance.response.safeParse({ nativeTokenBalance: { ...native, balance } }).success,
      ).toBe(false)
    }
  })
})

describe('contracts', () => {
  const contract = {
    name: 'USD Coin',
    description: 'A coin',
    officialSite: 'https://example.org',
    email: 'a@example.org',
    logoAsset: { assetId: '1', imageUri: 'https://example.org/logo.png' },
    bannerAsset: {},
    color: '#fff',
    resourceLinks: [{ type: 'Github', url: 'https://example.org/code' }],
    tags: ['stable'],
    address: bob,
    deploymentDetails: { txHash: hash, deployerAddress: alice, deployerContractAddress: bob },
    ercType: 'ERC-20',
    symbol: 'USDC',
    decimals: 6,
  }

  test('reads contract metadata, whole and as bare as it may be', () => {
    survives(getContractMetadata.response, contract)
    survives(getContractMetadata.response, { address: bob, ercType: 'UNKNOWN' })
    survives(listContractDeployments.response, { nextPageToken: 'next', contracts: [contract] })
  })

  test('takes what is newer than itself', () => {
    survives(getContractMetadata.response, {
      address: bob,
      ercType: 'ERC-9999',
      resourceLinks: [{ type: 'Hologram', url: 'https://example.org' }],
      pricingProviders: { coingeckoCoinId: 'usdc' },
    })
    survives(listInternalTransactions.response, {
      transactions: [{ ...position, ...internalCall, internalTxType: 'CREATE9', gasRefund: '3' }],
    })
    survives(listErc1155Transfers.response, {
      transactions: [
        {
          ...position,
          from: { address: alice, ens: 'alice' },
          to,
          logIndex: 0,
          value: '1',
          erc1155Token: { ...erc1155Token, metadata: { indexStatus: 'QUEUED', rarity: 1 } },
        },
      ],
      total: 1,
    })
  })

  test('takes any answer to a reindexing: there is nothing in it', () => {
    for (const body of [undefined, null, '', {}])
      expect(reindexNft.response.safeParse(body).success).toBe(true)
  })
})
