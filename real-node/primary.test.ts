import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { getPrimaryBalances } from '../contract/primary/balances.ts'
import { getNetworkOverview } from '../contract/network/overview.ts'
import { listPrimaryTransactions } from '../contract/primary/transactions.ts'
import { temporaryFolder } from '../e2e/support/launcher.ts'
import { testKey } from '../scripts/support/staking-network.mjs'
import { comparisons } from './compare/comparisons.ts'
import { startNetwork, type RealNetwork } from './stack/network.ts'
import type { Compared } from './compare/primary-comparison.ts'
import { readPrimary } from './compare/primary-reading.ts'
import { pRecord } from './compare/primary-records.ts'
import { startService, untilIndexed, type Service } from './stack/service.ts'
import { playPrimary, type Story } from './stack/story.ts'

const folder = temporaryFolder()
const serviceFolder = temporaryFolder()
let network: RealNetwork
let service: Service
let story: Story
let compared: Compared

beforeAll(async () => {
  network = await startNetwork({
    program: inject('avalanchego'),
    folder: folder.path,
    size: 1,
    // During the scenario, once its first stakes are active.
    heliconIn: 40,
  })
  // Ridgeline follows during the whole scenario, including the node's restart.
  service = await startService(network.node.url, serviceFolder.path)
  story = await playPrimary(network, testKey)
  await untilIndexed(service, network.node.url, getNetworkOverview)
  const nodeUrl = network.node.url
  compared = { nodeUrl, node: await readPrimary(nodeUrl, story), service, story }
})

afterAll(async () => {
  await service?.stop()
  await network?.stop()
  serviceFolder.remove()
  folder.remove()
})

describe('every field equals the node’s', () => {
  test.each(Object.entries(comparisons))('%s', async (_, compare) => {
    await compare(compared)
  })
})

test('every type of transaction that the node accepts is indexed', () => {
  const { node } = compared
  const told = node.p
    .flatMap(({ transactions }) => transactions)
    .map((tx) => String(pRecord(node, tx)['txType']))
  expect([...new Set(told)].sort()).toEqual([
    'AddPermissionlessDelegatorTx',
    'AddPermissionlessValidatorTx',
    'AddSubnetValidatorTx',
    'BaseTx',
    'ConvertSubnetToL1Tx',
    'CreateChainTx',
    'CreateSubnetTx',
    'DisableL1ValidatorTx',
    'ExportTx',
    'ImportTx',
    'IncreaseL1ValidatorBalanceTx',
    'RegisterL1ValidatorTx',
    'RemoveSubnetValidatorTx',
    'RewardValidatorTx',
    'SetL1ValidatorWeightTx',
    'TransferSubnetOwnershipTx',
  ])
})

test('verify finds stakes, validator sets, L1 balances, UTXOs and the supply as the node has them', async () => {
  const { code, output } = await service.verify()
  expect(output).not.toContain('FAILED')
  expect(output).not.toContain('left out, UTXOs')
  expect(output).toMatch(/[1-9]\d* UTXOs, [1-9]\d* validators compared/)
  expect(code).toBe(0)
}, 120_000)

test('a second index from genesis is equal', async () => {
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
})
