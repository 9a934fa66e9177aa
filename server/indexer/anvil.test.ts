import { createTestClient, createWalletClient, http, parseEther, publicActions, type Hex } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { anvilAccount } from '../node/testing/anvil.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { verifyChain } from '../verify/chain.ts'
import { startAnvil } from './testing/anvil.ts'
import {
  chainConfig,
  chainRow,
  startIndexer,
  storedHead,
  until,
  type RunningIndexer,
} from './testing/harness.ts'

/** A real node, so block hashes and roots are not made by this code base. */
let rpcUrl: string
let wsUrl: string
const cleanups: (() => Promise<unknown>)[] = []
let testDatabase: TestDatabase
let indexer: RunningIndexer | undefined

const people = Array.from({ length: 6 }, (_, index) => anvilAccount(index))
const chainId = 43_113

beforeAll(async () => {
  const node = await startAnvil(chainId)
  cleanups.push(() => node.stop())
  rpcUrl = node.rpcUrl
  wsUrl = node.wsUrl
})

afterEach(async () => {
  await indexer?.stop()
  indexer = undefined
  await testDatabase.drop()
})

afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
})

/** Creates a contract with empty code by CREATE on every call. */
const factory: Hex = '0x600780600b6000396000f3600060006000f0'
/** Reverts every call. */
const refusing: Hex = '0x600580600b6000396000f360006000fd'

test('indexes a real node, follows its reorg, and agrees with its receipts roots and blooms', async () => {
  testDatabase = await createTestDatabase()
  const { database } = testDatabase
  const chain = { ...foundry, id: chainId }
  const node = createTestClient({ chain, mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
  const wallet = createWalletClient({ chain, transport: http(rpcUrl) })
  const nonces = new Map<string, number>()
  const send = async (
    from: number,
    request: { to?: Hex; data?: Hex; value?: bigint; type?: 'legacy' | 'eip2930' | 'eip1559' },
  ) => {
    const account = people[from]
    if (!account) throw new Error('nobody')
    const nonce =
      nonces.get(account.address) ?? (await node.getTransactionCount({ address: account.address }))
    nonces.set(account.address, nonce + 1)
    const type = request.type ?? 'eip1559'
    const prices = type === 'eip1559' ? { maxFeePerGas: 10n ** 11n } : { gasPrice: 10n ** 11n }
    const list =
      type === 'eip2930'
        ? { accessList: [{ address: account.address, storageKeys: [`0x${'01'.repeat(32)}` as Hex] }] }
        : {}
    const { type: _type, ...rest } = request
    const signed = await account.signTransaction({
      ...rest,
      ...prices,
      ...list,
      type,
      nonce,
      gas: 200_000n,
      chainId,
    } as never)
    return wallet.sendRawTransaction({ serializedTransaction: signed })
  }
  const at = async (hash: Hex): Promise<Hex> => {
    const { contractAddress } = await node.getTransactionReceipt({ hash })
    if (!contractAddress) throw new Error('nothing was created')
    return contractAddress.toLowerCase() as Hex
  }
  const [deployed, deployedRefusing] = [await send(0, { data: factory }), await send(1, { data: refusing })]
  await node.mine({ blocks: 1 })
  const makes = await at(deployed)
  const refuses = await at(deployedRefusing)

  // More than 128 transactions, so that trie indexes take more than one byte.
  for (let index = 0; index < 140; index += 1)
    await send(index % 6, { to: people[(index + 1) % 6]?.address as Hex, value: 1n })
  await node.mine({ blocks: 1, interval: 3_600 })
  for (let round = 0; round < 12; round += 1) {
    await send(0, { to: makes, type: 'legacy' })
    await send(1, { to: refuses, type: 'eip2930' })
    await send(2, { to: people[3]?.address as Hex, value: parseEther('1') })
    await node.mine({ blocks: 1, interval: round % 3 === 0 ? 90_000 : 7 })
  }
  const head = async () => (await node.getBlock({ blockTag: 'latest' })).hash
  const caughtUp = async () => {
    const hash = await head()
    await until('the indexer has the head', async () => (await storedHead(database, chainId))?.hash === hash)
  }
  indexer = startIndexer(database, chainConfig({ evmChainId: chainId, rpcUrl, wsUrl, pollSeconds: 60 }))
  await until(
    'the first run is done',
    async () => (await storedHead(database, chainId))?.hash === (await head()),
  )

  // Only the socket can announce these in time: polls are a minute apart.
  await send(3, { to: makes })
  await node.mine({ blocks: 1 })
  await caughtUp()
  await node.request({ method: 'anvil_reorg' as never, params: [3, []] as never })
  await send(4, { to: people[5]?.address as Hex, value: 5n })
  await node.mine({ blocks: 2 })
  await caughtUp()

  await expect.poll(() => indexer?.stats?.reorgs).toBeGreaterThan(0)
  expect(indexer.stats?.unknownHeaders).toBe(0)
  expect(indexer.stats?.unknownTransactionTypes).toBe(0)
  const [made] = await database<{ direct: bigint; inner: bigint }[]>`
    select count(*) filter (where ordinal < 0) as direct, count(*) filter (where ordinal >= 0) as inner from contracts`
  expect(made?.direct).toBe(2n)
  expect(made?.inner).toBeGreaterThanOrEqual(10n)
  expect((await chainRow(database, chainId))?.trace_source).toMatch(/debug|trace/)
  const report = await verifyChain({ database, chain: chainId, rpcUrl })
  expect(report.findings.all()).toEqual([])
})
