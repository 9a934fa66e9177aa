import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import recordedBlocks from '../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { checkedHex, fromCheckedHex } from '../../../protocol/ids/text.ts'
import { NodeError, startScriptedNode, type ScriptedNode } from '../../node/testing/scripted-node.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import recordedTxs from '../../testing/fixtures/primary-recorded.json' with { type: 'json' }
import { fujiNetwork } from '../../testing/primary-rows.ts'
import { startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'

// Chains of which no block is indexed, in front of a node that gives what a real one gave (avalanchego 1.14.0).

const avax = '2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe'
const ids = [
  '11111111111111111111111111111111LpoYY',
  '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed',
  '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC',
] as const
const owner = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
const nodeId = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const signer = {
  publicKey:
    '0x900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d',
  proofOfPossession:
    '0x8bfd6d4d2086b2b8115d8f72f94095fefe5a6c07876b2accf51a811adf520f389e74a3d2152a6d90b521e2be58ffe468043dc5ea68b4c44410eb67f8dc24f13ed4f194000764c0e922cd254a3588a4962b1cb4db7de4bb9cda9d9d4d6b03f3d2',
}
const payee = { locktime: '0', threshold: '1', addresses: [`P-${owner}`] }
const validator = {
  txID: '2P6ke9Z1MnX3b4zEpGWYapykioqq8bRGSEY6sDewGpRq6NunRe',
  startTime: '1791000000',
  endTime: '1822536000',
  weight: '2000000000000000',
  nodeID: nodeId,
  validationRewardOwner: payee,
  delegationRewardOwner: payee,
  potentialReward: '239043697070926',
  accruedDelegateeReward: '0',
  delegationFee: '100.0000',
  uptime: '99.9968',
  connected: false,
  signer,
  delegatorCount: '1',
  delegatorWeight: '25000000000',
  delegators: [
    {
      txID: '2HTHyXUhEZCDnsrKqoZNS7ihHG4t9pv3bo7E87Htp51CZGeyqH',
      startTime: '1795246007',
      endTime: '1795336006',
      weight: '25000000000',
      nodeID: nodeId,
      rewardOwner: payee,
      potentialReward: '7091407',
    },
  ],
}
/** Of 0.5, 29.73, 10^7 and 2·10^7 AVAX, and stakes of 25 and 2,000; the last output is that of the other ones. */
const outputBytes = (amount: bigint): string =>
  `dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db00000007${amount.toString(16).padStart(16, '0')}000000000000000000000001000000013cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c`
const withChecksum = (hex: string): string => checkedHex(Buffer.from(hex, 'hex'))
const amounts = [0x2b3_7a75_551en, 0x754_d4c0n, 0x23_86f2_6fc1_0000n, 0x470d_e4df_8200_00n]
const stakes = [0x5_d21d_ba00n, 0x1d1_a94a_2000n]

/** Those of one network, by height. */
const blocks = recordedBlocks.pBlocks.slice(0, 12)

type Recorded = (typeof recordedTxs)[number]
type Output = { output: { amount?: string; addresses: string[] } }
type Unsigned = { outputs?: Output[]; stake?: Output[]; exportedOutputs?: Output[]; inputs?: object[] }
const txs = recordedTxs as readonly Recorded[]
const unsignedOf = (tx: Recorded): Unsigned => (tx.json as { unsignedTx?: Unsigned }).unsignedTx ?? {}

function answer(method: string, params: Record<string, unknown>): unknown {
  switch (method) {
    case 'platform.getStakingAssetID':
      return { assetID: avax }
    case 'platform.getCurrentValidators':
      return { validators: (params['nodeIDs'] as string[])[0] === nodeId ? [validator] : [] }
    case 'platform.getStake':
      return {
        staked: '2025000000000',
        stakedOutputs: stakes.map((amount) => withChecksum(`0000${outputBytes(amount)}`)),
        encoding: 'hex',
      }
    case 'platform.getUTXOs':
    case 'avm.getUTXOs':
    case 'avax.getUTXOs': {
      const isOwn = method === 'platform.getUTXOs' && params['sourceChain'] === undefined
      const utxos = amounts.map((amount, place) =>
        withChecksum(`0000${'00'.repeat(32)}${place.toString(16).padStart(8, '0')}${outputBytes(amount)}`),
      )
      return { numFetched: '4', utxos: isOwn ? utxos : [], endIndex: { address: `P-${owner}`, utxo: avax } }
    }
    case 'platform.getTx':
    case 'avm.getTx':
    case 'avax.getAtomicTx': {
      const chain = { platform: 'p-chain', avm: 'x-chain', avax: 'c-chain' }[method.split('.')[0] ?? '']
      const found = txs.find((tx) => tx.chain === chain && tx.json.id === params['txID'])
      if (found) return { tx: found.hex, encoding: 'hex' }
      break
    }
    case 'platform.getBlockByHeight': {
      const block = blocks[Number(params['height'])]
      if (block) return { block: block.hex, encoding: 'hex' }
      break
    }
    case 'platform.getBlock': {
      const block = blocks.find(({ json }) => json.id === params['blockID'])
      if (block) return { block: block.hex, encoding: 'hex' }
    }
  }
  throw new NodeError(-32_000, 'not found')
}

let store: TestDatabase
let node: ScriptedNode
let network: PrimaryService
beforeAll(async () => {
  store = await createTestDatabase()
  node = await startScriptedNode(({ method, params }) => answer(method, params[0] as Record<string, unknown>))
  network = await startPrimaryService(
    store.database,
    { networks: [{ ...fujiNetwork, networkId: 12_345, prefix: 'local', nodeUrl: node.url }] },
    {},
    ids,
    avax,
  )
})
afterAll(async () => {
  await network.service.close()
  await node.close()
  await store.drop()
})

test('the present validation of a node', async () => {
  const { body } = await network.get(`/validators/${nodeId}`)
  expect(body).toEqual({
    validators: [
      {
        txHash: validator.txID,
        nodeId,
        subnetId: ids[0],
        amountStaked: '2000000000000000',
        delegationFee: '100.0000',
        startTimestamp: 1_791_000_000,
        endTimestamp: 1_822_536_000,
        blsCredentials: signer,
        validationStatus: 'active',
        delegatorCount: 1,
        amountDelegated: '25000000000',
        uptimePerformance: 99.9968,
        // At most 3 million AVAX with its delegations.
        delegationCapacity: '999975000000000',
        // Its fee is all of its delegator’s reward.
        potentialRewards: {
          validationRewardAmount: '239043697070926',
          delegationRewardAmount: '7091407',
          rewardAddresses: [owner],
        },
        uptimeRequirement: 80,
        isIndexed: false,
      },
    ],
  })
  const other = `/validators/${nodeId}?validationStatus=completed`
  expect((await network.get(other)).body).toEqual({ validators: [] })
  const oldest = `/validators/${nodeId}?sortOrder=asc`
  expect((await network.get(oldest)).body).toEqual({ validators: [] })
})

test('balances, and UTXOs page by page', async () => {
  const { body } = await network.get(`/blockchains/p-chain/balances?addresses=${owner}`)
  const sum = (all: readonly bigint[]): string => all.reduce((total, each) => total + each, 0n).toString()
  expect(body).toMatchObject({
    balances: {
      unlockedUnstaked: [{ symbol: 'AVAX', amount: sum(amounts), utxoCount: 4 }],
      unlockedStaked: [{ symbol: 'AVAX', amount: sum(stakes), utxoCount: 2 }],
      lockedPlatform: [],
    },
    isIndexed: false,
  })
  const utxos = await network.walk(`/blockchains/p-chain/utxos?addresses=${owner}&pageSize=3`, 'utxos')
  expect(utxos.map(({ amount }) => BigInt(String(amount))).toSorted()).toEqual(amounts.toSorted())
  expect(utxos[0]).toMatchObject({ addresses: [owner], utxoType: 'TRANSFER', threshold: 1 })
  expect(utxos[0]).not.toHaveProperty('blockTimestamp')
  // At a time, and with what was spent, only the index knows.
  const past = await network.get(`/blockchains/p-chain/balances?addresses=${owner}&blockTimestamp=1795246000`)
  expect([past.body['isIndexed'], past.status]).toEqual([undefined, 200])
  const spent = await network.get(`/blockchains/p-chain/utxos?addresses=${owner}&includeSpent=true`)
  expect(spent.body).toMatchObject({ utxos: [] })
})

describe('blocks of the P-chain', () => {
  const told = blocks.map(({ json }) => json as { id: string; height: number; time?: number })
  test.each(told.filter(({ time }) => time !== undefined))('$height', async ({ id, height, time }) => {
    const { body } = await network.get(`/blockchains/p-chain/blocks/${height}`)
    expect(body).toMatchObject({
      blockNumber: String(height),
      blockHash: id,
      blockTimestamp: time,
      isIndexed: false,
    })
    expect((await network.get(`/blockchains/p-chain/blocks/${id}`)).body).toEqual(body)
  })

  test('one of before Banff, and one that nobody has', async () => {
    const old = told.find(({ time }) => time === undefined)
    for (const block of [old?.id, '9999'])
      expect((await network.get(`/blockchains/p-chain/blocks/${block}`)).status).toBe(404)
  })
})

test.each(txs.filter((tx) => 'unsignedTx' in tx.json).map((tx) => [tx.chain, tx.json.id, tx] as const))(
  'the transaction of the %s %s makes what the node’s JSON says',
  async (chain, id, tx) => {
    const { body } = await network.get(`/blockchains/${chain}/transactions/${id}`)
    const { outputs = [], stake = [], exportedOutputs = [], inputs = [] } = unsignedOf(tx)
    const made = [...outputs, ...exportedOutputs, ...stake].filter(
      ({ output }) => output.amount !== undefined,
    )
    const emitted = (body['emittedUtxos'] as { amount: string; addresses: string[] }[]).slice(0, made.length)
    expect(emitted.map(({ amount, addresses }) => [amount, addresses])).toEqual(
      made.map(({ output }) => [
        String(output.amount),
        output.addresses.map((each) => each.replace(/^[PX]-/, '')),
      ]),
    )
    expect((body['consumedUtxos'] as object[]).length).toBeGreaterThanOrEqual(inputs.length)
    expect(body).toMatchObject({ txHash: id, isIndexed: false, txBytes: tx.hex.slice(0, -8) })
    expect(Buffer.from(fromCheckedHex(tx.hex)).toString('hex')).toBe(String(body['txBytes']).slice(2))
    for (const name of ['blockTimestamp', 'blockNumber', 'timestamp', 'chainFormat'])
      expect(body).not.toHaveProperty(name)
  },
)

test('the search finds them', async () => {
  const results = async (query: string) =>
    ((await network.service.app.inject(`/v1/search?query=${query}`)).json() as { results: object[] }).results
  const [tx] = txs
  expect(await results(String(tx?.json.id))).toMatchObject([
    { kind: 'primaryTransaction', detail: 'Not indexed' },
  ])
  expect(await results(nodeId)).toMatchObject([{ kind: 'node', id: nodeId, detail: 'Not indexed' }])
})

test('without the node, the answers are those of the index', async () => {
  node.script = () => {
    throw new NodeError(-32_000, 'no such method')
  }
  const other = 'local1g65uqn6t77p656w64023nh8nd9updzmxyymev2'
  const { body } = await network.get(`/blockchains/p-chain/balances?addresses=${other}`)
  expect(body).toMatchObject({ balances: { unlockedUnstaked: [] } })
  expect(body).not.toHaveProperty('isIndexed')
})
