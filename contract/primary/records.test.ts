import { describe, expect, test } from 'vitest'
import { getBlockchain, listBlockchains, listSubnets } from '../network/blockchains.ts'
import { getPrimaryBlock, listNodeBlocks, listVertices } from './blocks.ts'
import { listPendingRewards, listRewards } from '../network/rewards.ts'
import { listDelegators, listL1Validators, listNodeValidations } from '../network/validators.ts'
import { getAggregatedSignatures } from '../signatures/signatures.ts'
import { asset, bls, chainInfo, id, nodeId, owner, pChain, survives } from './testing/values.ts'

describe('blockchains and subnets', () => {
  const chain = {
    createBlockTimestamp: 1763715600,
    createBlockNumber: '42',
    blockchainId: id,
    vmId: id,
    subnetId: id,
    blockchainName: 'Ridge',
    evmChainId: 99999,
  }
  const admins = {
    blockTimestamp: 0,
    adminAddresses: ['0x01'],
    managerAddresses: [],
    enabledAddresses: ['0x02'],
  }
  const genesisData = {
    airdropAmount: null,
    airdropHash: '0x00',
    alloc: { '0x01': { balance: '0x52b7d2dcc80cd2e4000000', code: '0x60', storage: { '0x0': '0x1' } } },
    baseFeePerGas: null,
    blobGasUsed: null,
    coinbase: '0x00',
    config: {
      berlinBlock: 0,
      byzantiumBlock: 0,
      constantinopleBlock: 0,
      eip150Block: 0,
      eip155Block: 0,
      eip158Block: 0,
      homesteadBlock: 0,
      istanbulBlock: 0,
      londonBlock: 0,
      muirGlacierBlock: 0,
      petersburgBlock: 0,
      chainId: 99999,
      eip150Hash: '0x00',
      subnetEVMTimestamp: 0,
      allowFeeRecipients: false,
      feeConfig: {
        baseFeeChangeDenominator: 36,
        blockGasCostStep: 200000,
        gasLimit: 8000000,
        maxBlockGasCost: 1000000,
        minBaseFee: 25000000000,
        minBlockGasCost: 0,
        targetBlockRate: 2,
        targetGas: 15000000,
      },
      warpConfig: { blockTimestamp: 1, quorumNumerator: 67, requirePrimaryNetworkSigners: true },
      txAllowListConfig: admins,
      contractDeployerAllowListConfig: admins,
      contractNativeMinterConfig: admins,
      feeManagerConfig: admins,
      rewardManagerConfig: admins,
    },
    difficulty: '0x0',
    excessBlobGas: null,
    extraData: '0x',
    gasLimit: '0x7a1200',
    gasUsed: '0x0',
    mixHash: '0x00',
    nonce: '0x0',
    number: '0x0',
    parentHash: '0x00',
    timestamp: '0x0',
  }

  test('are read with an EVM genesis, an encoded one, none, and one that fits no form', () => {
    const { evmChainId: _, ...notEvm } = chain
    survives(listBlockchains.response, {
      nextPageToken: 'next',
      blockchains: [
        { ...chain, genesisData },
        { ...chain, genesisData: 'AAAA' },
        notEvm,
        { ...chain, genesisData: { config: { chainId: 'seven', txAllowListConfig: null }, alloc: null } },
      ],
    })
    survives(getBlockchain.response, { ...chain, genesisData })
  })

  test('are read as hosted subnets', () => {
    const subnet = {
      createBlockTimestamp: 1763715600,
      createBlockIndex: '42',
      subnetId: id,
      ownerAddresses: [owner],
      threshold: 1,
      locktime: 0,
      subnetOwnershipInfo: { locktime: 0, threshold: 1, addresses: [owner] },
      isL1: true,
      l1ConversionTransactionHash: id,
      l1ValidatorManagerDetails: { blockchainId: id, contractAddress: '0x01' },
      blockchains: [chain],
    }
    survives(listSubnets.response, { subnets: [subnet], nextPageToken: 'next' })
  })
})

describe('blocks and vertices', () => {
  const block = {
    blockNumber: '42',
    blockHash: id,
    parentHash: id,
    blockTimestamp: 1763715600,
    blockType: 'BanffStandardBlock',
    txCount: 1,
    transactions: [id],
    blockSizeBytes: 512,
  }
  const proposerDetails = {
    proposerId: id,
    proposerParentId: id,
    proposerNodeId: nodeId,
    proposerPChainHeight: 41,
    proposerTimestamp: 1763715599,
  }

  test('are read with and without what only the P-Chain or a proposer gives', () => {
    const full = {
      ...block,
      l1ValidatorsAccruedFees: 44236800,
      activeL1Validators: 1,
      currentSupply: '360000000000000000',
      proposerDetails,
    }
    survives(listNodeBlocks.response, { nextPageToken: 'next', blocks: [full, block], chainInfo })
    survives(getPrimaryBlock.response, { ...block, proposerDetails: {} })
  })

  test('are read as vertices', () => {
    const vertex = {
      vertexHash: id,
      parentHashes: [id, id],
      vertexHeight: 7,
      vertexIndex: 1,
      vertexTimestamp: 1600000000,
      txCount: 2,
      transactions: [id, id],
      vertexSizeBytes: 1024,
    }
    survives(listVertices.response, { nextPageToken: 'next', vertices: [vertex], chainInfo })
  })
})

