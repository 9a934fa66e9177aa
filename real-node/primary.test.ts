import { pvm, utils } from '@avalabs/avalanchejs'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { getPrimaryBalances, listUtxos, type BalanceItem } from '../contract/primary-balances.ts'
import { getBlockchain, listSubnets } from '../contract/primary-blockchains.ts'
import { listPrimaryBlocks } from '../contract/primary-blocks.ts'
import { getNetworkOverview } from '../contract/primary-overview.ts'
import { listRewards } from '../contract/primary-rewards.ts'
import { getPrimaryTransaction, listPrimaryTransactions } from '../contract/primary-transactions.ts'
import { listDelegators, listL1Validators, listValidators } from '../contract/primary-validators.ts'
import { temporaryFolder } from '../e2e/launcher.ts'
import { testKey } from '../scripts/staking-network.mjs'
import { compareAssets, compareProposers } from './comparisons.ts'
import { compareEvmChain } from './evm-comparison.ts'
import { startNetwork, type RealNetwork } from './network.ts'
import { ask, bytesOf, idOf } from './node.ts'
import { startService, untilIndexed, type Service } from './service.ts'
import { tellStory, type Story } from './story.ts'

const folder = temporaryFolder()
const serviceFolder = temporaryFolder()
let network: RealNetwork
let service: Service
let story: Story

const p = <T>(method: string, params: unknown = {}): Promise<T> =>
  ask<T>(`${network.node.url}/ext/bc/P`, method, params)
const x = <T>(method: string, params: unknown = {}): Promise<T> =>
  ask<T>(`${network.node.url}/ext/bc/X`, method, params)
const sum = (items: readonly BalanceItem[] | undefined): bigint =>
  (items ?? []).reduce((total, { amount }) => total + BigInt(amount), 0n)

beforeAll(async () => {
  network = await startNetwork({
    program: inject('avalanchego'),
    folder: folder.path,
    size: 1,
    // Within the story, once its first stakes run.
    heliconIn: 40,
  })
  // Ridgeline follows while the story is told, through the node's restart too.
  service = await startService(network.node.url, serviceFolder.path)
  story = await tellStory(network, testKey)
  await untilIndexed(service, network.node.url, getNetworkOverview)
}, 300_000)

afterAll(async () => {
  await service?.stop()
  await network?.stop()
  serviceFolder.remove()
  folder.remove()
}, 60_000)

describe.each([
  { chain: 'P', blockchainId: 'p-chain' as const, path: '/ext/bc/P', service: 'platform' },
  { chain: 'X', blockchainId: 'x-chain' as const, path: '/ext/bc/X', service: 'avm' },
])('blocks of the $chain-chain', ({ blockchainId, path, service: name }) => {
  it('have the ids, parents and times of the node', async () => {
    const url = `${network.node.url}${path}`
    const { height } = await ask<{ height: string }>(url, `${name}.getHeight`)
    const ours = await service.all(listPrimaryBlocks, 'blocks', { blockchainId })
    expect(ours.map(({ blockNumber }) => Number(blockNumber))).toEqual(
      Array.from({ length: Number(height) + 1 }, (_, index) => Number(height) - index),
    )
    for (const block of ours) {
      const given = { height: block.blockNumber }
      const [hex, json] = await Promise.all([
        ask<{ block: string }>(url, `${name}.getBlockByHeight`, { ...given, encoding: 'hex' }),
        ask<{ block: { parentID: string; time?: number; txs?: unknown[]; tx?: unknown } }>(
          url,
          `${name}.getBlockByHeight`,
          { ...given, encoding: 'json' },
        ),
      ])
      expect(block.blockHash).toBe(idOf(bytesOf(hex.block)))
      expect(block.blockSizeBytes).toBe(bytesOf(hex.block).length)
      expect(block.parentHash).toBe(json.block.parentID)
      if (json.block.time !== undefined) expect(block.blockTimestamp).toBe(json.block.time)
      if (block.blockNumber !== '0')
        expect(block.txCount).toBe((json.block.txs?.length ?? 0) + (json.block.tx === undefined ? 0 : 1))
    }
  })
})

describe.each(['P', 'X', 'C'] as const)('proposers of the %s-chain', (chain) => {
  it('are those of the wrappers in the node’s index, around the same blocks', async () => {
    await compareProposers(network.node.url, service, chain)
  })
})

