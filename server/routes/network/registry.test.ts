import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { fujiKeys, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import {
  idText,
  nodeText,
  startPrimaryService,
  walletText,
  type PrimaryService,
} from '../../testing/primary-service.ts'

const chain = fujiKeys.p
const wide = '123456789012345678901234567890'
/** A genesis as written by an operator: addresses without 0x, numbers above 2^53, and an unknown field. */
const evmGenesis = `{
  "config": {"chainId": 99999, "feeConfig": {"gasLimit": 8000000, "minBaseFee": ${wide}}, "mood": "calm"},
  "alloc": {
    "8db97c7cece249c2b98bdc0226cc4c2a57bf52fc": {"balance": "0x52b7d2dcc80cd2e4000000"},
    "0x0100000000000000000000000000000000000000": {"balance": "7", "code": "0x6001", "storage": {"0x0": "0x1"}, "nonce": "0x2"},
    "__proto__": {"balance": 5}
  },
  "gasLimit": "0x7a1200"
}`
const plain = Buffer.from([0, 0, 0, 1, 2, 3])

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  await insertPrimary(database, 'primary_blocks', [
    {
      chain,
      height: 12,
      ts: 1_700_000_000,
      id: idBytes('twelve'),
      parent_id: idBytes('eleven'),
      tx_count: 1,
    },
    { chain, height: 0, ts: 1_500_000_000, id: idBytes('genesis'), parent_id: idBytes('nothing') },
    {
      chain: fujiKeys.x,
      height: 12,
      ts: 1_700_000_000,
      id: idBytes('x twelve'),
      parent_id: idBytes('x eleven'),
    },
  ])
  const row = { chain, ts: 1_600_000_000 }
  await insertPrimary(database, 'blockchains', [
    { ...row, height: 0, blockchain_id: idBytes('X'), name: 'X-Chain', genesis: plain },
    {
      ...row,
      height: 5,
      blockchain_id: idBytes('Ridge'),
      name: 'Ridge',
      subnet: idBytes('ridge net'),
      genesis: Buffer.from(evmGenesis),
      evm_chain_id: 99_999,
    },
    {
      ...row,
      height: 7,
      blockchain_id: idBytes('Broken'),
      name: 'Broken Ridge',
      subnet: idBytes('ridge net'),
      genesis: Buffer.from('{"alloc": [}'),
    },
  ])
  await insertPrimary(database, 'subnets', [
    {
      ...row,
      height: 4,
      subnet: idBytes('ridge net'),
      owner_threshold: 2,
      owner_locktime: '18446744073709551615',
      owner_addresses: [shortBytes('ann'), shortBytes('ben')],
      conversion_tx: idBytes('conversion'),
      manager_chain: idBytes('Ridge'),
      manager_address: Buffer.alloc(20, 15),
    },
    { ...row, height: 6, subnet: idBytes('other net') },
  ])
  await insertPrimary(
    database,
    'l1_validators',
    [3, 0].map((weight, ordinal) => ({
      ...row,
      height: 8,
      ordinal,
      validation_id: idBytes(`l1 ${ordinal}`),
      tx_id: idBytes('conversion'),
      subnet: idBytes('ridge net'),
      node: shortBytes('l1 node'),
      weight,
    })),
  )
  await insertPrimary(database, 'stakers', [
    {
      chain,
      height: 1,
      tx_id: idBytes('staking'),
      node: shortBytes('node'),
      start_ts: 1,
      end_ts: 1_800_000_000,
    },
  ])
  await insertPrimary(database, 'primary_transactions', [
    { ...row, height: 4, index: 0, id: idBytes('ridge net') },
    { ...row, chain: fujiKeys.x, height: -1, index: 0, id: idBytes('old x') },
  ])
  await insertPrimary(database, 'vertices', [
    { ...row, chain: fujiKeys.x, index: 0, height: 3, id: idBytes('vertex') },
  ])
  await insertPrimary(database, 'primary_address_transactions', [
    { ...row, address: shortBytes('ann'), height: 4, index: 0 },
  ])
  network = await startPrimaryService(database)
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

/** The answer's text, because only it preserves the digits of numbers above 2^53. */
const textOf = async (path: string): Promise<string> =>
  (await network.service.app.inject(`/v1/networks/fuji${path}`)).body

describe('blockchains', () => {
  const names = (items: readonly Record<string, unknown>[]): unknown[] =>
    items.map(({ blockchainName }) => blockchainName)

  test('are listed in both orders, with the original genesis', async () => {
    const found = await network.walk('/blockchains?pageSize=1', 'blockchains')
    expect(names(found)).toEqual(['Broken Ridge', 'Ridge', 'X-Chain'])
    expect(names(await network.walk('/blockchains?pageSize=2&sortOrder=asc', 'blockchains'))).toEqual([
      'X-Chain',
      'Ridge',
      'Broken Ridge',
    ])
    expect(found[1]).toMatchObject({
      createBlockNumber: '5',
      createBlockTimestamp: 1_600_000_000,
      subnetId: idText('ridge net'),
      vmId: idText('vm'),
      evmChainId: 99_999,
      genesisData: { config: { chainId: 99_999, mood: 'calm' }, gasLimit: '0x7a1200' },
    })
    // Data that are not a JSON object are shown in hex.
    expect(found[2]?.['genesisData']).toBe('0x000000010203')
    expect(found[0]?.['genesisData']).toMatch(/^0x7b22/)
    const one = await textOf(`/blockchains/${idText('Ridge')}`)
    expect(one).toContain(`"minBaseFee":${wide}`)
    expect(JSON.parse(one)).toEqual(found[1])
  })

  test('are listed in short form, with the state of their subnet', async () => {
    const found = await network.walk(`/blockchainSummaries?subnetId=${idText('ridge net')}`, 'blockchains')
    expect(found).toMatchObject([
      { blockchainName: 'Broken Ridge' },
      { blockchainName: 'Ridge', isL1: true, validatorCount: 1, genesisSizeBytes: evmGenesis.length },
    ])
    expect(JSON.stringify(found)).not.toContain('genesisData')
    const all = await network.walk('/blockchainSummaries?pageSize=2', 'blockchains')
    expect(all.at(-1)).toMatchObject({ blockchainName: 'X-Chain', isL1: false, validatorCount: 1 })
  })

  test('have a genesis without its allocations, which are counted and listed in pages', async () => {
    const path = `/blockchains/${idText('Ridge')}/genesis`
    const { body } = await network.get(path)
    expect(body).toMatchObject({
      allocationCount: 3,
      allocated: (0x52b7d2dcc80cd2e4000000n + 12n).toString(),
      genesisData: { gasLimit: '0x7a1200' },
    })
    expect(body['genesisData']).not.toHaveProperty('alloc')
    expect(await textOf(path)).toContain(wide)
    expect(await network.walk(`${path}/allocations?pageSize=2`, 'allocations')).toEqual([
      {
        address: '0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc',
        balance: 0x52b7d2dcc80cd2e4000000n.toString(),
        codeSizeBytes: 0,
        storageCount: 0,
      },
      {
        address: '0x0100000000000000000000000000000000000000',
        balance: '7',
        codeSizeBytes: 2,
        storageCount: 1,
        nonce: 2,
      },
      { address: '__proto__', balance: '5', codeSizeBytes: 0, storageCount: 0 },
    ])
    const raw = await network.get(`/blockchains/${idText('X')}/genesis`)
    expect(raw.body).toMatchObject({ allocationCount: 0, allocated: '0', raw: '0x000000010203' })
  })
})

test('subnets have their owner, their conversion, and their blockchains', async () => {
  const found = await network.walk('/subnets?pageSize=1', 'subnets')
  expect(found.map(({ subnetId }) => subnetId)).toEqual([
    idText('other net'),
    idText('ridge net'),
    '11111111111111111111111111111111LpoYY',
  ])
  const ascending = await network.walk('/subnets?pageSize=1&sortOrder=asc', 'subnets')
  expect(ascending).toEqual(found.toReversed())
  expect(found[1]).toMatchObject({
    createBlockIndex: '4',
    threshold: 2,
    subnetOwnershipInfo: { threshold: 2, addresses: [walletText('ann'), walletText('ben')] },
    isL1: true,
    l1ConversionTransactionHash: idText('conversion'),
    l1ValidatorManagerDetails: { blockchainId: idText('Ridge'), contractAddress: `0x${'0f'.repeat(20)}` },
    blockchains: [{ blockchainName: 'Ridge' }, { blockchainName: 'Broken Ridge' }],
  })
  expect(found[0]).toMatchObject({ isL1: false, blockchains: [] })
  // As in platform.getSubnets: no control keys, and a threshold of 0.
  expect(found[2]).toEqual({
    createBlockTimestamp: 1_500_000_000,
    createBlockIndex: '0',
    subnetId: '11111111111111111111111111111111LpoYY',
    ownerAddresses: [],
    threshold: 0,
    locktime: 0,
    subnetOwnershipInfo: { addresses: [], threshold: 0, locktime: 0 },
    isL1: false,
    blockchains: [expect.objectContaining({ blockchainName: 'X-Chain' })],
  })
  expect(await textOf('/subnets')).toContain('"locktime":18446744073709551615')
})

describe('search', () => {
  const search = async (query: string, more = ''): Promise<string[]> => {
    const response = await network.service.app.inject(`/v1/search?query=${encodeURIComponent(query)}${more}`)
    expect(response.statusCode).toBe(200)
    return (response.json().results as { kind: string; network?: string; chainId: string; id: string }[])
      .filter((hit) => hit.network !== undefined)
      .map(({ kind, network: of, chainId, id }) => `${kind} ${of} ${chainId} ${id}`)
      .sort()
  }
  const ann = walletText('ann')
  // The subnet is found by the name of its blockchain.
  const ofRidge = [
    ...[`blockchain fuji p-chain ${idText('Broken')}`, `blockchain fuji p-chain ${idText('Ridge')}`].sort(),
    `subnet fuji p-chain ${idText('ridge net')}`,
  ]
  test.each([
    ['12', ['primaryBlock fuji p-chain 12', 'primaryBlock fuji x-chain 12']],
    [idText('twelve'), ['primaryBlock fuji p-chain 12']],
    [idText('old x'), [`primaryTransaction fuji x-chain ${idText('old x')}`]],
    [idText('vertex'), [`vertex fuji x-chain ${idText('vertex')}`]],
    [
      idText('ridge net'),
      [
        `primaryTransaction fuji p-chain ${idText('ridge net')}`,
        `subnet fuji p-chain ${idText('ridge net')}`,
      ],
    ],
    [idText('l1 0'), [`l1Validation fuji p-chain ${idText('l1 0')}`]],
    [`0x${idBytes('l1 0').toString('hex')}`, [`l1Validation fuji p-chain ${idText('l1 0')}`]],
    [idText('Ridge'), [`blockchain fuji p-chain ${idText('Ridge')}`]],
    ['ridge', ofRidge],
    [ann, [`wallet fuji p-chain ${ann}`]],
    [`P-${ann}`.toUpperCase(), [`wallet fuji p-chain ${ann}`]],
    [nodeText('node'), [`node fuji p-chain ${nodeText('node')}`]],
    [nodeText('l1 node'), [`node fuji p-chain ${nodeText('l1 node')}`]],
    [nodeText('node').slice(0, 14).toLowerCase(), [`node fuji p-chain ${nodeText('node')}`]],
    [idText('nothing'), []],
    ['NodeID-', []],
    ['zz', []],
    // Names hold no control characters, so none are searched for.
  ])('%s', async (query, expected) => {
    expect(await search(query)).toEqual(expected)
  })

  test('limited to one EVM chain finds nothing on the primary network', async () => {
    expect(await search('12', '&chainId=43113')).toEqual([])
  })
})