describe('validators, delegators and rewards', () => {
  const base = {
    txHash: id,
    nodeId,
    subnetId: pChain,
    amountStaked: '2000000000000',
    delegationFee: '2.0000',
    startTimestamp: 1763715600,
    endTimestamp: 1764000000,
    blsCredentials: bls,
  }
  const delegations = { delegatorCount: 2, amountDelegated: '50000000000' }
  const paid = {
    validationRewardAmount: '1',
    delegationRewardAmount: '0',
    rewardAddresses: [owner],
    rewardTxHash: id,
  }
  const active = {
    ...base,
    ...delegations,
    validationStatus: 'active',
    stakePercentage: 0.01,
    uptimePerformance: 99.9,
    avalancheGoVersion: 'avalanchego/1.14.0',
    delegationCapacity: '8000000000000',
    potentialRewards: { validationRewardAmount: '1', delegationRewardAmount: '0' },
    validatorHealth: {
      reachabilityPercent: 100,
      benchedPChainRequestsPercent: 0,
      benchedXChainRequestsPercent: 0.5,
      benchedCChainRequestsPercent: 0,
    },
    geolocation: { city: 'Bern', country: 'Switzerland', countryCode: 'CH', latitude: 46.9, longitude: 7.4 },
  }

  test('are read in every status, and in one that is not known', () => {
    survives(listNodeValidations.response, {
      nextPageToken: 'next',
      validators: [
        { ...base, ...delegations, rewards: paid, validationStatus: 'completed' },
        active,
        { ...active, geolocation: null },
        { ...base, validationStatus: 'pending' },
        { ...base, validationStatus: 'removed', removeTxHash: id, removeTimestamp: 1763800000 },
        { ...base, validationStatus: 'resting', mood: 'calm' },
      ],
    })
  })

  test('are read as L1 validators and delegators of the hosted service', () => {
    const balanceOwner = { addresses: [owner], threshold: 1 }
    survives(listL1Validators.response, {
      validators: [
        {
          validationId: id,
          validationIdHex: `0x${'01'.repeat(32)}`,
          nodeId,
          subnetId: id,
          weight: 0,
          remainingBalance: 0,
          creationTimestamp: 1763715600,
          blsCredentials: bls,
          remainingBalanceOwner: balanceOwner,
          deactivationOwner: balanceOwner,
        },
      ],
      blockHeight: '42',
    })
    const delegation = {
      txHash: id,
      nodeId,
      rewardAddresses: [owner],
      amountDelegated: '25000000000',
      delegationFee: '2.0000',
      startTimestamp: 1763715600,
      endTimestamp: 1764000000,
    }
    const estimated = { estimatedGrossReward: '999', estimatedNetReward: '979' }
    survives(listDelegators.response, {
      delegators: [
        { ...delegation, grossReward: '999', netReward: '979', delegationStatus: 'completed' },
        { ...delegation, ...estimated, delegationStatus: 'active' },
        { ...delegation, ...estimated, delegationStatus: 'pending' },
      ],
    })
  })

  test('are read as rewards, paid and pending', () => {
    const staking = {
      addresses: [owner],
      txHash: id,
      amountStaked: '2000000000000',
      nodeId,
      startTimestamp: 1763715600,
      endTimestamp: 1764000000,
      rewardType: 'VALIDATOR_FEE',
    }
    const reward = { ...asset, historicalPrice: { currencyCode: 'usd', value: '17.25' } }
    const historical = { ...staking, utxoId: id, outputIndex: 2, reward, rewardTxHash: id }
    survives(listRewards.response, {
      nextPageToken: 'next',
      historicalRewards: [historical, { ...historical, reward: asset }],
    })
    survives(listPendingRewards.response, {
      pendingRewards: [{ ...staking, progress: 12.5, estimatedReward: asset }],
    })
  })
})

test('an aggregated signature is a signed message', () => {
  survives(getAggregatedSignatures.response, { signedMessage: '0000000000050102' })
  expect(getAggregatedSignatures.response.safeParse({}).success).toBe(false)
})