describe('transactions', () => {
  const types: Record<string, string> = {
    validatorRewarded: 'AddPermissionlessValidatorTx',
    delegatorRewarded: 'AddPermissionlessDelegatorTx',
    base: 'BaseTx',
    exportToX: 'ExportTx',
    importFromC: 'ImportTx',
    createSubnet: 'CreateSubnetTx',
    createChain: 'CreateChainTx',
    addSubnetValidator: 'AddSubnetValidatorTx',
    removeSubnetValidator: 'RemoveSubnetValidatorTx',
    transferOwnership: 'TransferSubnetOwnershipTx',
    convert: 'ConvertSubnetToL1Tx',
    register: 'RegisterL1ValidatorTx',
    setWeight: 'SetL1ValidatorWeightTx',
    increaseBalance: 'IncreaseL1ValidatorBalanceTx',
    disable: 'DisableL1ValidatorTx',
  }

  it.each(Object.entries(types))('%s is %s, with the bytes of the node', async (name, txType) => {
    const txHash = story.p[name] ?? ''
    const ours = await service.get(getPrimaryTransaction, { blockchainId: 'p-chain', txHash })
    expect(ours.txType).toBe(txType)
    const { tx } = await p<{ tx: string }>('platform.getTx', { txID: txHash, encoding: 'hex' })
    expect(ours.txBytes).toBe(`0x${bytesOf(tx).toString('hex')}`)
  })

  it.each(['created', 'minted', 'nftMinted', 'nftMoved'])('%s is of its type on X', async (name) => {
    const txHash = story.x[name] ?? ''
    const ours = await service.get(getPrimaryTransaction, { blockchainId: 'x-chain', txHash })
    expect(ours.txType).toBe(name === 'created' ? 'CreateAssetTx' : 'OperationTx')
  })

  it('of X have the bytes of the node', async () => {
    for (const txHash of Object.values(story.x)) {
      const ours = await service.get(getPrimaryTransaction, { blockchainId: 'x-chain', txHash })
      const { tx } = await x<{ tx: string }>('avm.getTx', { txID: txHash, encoding: 'hex' })
      expect(ours.txBytes).toBe(`0x${bytesOf(tx).toString('hex')}`)
    }
  })

  it('of the atomic side of C have the bytes and the blocks of the node', async () => {
    for (const txHash of Object.values(story.c)) {
      const ours = await service.get(getPrimaryTransaction, { blockchainId: 'c-chain', txHash })
      const theirs = await ask<{ tx: string; blockHeight: string }>(
        `${network.node.url}/ext/bc/C/avax`,
        'avax.getAtomicTx',
        { txID: txHash, encoding: 'hex' },
      )
      expect(ours.txBytes).toBe(`0x${bytesOf(theirs.tx).toString('hex')}`)
      expect(ours.blockNumber ?? String(ours.blockHeight)).toBe(theirs.blockHeight)
    }
  })

  it('of the wallet on P are all listed, each once', async () => {
    const rows = await service.all(
      listPrimaryTransactions,
      'transactions',
      { blockchainId: 'p-chain' },
      { addresses: story.wallet.addressText },
    )
    const ids = rows.map(({ txHash }) => txHash)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(Object.values(story.p)))
  })
})

