import { describe, expect, test } from 'vitest'
import { getPrimaryBalances, listUtxos } from './balances.ts'
import { listPrimaryTransactions } from './transactions.ts'
import { asset, bls, chainInfo, id, nodeId, owner, pChain, survives } from './testing/values.ts'

const stake = {
  addresses: [owner],
  asset,
  consumedOnChainId: pChain,
  consumingTxHash: id,
  createdOnChainId: pChain,
  utxoId: id,
  utxoBytes: '0x0000',
  amount: '2000000000',
  assetId: id,
  blockNumber: '100',
  blockTimestamp: 1763715600,
  consumingBlockNumber: '200',
  consumingBlockTimestamp: 1763719200,
  platformLocktime: 0,
  outputIndex: 1,
  rewardType: 'VALIDATOR',
  stakeableLocktime: 0,
  staked: true,
  threshold: 1,
  txHash: id,
  utxoEndTimestamp: 1764000000,
  utxoStartTimestamp: 1763715600,
  utxoType: 'STAKE',
}

const transaction = {
  txHash: id,
  txType: 'ConvertSubnetToL1Tx',
  blockTimestamp: 1763715600,
  blockNumber: '100',
  blockHash: id,
  consumedUtxos: [stake],
  emittedUtxos: [stake],
  sourceChain: pChain,
  destinationChain: id,
  value: [asset],
  amountBurned: [asset],
  amountStaked: [asset],
  amountL1ValidatorBalanceBurned: [asset],
  startTimestamp: 1763715600,
  endTimestamp: 1764000000,
  delegationFeePercent: '2.0000',
  nodeId,
  subnetId: id,
  l1ValidatorManagerDetails: { blockchainId: id, contractAddress: '0x0feedc0de' },
  l1ValidatorDetails: [
    {
      validationId: id,
      validationIdHex: `0x${'01'.repeat(32)}`,
      nodeId,
      subnetId: id,
      weight: 20,
      remainingBalance: 100,
      balanceChange: -100,
      blsCredentials: { anything: 'goes' },
    },
  ],
  estimatedReward: '1000',
  rewardTxHash: id,
  memo: '0x',
  stakingTxHash: id,
  rewardAddresses: [owner],
  subnetOwnershipInfo: { locktime: 0, threshold: 1, addresses: [owner] },
  blsCredentials: bls,
  blockchainInfo: { chainName: 'Ridge', vmId: id, genesisData: 'bm90IGFuIEVWTQ==' },
}

describe('transactions', () => {
  const { response } = listPrimaryTransactions

  test('are read as the API reference has them, whole and bare', () => {
    survives(response, { nextPageToken: 'next', transactions: [transaction], chainInfo })
    survives(response, { transactions: [{ txHash: id, txType: 'AdvanceTimeTx' }], chainInfo })
  })

  /** A hosted X-Chain output: no block fields, the index as text. */
  const xOutput = {
    addresses: [owner],
    asset,
    consumedOnChainId: id,
    createdOnChainId: id,
    utxoId: id,
    consumingTxTimestamp: 1763715600,
    creationTxHash: id,
    credentials: [{ signature: '0x00', publicKey: '0x01' }, {}],
    groupId: 0,
    locktime: 0,
    outputIndex: '7',
    payload: '0x00',
    threshold: 1,
    timestamp: 1763715600,
    utxoType: 'NFT Mint Output',
  }
  const xTransaction = {
    txHash: id,
    chainFormat: 'non-linear',
    timestamp: 1763715600,
    txType: 'CreateAssetTx',
    memo: '0x',
    amountUnlocked: [asset],
    amountCreated: [asset],
    assetCreated: {
      assetId: id,
      name: 'Token',
      symbol: 'TKN',
      denomination: 0,
      type: 'nft',
      createdAtTimestamp: 1763715600,
      cap: 'fixed',
    },
    vertices: [{ hash: id, height: 7, timestamp: 1763715600 }],
  }

  test('are read as the hosted service sends those of the X-Chain; text indexes become numbers', () => {
    const parsed = response.parse({
      transactions: [{ ...xTransaction, consumedUtxos: [xOutput], emittedUtxos: [] }],
      chainInfo,
    })
    const expected = { ...xTransaction, consumedUtxos: [{ ...xOutput, outputIndex: 7 }], emittedUtxos: [] }
    expect(parsed.transactions[0]).toEqual(expected)
    survives(response, {
      transactions: [{ ...xTransaction, chainFormat: 'linear', blockHeight: 12, blockHash: id }],
      chainInfo: { chainName: 'x-chain', network: 'fuji' },
    })
  })

  test('are read as the hosted service sends atomic ones of the C-Chain', () => {
    const atomic = { txHash: id, blockHeight: 1, blockHash: '0x01', timestamp: 1763715600, memo: '0x' }
    survives(response, {
      transactions: [
        {
          ...atomic,
          txType: 'ExportTx',
          evmInputs: [{ fromAddress: '0x01', asset, credentials: [{ signature: '0x00' }] }],
        },
        { ...atomic, txType: 'ImportTx', evmOutputs: [{ toAddress: '0x01', asset }] },
      ],
      chainInfo: { chainName: 'c-chain', network: 'mainnet' },
    })
  })

  test('keep what is newer than the contract: types, fields, networks', () => {
    survives(response, {
      transactions: [
        {
          txHash: id,
          txType: 'MoveMountainTx',
          emittedUtxos: [
            { ...stake, rewardType: 'LUCK', utxoType: 'FROZEN', asset: { ...asset, type: 'art' } },
          ],
          altitude: { metres: 8848 },
        },
      ],
      chainInfo: { chainName: 'q-chain', network: 'etna', extra: true },
    })
  })

  test('keep every digit of a weight and a locktime that a reader hands on as a bigint', () => {
    const wide = 18446744073709551615n
    const details = { validationId: id, nodeId, subnetId: id, weight: wide, remainingBalance: 1n }
    survives(response, {
      transactions: [
        {
          txHash: id,
          txType: 'RegisterL1ValidatorTx',
          l1ValidatorDetails: [details],
          emittedUtxos: [{ ...stake, platformLocktime: wide }],
        },
      ],
      chainInfo,
    })
  })
})

describe('balances and UTXOs', () => {
  const item = { ...asset, utxoCount: 3 }
  const shared = { ...item, sharedWithChainId: id }

  test('are read in the shapes of the three chains', () => {
    const { response } = getPrimaryBalances
    survives(response, {
      balances: {
        unlockedUnstaked: [item],
        unlockedStaked: [],
        lockedPlatform: [item],
        lockedStakeable: [],
        lockedStaked: [],
        pendingStaked: [],
        atomicMemoryUnlocked: [{ ...shared, status: 'testStatus' }],
        atomicMemoryLocked: [],
      },
      chainInfo,
    })
    survives(response, {
      balances: { locked: [item], unlocked: [item], atomicMemoryUnlocked: [shared], atomicMemoryLocked: [] },
      chainInfo: { chainName: 'x-chain', network: 'fuji' },
    })
    survives(response, {
      balances: { atomicMemoryUnlocked: [shared], atomicMemoryLocked: [] },
      chainInfo: { chainName: 'c-chain', network: 'fuji' },
    })
  })

  test('are read as UTXOs', () => {
    survives(listUtxos.response, { nextPageToken: 'next', utxos: [stake], chainInfo })
  })
})
