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
/** Three validators of the network; the last has no room for delegations. */
const members = [
  { ...validator, delegators: undefined },
  {
    ...validator,
    txID: '2Hh6zez7NEZQ22WwRSuJB95ynuNHYe5ZqWbYFcRzBdhseFxp9r',
    nodeID: 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
    startTime: '1791000001',
    endTime: '1822535999',
    delegationFee: '2.0000',
    uptime: '80.0000',
    delegators: undefined,
  },
  {
    ...validator,
    txID: '21nE21jWtHJ8LVFooPi22mvdKmjYh6a2thJPTx8QrW4yrvH5Ny',
    nodeID: 'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN',
    startTime: '1791000002',
    endTime: '1822535998',
    weight: '3000000000000000',
    delegationFee: '50.0000',
    uptime: '95.0000',
    delegators: undefined,
  },
]
const chain = 'zBJbw5fQuQvgUfnRnV3UvwhZjKPAztTgLc8GMDmwfz1icYUnT'
const l1 = 'Bj52XCTnYDRptuPrFi1CmccafM6LB67qme8HMEb8kahFa8qTF'
const l1Owner = { locktime: '0', threshold: '1', addresses: [`P-${owner}`] }
const l1Validator = {
  nodeID: nodeId,
  weight: '100',
  startTime: '1795246100',
  validationID: '9FAftNgNBrzHUMMApsSyV6RcFiL9UmCbvsCu28xdLV2mQ7CMo',
  publicKey: signer.publicKey,
  remainingBalanceOwner: l1Owner,
  deactivationOwner: l1Owner,
  minNonce: '0',
  balance: '4999000000',
}
const inactive = { ...l1Validator, validationID: ids[2], startTime: '1795246101', balance: '0' }
const notIndexed = 'not known yet: the p-chain of fuji has no indexed block'

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
    case 'platform.getCurrentValidators': {
      const [asked] = (params['nodeIDs'] ?? []) as string[]
      if (params['subnetID'] === l1) return { validators: [l1Validator, inactive] }
      return { validators: asked === undefined ? members : asked === nodeId ? [validator] : [] }
    }
    case 'platform.getL1Validator':
      if (params['validationID'] === l1Validator.validationID) return { ...l1Validator, subnetID: l1 }
      break
    case 'platform.getHeight':
      return { height: '57' }
    case 'platform.getSubnets':
      return {
        subnets: [
          { id: l1, controlKeys: [], threshold: '0' },
          { id: ids[0], controlKeys: [], threshold: '0' },
        ],
      }
    case 'platform.getSubnet':
      return { locktime: '0', conversionID: chain, managerChainID: chain, managerAddress: '0xfeed' }
    case 'platform.getBlockchains':
      return {
        blockchains: [
          { id: chain, name: 'demo', subnetID: l1, vmID: ids[2] },
          { id: ids[1], name: 'X-Chain', subnetID: ids[0], vmID: ids[2] },
        ],
      }
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
  // Its past ones only the index knows, of which there is none.
  for (const query of ['validationStatus=completed', 'sortOrder=asc']) {
    const other = await network.get(`/validators/${nodeId}?${query}`)
    expect([other.status, other.body['message']]).toEqual([503, notIndexed])
  }
})

test('the current validators of a network, filtered and sorted, page by page', async () => {
  const nodesOf = async (query: string): Promise<unknown[]> =>
    (await network.walk(`/validators?pageSize=2&${query}`, 'validators')).map(({ nodeId: node }) => node)
  const [first, second, third] = members.map(({ nodeID }) => nodeID)
  expect(await nodesOf('sortOrder=asc')).toEqual([first, second, third])
  expect(await nodesOf('validationStatus=active')).toEqual([third, second, first])
  expect(await nodesOf('sortBy=delegationFee')).toEqual([first, third, second])
  expect(await nodesOf('sortBy=timeRemaining&sortOrder=asc')).toEqual([third, second, first])
  expect(await nodesOf('sortBy=uptimePerformance&minUptimePerformance=90')).toEqual([first, third])
  expect(await nodesOf('maxDelegationCapacity=0')).toEqual([third])
  expect(await nodesOf(`nodeIds=${second?.slice(7, 14).toLowerCase()}`)).toEqual([second])
  const { body } = await network.get('/validators?pageSize=1')
  expect(body).toMatchObject({ validators: [{ nodeId: third, subnetId: ids[0], isIndexed: false }] })
  // Further pages are of the same list.
  expect(await network.walk('/validators?pageSize=1', 'validators')).toHaveLength(3)
  for (const status of ['completed', 'removed', 'pending'])
    expect((await network.get(`/validators?validationStatus=${status}`)).status).toBe(503)
})