describe('balances', () => {
  it('of P are those of the node', async () => {
    const address = `P-${story.wallet.addressText}`
    const { balances } = await service.get(
      getPrimaryBalances,
      { blockchainId: 'p-chain' },
      { addresses: story.wallet.addressText },
    )
    const theirs = await p<{ unlocked: string; lockedStakeable: string; lockedNotStakeable: string }>(
      'platform.getBalance',
      { addresses: [address] },
    )
    const { staked } = await p<{ staked: string }>('platform.getStake', { addresses: [address] })
    // The node counts an output that needs a second signature as locked: we count what the address owns.
    const utxos = await story.wallet.utxos('P')
    const total = utxos.reduce((whole, utxo) => whole + utils.getUtxoInfo(utxo).amount, 0n)
    expect(
      sum(balances.unlockedUnstaked) + sum(balances.lockedPlatform) + sum(balances.lockedStakeable),
    ).toBe(total)
    expect(sum(balances.lockedStakeable)).toBe(BigInt(theirs.lockedStakeable))
    expect(sum(balances.unlockedStaked) + sum(balances.lockedStaked)).toBe(BigInt(staked))
  })

  it('of X are those of the node', async () => {
    const { balances } = await service.get(
      getPrimaryBalances,
      { blockchainId: 'x-chain' },
      { addresses: story.wallet.addressText },
    )
    const { balances: theirs } = await x<{ balances: { balance: string }[] }>('avm.getAllBalances', {
      address: `X-${story.wallet.addressText}`,
    })
    // The node counts coins alone, we the NFTs too.
    const coins = balances.unlocked?.filter(({ type }) => type !== 'nft')
    expect(sum(coins)).toBe(theirs.reduce((whole, { balance }) => whole + BigInt(balance), 0n))
  })

  it('of X hold the coins and NFTs that the node lists', async () => {
    await compareAssets(network.node.url, service, story)
  })

  it.each(['P', 'X', 'C'] as const)('of atomic memory towards %s are those of the node', async (to) => {
    const others = (['P', 'X', 'C'] as const).filter((chain) => chain !== to)
    const utxos = (await Promise.all(others.map((from) => story.wallet.utxos(to, from)))).flat()
    const theirs = utxos.map((utxo) => `${utxo.utxoId.txID.toString()}:${utxo.utxoId.outputIdx.value()}`)
    const blockchainId = `${to.toLowerCase()}-chain` as 'p-chain'
    const ours = await service.all(
      listUtxos,
      'utxos',
      { blockchainId },
      { addresses: story.wallet.addressText },
    )
    const { pBlockchainID, xBlockchainID, cBlockchainID } = story.wallet.context
    const own = { P: pBlockchainID, X: xBlockchainID, C: cBlockchainID }[to]
    // What was made here for another chain stands in our list too, as it does in the balances.
    const imported = ours.filter((utxo) => utxo.createdOnChainId !== own)
    expect(
      imported.map((utxo) => `${utxo.txHash ?? utxo.creationTxHash ?? ''}:${utxo.outputIndex}`).sort(),
    ).toEqual(theirs.sort())
  })
})

describe('staking', () => {
  it('lists the current validators of the node with their terms', async () => {
    const { validators } = await p<{
      validators: {
        txID: string
        nodeID: string
        weight: string
        startTime: string
        endTime: string
        potentialReward: string
        delegationFee: string
        delegatorCount?: string
      }[]
    }>('platform.getCurrentValidators')
    const ours = await service.all(
      listValidators,
      'validators',
      {},
      { validationStatus: 'active', subnetId: story.wallet.context.pBlockchainID },
    )
    const flat = ours.map((each) => ({
      txID: each.txHash,
      nodeID: each.nodeId,
      weight: each.amountStaked,
      startTime: String(each.startTimestamp),
      endTime: String(each.endTimestamp),
      potentialReward: each.potentialRewards?.validationRewardAmount,
      delegationFee: Number(each.delegationFee),
    }))
    expect(flat).toEqual(
      validators.map(({ txID, nodeID, weight, startTime, endTime, potentialReward, delegationFee }) => ({
        txID,
        nodeID,
        weight,
        startTime,
        endTime,
        potentialReward,
        delegationFee: Number(delegationFee),
      })),
    )
  })

  it('knows the rewards that were paid, to the UTXO', async () => {
    const api = new pvm.PVMApi(network.node.url)
    const staking = [story.p['validatorRewarded'] ?? '', story.p['delegatorRewarded'] ?? '']
    const theirs = (
      await Promise.all(
        staking.map(async (txID) => {
          const { utxos } = await api.getRewardUTXOs({ txID, encoding: 'hex' } as never)
          return utxos.map((utxo) => ({
            txHash: txID,
            outputIndex: utxo.utxoId.outputIdx.value(),
            amount: String(utils.getUtxoInfo(utxo).amount),
          }))
        }),
      )
    ).flat()
    expect(theirs.length).toBe(3)
    const ours = await service.all(
      listRewards,
      'historicalRewards',
      {},
      { addresses: story.wallet.addressText },
    )
    expect(
      ours
        .map(({ txHash, outputIndex, reward }) => ({ txHash, outputIndex, amount: reward.amount }))
        .sort((a, b) => a.outputIndex - b.outputIndex || a.txHash.localeCompare(b.txHash)),
    ).toEqual(theirs.sort((a, b) => a.outputIndex - b.outputIndex || a.txHash.localeCompare(b.txHash)))
  })

  it('says of the other that it was paid nothing', async () => {
    const delegators = await service.all(
      listDelegators,
      'delegators',
      {},
      { rewardAddresses: story.wallet.addressText, delegationStatus: 'completed' },
    )
    const found = delegators.find(({ txHash }) => txHash === story.p['delegatorUnrewarded'])
    expect(found).toMatchObject({ grossReward: '0', netReward: '0' })
  })

  it('has the supply of the node', async () => {
    const { supply } = await p<{ supply: string }>('platform.getCurrentSupply')
    expect((await service.get(getNetworkOverview, {})).currentSupply).toBe(supply)
  })
})

