import { createTestClient, createWalletClient, http, publicActions, type Hex } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anvilAccount, startAnvil, type Anvil } from './node/testing/anvil.ts'
import { NodeError, startScriptedNode } from './node/testing/scripted-node.ts'
import { chainConfig, startIndexer, storedHead, until } from './indexer/testing/harness.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { testConfig } from './testing/config.ts'
import { startTestService, type TestService } from './testing/service.ts'

// What is not indexed is answered by the node. Once it is indexed, the index gives the same answers, but for what only an
// index knows: both come from one node, by different code.

const chainId = 43_113
const chain = { ...foundry, id: chainId }
const [from, to] = [0, 1].map(anvilAccount)
if (!from || !to) throw new Error('no accounts')

/** Logs a `Transfer` of 7 from the caller to address 0xbb; code that begins with a byte too many reverts. */
const logging: Hex =
  `0x6007600052 60bb 33 7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef 60206000a300`.replaceAll(
    ' ',
    '',
  ) as Hex
const deployed = (code: Hex): Hex => {
  const size = (code.length - 2) / 2
  return `0x60${size.toString(16)}80600b6000396000f3${code.slice(2)}`
}
const reverting: Hex = '0x60006000fd'

let node: Anvil
let store: TestDatabase
let service: TestService
const transactions: Hex[] = []

async function startService({ database } = store, rpcUrl = node.url): Promise<TestService> {
  const chains = [{ evmChainId: chainId, name: 'Test Chain', rpcUrl }]
  return startTestService(database, { config: testConfig({ chains }) })
}

beforeAll(async () => {
  node = await startAnvil(['--chain-id', String(chainId), '--no-mining'])
  const client = createTestClient({ chain, mode: 'anvil', transport: http(node.url) }).extend(publicActions)
  const wallet = createWalletClient({ chain, account: from, transport: http(node.url) })
  const creations = [
    await wallet.sendTransaction({ data: deployed(logging), gas: 300_000n }),
    await wallet.sendTransaction({ data: deployed(reverting), gas: 300_000n }),
  ]
  await client.mine({ blocks: 1 })
  const [logs, reverts] = await Promise.all(
    creations.map(async (hash) => (await client.getTransactionReceipt({ hash })).contractAddress),
  )
  if (!logs || !reverts) throw new Error('nothing was created')
  transactions.push(
    ...creations,
    await wallet.sendTransaction({ to: to.address, value: 5n, gasPrice: 10n ** 10n, gas: 21_000n }),
    await wallet.sendTransaction({ to: logs, data: '0x12345678', gas: 100_000n }),
    await wallet.sendTransaction({
      to: reverts,
      data: '0x12',
      gas: 100_000n,
      gasPrice: 10n ** 10n,
      accessList: [{ address: to.address, storageKeys: [] }],
    }),
  )
  await client.mine({ blocks: 2 })
  store = await createTestDatabase()
  service = await startService()
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await node.stop()
})

type Answer = Record<string, unknown>

async function get(path: string): Promise<Answer> {
  const response = await service.app.inject(`/v1/chains/${chainId}/${path}`)
  expect(response.statusCode, path).toBe(200)
  return response.json()
}

/** The answers about the block with three transactions and about every transaction. */
async function answers(): Promise<{ blocks: Answer[]; lists: Answer[]; details: Answer[] }> {
  const hash = (await get('blocks/2'))['blockHash'] as string
  return {
    blocks: await Promise.all([get('blocks/1'), get('blocks/2'), get('blocks/3'), get(`blocks/${hash}`)]),
    lists: await Promise.all([get('blocks/2/transactions?pageSize=2'), get(`blocks/${hash}/transactions`)]),
    details: await Promise.all(transactions.map((one) => get(`transactions/${one}`))),
  }
}

/** The kinds and details of what a search finds, with where they are. */
async function found(query: string): Promise<unknown[]> {
  const { results } = (await service.app.inject(`/v1/search?query=${query}`)).json() as { results: Answer[] }
  return results.map(({ kind, id, detail }) => [kind, id, detail])
}

