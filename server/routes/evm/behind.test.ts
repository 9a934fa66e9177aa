import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isOfEvmChain } from '../../../contract/document/statuses.ts'
import { operations } from '../../../contract/operations.ts'
import { NodeError, startScriptedNode, type ScriptedNode } from '../../node/testing/scripted-node.ts'
import { addressOf, seedChain } from '../../testing/chain-rows.ts'
import { asOperator, testConfig } from '../../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

// An EVM chain whose index is behind its node: what every operation answers.

const chainId = 43_113
const name = 'Test Chain'
const [alice, bob] = [addressOf('alice'), addressOf('bob')]
const hash = `0x${'12'.repeat(32)}`
const [address, contract, chain] = [`addresses/${alice}`, `contracts/${alice}`, `/v1/chains/${chainId}`]
const metrics = `/v2/chains/${chainId}`
const hour = 'startTimestamp=1700006399&endTimestamp=1700010000'

/** What an operation answers of what no indexed block has: that it is not known yet, or something else, and why. */
type Answered =
  | 'not known'
  /** From the node, or of what no block holds. */
  | 'elsewhere'

const operationsAt: Readonly<Record<string, readonly [path: string, Answered]>> = {
  listBlocks: [`${chain}/blocks?startBlock=9`, 'not known'],
  getBlock: [`${chain}/blocks/9`, 'elsewhere'],
  listBlockTransactions: [`${chain}/blocks/9/transactions?pageSize=1`, 'elsewhere'],
  listTransactions: [`${chain}/transactions`, 'not known'],
  getTransaction: [`${chain}/transactions/${hash}`, 'elsewhere'],
  getTransactionCalls: [`${chain}/transactions/${hash}/calls`, 'elsewhere'],
  getTransactionChanges: [`${chain}/transactions/${hash}/changes`, 'elsewhere'],
  getTransactionEnvelope: [`${chain}/transactions/${hash}/envelope`, 'elsewhere'],
  getTransactionFailure: [`${chain}/transactions/${hash}/failure`, 'elsewhere'],
  listTransactionMovements: [`${chain}/transactions:listMovements?positions=9-0`, 'elsewhere'],
  listAddressTransactions: [`${chain}/${address}/transactions`, 'not known'],
  listNativeTransactions: [`${chain}/${address}/transactions:listNative`, 'not known'],
  listErc20Transfers: [`${chain}/${address}/transactions:listErc20`, 'not known'],
  listErc721Transfers: [`${chain}/${address}/transactions:listErc721`, 'not known'],
  listErc1155Transfers: [`${chain}/${address}/transactions:listErc1155`, 'not known'],
  listInternalTransactions: [`${chain}/${address}/transactions:listInternals`, 'not known'],
  getAddressOverview: [`${chain}/${address}/overview`, 'elsewhere'],
  getAddressLabel: [`${chain}/${address}/label`, 'elsewhere'],
  setAddressLabel: [`POST ${chain}/${address}/label`, 'elsewhere'],
  listApprovals: [`${chain}/${address}/approvals`, 'elsewhere'],
  getContractMetadata: [`${chain}/${address}`, 'not known'],
  getNativeBalance: [`${chain}/${address}/balances:getNative?blockNumber=9`, 'elsewhere'],
  listErc20Balances: [`${chain}/${address}/balances:listErc20`, 'not known'],
  listErc721Balances: [`${chain}/${address}/balances:listErc721?blockNumber=9`, 'not known'],
  listErc1155Balances: [`${chain}/${address}/balances:listErc1155`, 'not known'],
  listCollectibleBalances: [`${chain}/${address}/balances:listCollectibles`, 'not known'],
  listContractDeployments: [`${chain}/${contract}/deployments`, 'not known'],
  listDeployments: [`${chain}/contracts`, 'not known'],
  listDeployers: [`${chain}/deployers`, 'not known'],
  listContractEvents: [`${chain}/${contract}/events`, 'not known'],
  getContractCode: [`${chain}/${contract}/code`, 'elsewhere'],
  getContractPowers: [`${chain}/${contract}/powers`, 'elsewhere'],
  getContractSource: [`${chain}/${contract}/source`, 'elsewhere'],
  readContract: [`POST ${chain}/${contract}/read`, 'elsewhere'],
  readContractViews: [`${chain}/${contract}/views`, 'elsewhere'],
  simulateCall: [`POST ${chain}/${contract}/simulate`, 'elsewhere'],
  listTokens: [`${chain}/tokens`, 'not known'],
  getToken: [`${chain}/tokens/${alice}`, 'not known'],
  listTokenTransfers: [`${chain}/tokens/${alice}/transfers`, 'not known'],
  listTokenHolders: [`${chain}/tokens/${alice}/holders`, 'not known'],
  getTokenDistribution: [`${chain}/tokens/${alice}/distribution`, 'not known'],
  listTokenHistory: [`${chain}/tokens/${alice}/history`, 'not known'],
  listCollectionTokens: [`${chain}/nfts/collections/${alice}/tokens`, 'not known'],
  getNft: [`${chain}/nfts/collections/${alice}/tokens/1`, 'not known'],
  reindexNft: [`POST ${chain}/nfts/collections/${alice}/tokens/1:reindex`, 'not known'],
  getChain: [chain, 'elsewhere'],
  getMetric: [`${metrics}/metrics/txCount?timeInterval=day&startTimestamp=1800000000`, 'not known'],
  getAverageTps: [`/v1/avg_tps/${chainId}`, 'not known'],
  countDistinct: [`${metrics}/metrics/activeSenders/distinct?${hour}`, 'not known'],
  proveMetric: [`${metrics}/metrics/txCount/proof?timeInterval=day&timestamp=1800000000`, 'not known'],
  rankContracts: [`${metrics}/rankings/contracts`, 'not known'],
  rankMethods: [`${metrics}/rankings/methods`, 'not known'],
  rankTokens: [`${metrics}/rankings/tokens`, 'not known'],
  listHolders: [`${metrics}/contracts/${alice}/balances?threshold=0`, 'not known'],
  exportTable: [`/v1/exports/blocks?chainId=${chainId}`, 'elsewhere'],
}