test('the running delegations of a node', async () => {
  const [delegation] = validator.delegators
  const { body } = await network.get(`/delegators?nodeIds=${nodeId}`)
  expect(body).toEqual({
    delegators: [
      {
        txHash: delegation?.txID,
        nodeId,
        rewardAddresses: [owner],
        amountDelegated: '25000000000',
        delegationFee: '100.0000',
        startTimestamp: 1_795_246_007,
        endTimestamp: 1_795_336_006,
        delegationStatus: 'active',
        estimatedGrossReward: '7091407',
        // All of it is the validator’s fee.
        estimatedNetReward: '0',
        isIndexed: false,
      },
    ],
    isIndexed: false,
  })
  for (const query of ['', `nodeIds=${nodeId}&delegationStatus=completed`])
    expect((await network.get(`/delegators?${query}`)).body['message']).toBe(notIndexed)
})

test('the validators of an L1, and one by its id', async () => {
  const shown = {
    validationId: l1Validator.validationID,
    nodeId,
    subnetId: l1,
    weight: 100,
    remainingBalance: 4_999_000_000,
    creationTimestamp: 1_795_246_100,
    remainingBalanceOwner: { addresses: [owner], threshold: 1 },
    isActive: true,
    isIndexed: false,
  }
  const { body } = await network.get(`/l1Validators?subnetId=${l1}`)
  expect(body).toMatchObject({ validators: [shown], blockHeight: '57' })
  const all = await network.get(`/l1Validators?subnetId=${l1}&includeInactiveL1Validators=true`)
  expect(all.body['validators']).toHaveLength(2)
  const one = await network.get(`/l1Validators?l1ValidationId=${l1Validator.validationID}`)
  expect(one.body).toMatchObject({ validators: [shown] })
  expect((await network.get('/l1Validators')).body['message']).toBe(notIndexed)
})

test('subnets, and blockchains with the genesis of one', async () => {
  const { body } = await network.get('/subnets?pageSize=2')
  expect(body).toMatchObject({
    subnets: [
      {
        subnetId: l1,
        isL1: true,
        l1ValidatorManagerDetails: { blockchainId: chain, contractAddress: '0xfeed' },
        blockchains: [{ blockchainId: chain, blockchainName: 'demo' }],
        isIndexed: false,
      },
      { subnetId: ids[0], isL1: false, blockchains: [{ blockchainName: 'X-Chain' }] },
    ],
  })
  const blockchains = await network.walk('/blockchains?pageSize=1', 'blockchains')
  expect(blockchains.map(({ blockchainName: name }) => name)).toEqual(['demo', 'X-Chain'])
  expect(blockchains[0]).not.toHaveProperty('createBlockTimestamp')
  const found = (await network.get(`/blockchains/${chain}`)).body
  expect(found).toMatchObject({ blockchainName: 'demo', subnetId: l1, isIndexed: false })
  expect(found['genesisData']).toEqual({ a: 1 })
  expect((await network.get('/blockchainSummaries')).body['message']).toBe(notIndexed)
})

test('what was paid is known to the index alone', async () => {
  for (const path of ['rewards', 'rewards:listPending', 'rewards:byYear'])
    expect((await network.get(`/${path}?addresses=${owner}`)).body['message']).toBe(notIndexed)
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
  // At a time, with what was spent, and what unlocks when, only the index knows.
  for (const path of [
    `/blockchains/p-chain/balances?addresses=${owner}&blockTimestamp=1795246000`,
    `/blockchains/p-chain/utxos?addresses=${owner}&includeSpent=true`,
    `/unlocks?addresses=${owner}`,
  ])
    expect((await network.get(path)).body['message']).toBe(notIndexed)
})

test('the further pages of a list are of what the node told for its first', async () => {
  const first = await network.get('/validators?pageSize=1&sortOrder=asc')
  const { script } = node
  const asked: string[] = []
  node.script = (call, ...rest) => {
    asked.push(call.method)
    return script(call, ...rest)
  }
  const path = `/validators?pageSize=1&sortOrder=asc&pageToken=${String(first.body['nextPageToken'])}`
  const second = await network.get(path)
  node.script = script
  expect(second.body).toMatchObject({ validators: [{ nodeId: members[1]?.nodeID }], isIndexed: false })
  expect(asked).toEqual([])
})

test('a list of which the node has nothing is empty', async () => {
  const other = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
  const { status, body } = await network.get(`/delegators?nodeIds=${other}`)
  expect([status, body]).toEqual([200, { delegators: [], isIndexed: false }])
})

describe('blocks of the P-Chain', () => {
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

test('without the node, balances are not known', async () => {
  node.script = () => {
    throw new NodeError(-32_000, 'no such method')
  }
  const other = 'local1g65uqn6t77p656w64023nh8nd9updzmxyymev2'
  const { status, body } = await network.get(`/blockchains/p-chain/balances?addresses=${other}`)
  expect([status, body['message']]).toEqual([503, notIndexed])
})