describe('L1s', () => {
  it('have the weights and balances of the node', async () => {
    const ours = await service.all(
      listL1Validators,
      'validators',
      {},
      { subnetId: story.l1SubnetId, includeInactiveL1Validators: true },
    )
    const byId = new Map(ours.map((each) => [each.validationId, each]))
    for (const validationID of story.validationIds.slice(0, 2)) {
      const theirs = await p<{ weight: string; balance: string; nodeID: string }>('platform.getL1Validator', {
        validationID,
      })
      expect(byId.get(validationID)).toMatchObject({
        nodeId: theirs.nodeID,
        weight: Number(theirs.weight),
        remainingBalance: Number(theirs.balance),
        isActive: theirs.balance !== '0',
      })
    }
    // One of the two ran dry within the story; the third was disabled and removed.
    expect([...byId.values()].filter(({ isActive }) => isActive).length).toBe(1)
    await expect(p('platform.getL1Validator', { validationID: story.validationIds[2] })).rejects.toThrow(
      'not found',
    )
    expect(Number(byId.get(story.validationIds[2] ?? '')?.weight ?? 0)).toBe(0)
  })

  it('have their subnet, its owners and its manager', async () => {
    const subnets = await service.all(listSubnets, 'subnets', {})
    for (const subnetID of [story.subnetId, story.l1SubnetId]) {
      const theirs = await p<{
        controlKeys: string[]
        threshold: string
        conversionID: string
        managerChainID: string
      }>('platform.getSubnet', { subnetID })
      const ours = subnets.find(({ subnetId }) => subnetId === subnetID)
      expect(ours?.subnetOwnershipInfo?.addresses.map((each) => each.replace(/^P-/, ''))).toEqual(
        theirs.controlKeys.map((each) => each.replace(/^P-/, '')),
      )
      expect(ours?.subnetOwnershipInfo?.threshold).toBe(Number(theirs.threshold))
      expect(ours?.isL1).toBe(subnetID === story.l1SubnetId)
      if (ours?.isL1) expect(ours.l1ValidatorManagerDetails?.blockchainId).toBe(theirs.managerChainID)
    }
    const chain = await service.get(getBlockchain, { blockchainId: story.blockchainId })
    expect(chain).toMatchObject({ subnetId: story.l1SubnetId, blockchainName: 'story', evmChainId: 99_999 })
  })
})

describe('the C-chain', () => {
  it('is that of the node in every field', async () => {
    const url = `${network.node.url}/ext/bc/C/rpc`
    const compared = await compareEvmChain(url, service, story.evmAccounts)
    expect(compared.transactions).toBeGreaterThan(10)
    expect(compared.logs).toBeGreaterThan(10)
    expect(compared.calls).toBeGreaterThan(30)
  })
})

it('indexes the same again from nothing', async () => {
  const second = temporaryFolder()
  const again = await startService(network.node.url, second.path)
  try {
    await untilIndexed(again, network.node.url, getNetworkOverview)
    const transactions = { addresses: story.wallet.addressText }
    for (const blockchainId of ['p-chain', 'x-chain', 'c-chain'] as const) {
      const list = [listPrimaryTransactions, 'transactions', { blockchainId }, transactions] as const
      expect(await again.all(...list)).toEqual(await service.all(...list))
      const query = { addresses: story.wallet.addressText }
      expect(await again.get(getPrimaryBalances, { blockchainId }, query)).toEqual(
        await service.get(getPrimaryBalances, { blockchainId }, query),
      )
    }
  } finally {
    await again.stop()
    second.remove()
  }
}, 120_000)