test('the table has every operation of an EVM chain', () => {
  const all = operations.filter(isOfEvmChain).map(({ id }) => id)
  expect(Object.keys(operationsAt).toSorted()).toEqual(all.toSorted())
})

let store: TestDatabase
let service: TestService
let node: ScriptedNode
/** The bytes at every address, according to the node. */
let code: string

async function ask(text: string) {
  const [, method = 'GET', url = ''] = /^(?:(POST) )?(.*)$/.exec(text) ?? []
  const response = await service.app.inject({
    method: method === 'POST' ? 'POST' : 'GET',
    url,
    headers: asOperator,
    ...(method === 'POST' && { payload: {} }),
  })
  const isJson = String(response.headers['content-type']).includes('json')
  const message = isJson ? String(response.json<{ message?: unknown }>().message) : ''
  return { status: response.statusCode, message, headers: response.headers, response }
}

beforeAll(async () => {
  node = await startScriptedNode(({ method }) => {
    if (method === 'eth_getBalance') return '0x5'
    if (method === 'eth_getCode') return code
    if (method === 'eth_blockNumber') return '0x1388'
    if (method.startsWith('eth_getBlock') || method.startsWith('eth_getTransaction')) return null
    throw new NodeError(-32_601, `the method ${method} does not exist`)
  })
  store = await createTestDatabase()
  service = await startTestService(store.database, {
    config: testConfig({ chains: [{ evmChainId: chainId, name, rpcUrl: node.url }] }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await node.close()
})
beforeEach(() => {
  code = '0x'
})

/** Sets the head of the node, and waits until answers of before are no longer reused. */
async function setNode(height: number): Promise<void> {
  await store.database`update chains set state = 'live', node_block = ${height} where chain = ${chainId}`
  await new Promise((resolve) => setTimeout(resolve, 1_100))
}

const cases = Object.entries(operationsAt)
const unknown = cases.filter(([, [, answered]]) => answered === 'not known')

describe('without an indexed block', () => {
  test.each([...unknown, ['exportTable', operationsAt['exportTable'] ?? ['', '']] as const])(
    '%s is not known yet',
    async (_id, [path]) => {
      const { status, message, headers } = await ask(path)
      expect([status, message, headers['x-not-indexed']]).toEqual([
        503,
        `not known yet: ${name} has no indexed block`,
        `${chainId} - -`,
      ])
    },
  )

  test('its status counts nothing', async () => {
    const { response } = await ask('/v1/status')
    const [status] = response.json<{ chains: object[] }>().chains
    for (const count of ['txCount', 'txCountDay', 'addressCount', 'contractCount'])
      expect(status).not.toHaveProperty(count)
  })
})

describe('with an index that is behind', () => {
  beforeAll(async () => {
    const blocks = [0, 1].map((number) => ({ number, ts: 1_700_000_000 + number, txs: [] }))
    await seedChain(store.database, { chain: chainId, blocks })
    await setNode(5_000)
  })

  // The series of the indexed blocks is true, and so is that of their rate.
  const partial = new Set(['getAverageTps'])
  test.each(unknown.filter(([id]) => !partial.has(id)))('%s says how far it is', async (_id, [path]) => {
    const { status, message } = await ask(path)
    expect([status, message]).toEqual([503, `not known yet: ${name} is indexed to block 1 of 5000`])
  })

  test.each(cases.filter(([, [, answered]]) => answered === 'elsewhere'))(
    '%s is answered, and marked',
    async (_id, [path]) => {
      const { status, headers } = await ask(path)
      expect(status).not.toBe(503)
      if (status < 400) expect(headers['x-not-indexed']).toBe(`${chainId} 1 5000`)
    },
  )

  test('an address that no indexed block names has no counts, and the node’s balance', async () => {
    const { response } = await ask(`${chain}/addresses/${bob}/overview`)
    expect(response.json()).toEqual({
      address: bob,
      isContract: false,
      isIndexed: false,
      balance: '5',
      hasTraces: true,
    })
  })

  test('a contract that no indexed block names is the node’s', async () => {
    code = '0x6001'
    const { response } = await ask(`${chain}/${address}`)
    expect(response.json()).toMatchObject({ address: alice, ercType: 'UNKNOWN', isIndexed: false })
  })

  test('a balance at a block above the head of the index is the node’s', async () => {
    const { response } = await ask(`${chain}/${address}/balances:getNative?blockNumber=9`)
    expect(response.json()).toMatchObject({ nativeTokenBalance: { balance: '5' } })
  })

  test('a block is not known yet while the node does not answer, and not there if it says so', async () => {
    const { script } = node
    const statusOf = async (path: string) => (await ask(`${chain}/${path}`)).status
    // Other ones each time: equal calls within half a second share an answer.
    const paths = (each: number) => [
      `blocks/${each}`,
      `blocks/${each}/transactions`,
      `transactions/0x${String(each).repeat(32)}`,
    ]
    expect(await Promise.all(paths(21).map(statusOf))).toEqual([404, 404, 404])
    node.script = (_call, response) => void response.destroy()
    expect(await Promise.all(paths(22).map(statusOf))).toEqual([503, 503, 503])
    node.script = script
  })
})

describe('with an index at its head', () => {
  beforeAll(() => setNode(1))

  test.each(cases)('%s does not speak of the index', async (_id, [path]) => {
    const { status, headers } = await ask(path)
    expect(status).not.toBe(503)
    expect(headers).not.toHaveProperty('x-not-indexed')
  })

  test('an address without a row has counts of 0', async () => {
    const { response } = await ask(`${chain}/addresses/${bob}/overview`)
    expect(response.json()).toMatchObject({ erc20Count: '0', nftCount: '0' })
  })
})