const without = (answer: Answer, ...fields: string[]): Answer =>
  Object.fromEntries(Object.entries(answer).filter(([name]) => !fields.includes(name)))
const marked = (answer: Answer): Answer => answer['nativeTransaction'] as Answer

test('what is not indexed is the node’s answer, and equals what the index says later', async () => {
  const before = await answers()
  expect(before.blocks.map(({ isIndexed }) => isIndexed)).toEqual([false, false, false, false])
  expect(before.details.map((one) => marked(one)['isIndexed'])).toEqual(transactions.map(() => false))
  const { nextPageToken } = before.lists[0] ?? {}
  const rest = await get(`blocks/2/transactions?pageSize=2&pageToken=${String(nextPageToken)}`)
  expect((rest['transactions'] as Answer[]).map(({ txHash }) => txHash)).toEqual(transactions.slice(4))
  const [, , , transaction = ''] = transactions
  expect(await found('2')).toEqual([['block', '2', 'Not indexed']])
  expect(await found(String(before.blocks[1]?.['blockHash']))).toEqual([['block', '2', 'Not indexed']])
  expect(await found(transaction)).toEqual([['transaction', transaction, 'In block 2, which is not indexed']])

  const indexer = startIndexer(store.database, chainConfig({ evmChainId: chainId, rpcUrl: node.url }))
  await until('the head is indexed', async () => (await storedHead(store.database, chainId))?.number === 3)
  await indexer.stop()
  await service.close()
  service = await startService()

  const after = await answers()
  expect(after.blocks.map((one) => without(one, 'cumulativeTransactions'))).toEqual(
    before.blocks.map((one) => without(one, 'isIndexed')),
  )
  expect(await found(transaction)).toEqual([['transaction', transaction, 'In block 2']])
  expect(after.lists).toEqual(before.lists)
  // The names of contracts are asked of the node when their first log is indexed.
  expect(after.details.map((one) => without(one, 'internalTransactions'))).toEqual(
    before.details.map((one) => ({ ...one, nativeTransaction: without(marked(one), 'isIndexed') })),
  )
})

test('of a node that tells neither the receipts of a block nor effective prices, too', async () => {
  const older = await startScriptedNode(({ method, params, id }, response) => {
    if (method === 'eth_getBlockReceipts') throw new NodeError(-32601, 'the method does not exist')
    void node.ask(method, params).then((result) => {
      const { effectiveGasPrice: _price, ...rest } = (result ?? {}) as Answer
      const told = method === 'eth_getTransactionReceipt' && result !== null ? rest : result
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: told }))
    })
    return undefined
  })
  const empty = await createTestDatabase()
  const indexed = await answers()
  await service.close()
  service = await startService(empty, older.url)
  try {
    const { blocks, lists, details } = await answers()
    expect(blocks.map(({ isIndexed, feesSpent }) => [isIndexed, feesSpent])).toEqual(
      indexed.blocks.map(({ feesSpent }) => [false, feesSpent]),
    )
    expect(BigInt(String(blocks[1]?.['feesSpent']))).toBeGreaterThan(0n)
    expect(lists).toEqual(indexed.lists)
    expect(details.map((one) => marked(one)['txFee'])).toEqual(
      indexed.details.map((one) => marked(one)['txFee']),
    )
  } finally {
    await service.close()
    service = await startService()
    await older.close()
    await empty.drop()
  }
})

test('what the node does not have is a 404, and so is everything while it does not answer', async () => {
  const unknown = `0x${'12'.repeat(32)}`
  const statusOf = async (path: string): Promise<number> =>
    (await service.app.inject(`/v1/chains/${chainId}/${path}`)).statusCode
  const all = ['blocks/99', 'blocks/99/transactions', `blocks/${unknown}`, `transactions/${unknown}`]
  expect(await Promise.all(all.map(statusOf))).toEqual([404, 404, 404, 404])
  expect([...(await found('99')), ...(await found(unknown))]).toEqual([])
  await node.stop()
  expect(await Promise.all(all.map(statusOf))).toEqual([404, 404, 404, 404])
})
