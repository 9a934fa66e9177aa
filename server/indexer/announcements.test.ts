import { createTestClient, createWalletClient, encodeFunctionData, http, publicActions, type Hex } from 'viem'
import { foundry } from 'viem/chains'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAnvil, type AnvilNode } from './testing/anvil.ts'
import { chainConfig, startIndexer, storedHead, until, type RunningIndexer } from './testing/harness.ts'
import { anvilAccount } from '../node/testing/anvil.ts'
import { compiledContract } from '../testing/compiled-contract.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { testConfig } from '../testing/config.ts'
import { followMetadata } from '../tokens/nft/metadata-worker.ts'

/*
 * Metadata announcements of contracts on a real node: EIP-4906 for one NFT and for a range, and ERC-1155's
 * `URI`. The metadata worker uses the chain's clock.
 */
const chainId = 43_114
const account = anvilAccount()
const chain = { ...foundry, id: chainId }

let anvil: AnvilNode
let store: TestDatabase
let indexer: RunningIndexer
let worker: Promise<void>
const abort = new AbortController()
let now = 0

const nodeOf = () =>
  createTestClient({ chain, mode: 'anvil', transport: http(anvil.rpcUrl) }).extend(publicActions)
const uri = (name: string): string => `data:application/json,{"name":"${name}"}`

const dataOf = (name: string, functionName: string, args: unknown[]): Hex =>
  encodeFunctionData({ abi: compiledContract(name).abi, functionName, args })

/**
 * Mines the pending transactions one second after the last block, sets the clock to the block's time, and
 * waits until the block is indexed.
 */
async function mine(): Promise<void> {
  const node = nodeOf()
  await node.setNextBlockTimestamp({ timestamp: BigInt(now + 1) })
  await node.mine({ blocks: 1 })
  now += 1
  await indexed()
}

async function indexed(): Promise<void> {
  const { hash } = await nodeOf().getBlock({ blockTag: 'latest' })
  await until('the head is indexed', async () => (await storedHead(store.database, chainId))?.hash === hash)
}

async function deploy(name: string, args: unknown[] = []): Promise<Hex> {
  const wallet = createWalletClient({ account, chain, transport: http(anvil.rpcUrl) })
  const hash = await wallet.deployContract({ ...compiledContract(name), args, gas: 6_000_000n })
  await mine()
  const { contractAddress } = await nodeOf().getTransactionReceipt({ hash })
  if (!contractAddress) throw new Error(`${name} was not created`)
  return contractAddress
}

async function call(to: Hex, data: Hex): Promise<void> {
  const wallet = createWalletClient({ account, chain, transport: http(anvil.rpcUrl) })
  await wallet.sendTransaction({ to, data, gas: 3_000_000n })
  await mine()
}

async function rows(
  token: Hex,
): Promise<{ name: string | null; attributes: string | null; due_ts: bigint | null }[]> {
  return store.database`
    select name, attributes, due_ts from nft_metadata
    where chain = ${chainId} and token = ${Buffer.from(token.slice(2), 'hex')} order by token_id`
}

const names = async (token: Hex) => (await rows(token)).map(({ name }) => name)

beforeAll(async () => {
  anvil = await startAnvil(chainId)
  store = await createTestDatabase()
  now = Number((await nodeOf().getBlock()).timestamp)
  indexer = startIndexer(store.database, chainConfig({ evmChainId: chainId, rpcUrl: anvil.rpcUrl }))
  const config = testConfig({ chains: [{ evmChainId: chainId, name: 'Test', rpcUrl: anvil.rpcUrl }] })
  const logger = pino({ level: 'silent' })
  worker = followMetadata(
    { database: store.database, config, logger, clock: () => now, tick: 10 },
    abort.signal,
  )
})
afterAll(async () => {
  abort.abort()
  await worker
  await indexer.stop()
  await anvil.stop()
  await store.drop()
})

test('an announced NFT is read again, at most once a minute, and after a reorg', async () => {
  const gallery = await deploy('Gallery', ['Gallery', 'GAL'])
  await call(gallery, dataOf('Gallery', 'mintAll', [account.address, ['One', 'Two'].map(uri)]))
  await expect.poll(() => names(gallery)).toEqual(['One', 'Two'])
  const read = now
  await call(gallery, dataOf('Gallery', 'setUri', [1n, uri('Changed')]))
  await expect.poll(async () => (await rows(gallery))[0]?.due_ts).toBe(BigInt(read + 60))
  expect(await names(gallery)).toEqual(['One', 'Two'])
  now = read + 60
  await expect.poll(() => names(gallery)).toEqual(['Changed', 'Two'])
  expect((await rows(gallery)).map(({ due_ts }) => due_ts)).toEqual([null, null])

  // The same announcement in another block of the same height, after a reorg.
  now += 100
  const data = dataOf('Gallery', 'setUri', [2n, uri('Reorganised')])
  await mine()
  await nodeOf().request({
    method: 'anvil_reorg' as never,
    params: [1, [[{ from: account.address, to: gallery, data, gas: '0x2dc6c0' }, 0]]] as never,
  })
  await indexed()
  await expect.poll(() => names(gallery)).toEqual(['Changed', 'Reorganised'])
})

test('data undone by a reorg is read again: an announcement, and another NFT of the same id', async () => {
  const gallery = await deploy('Gallery', ['Gallery', 'GAL'])
  await call(gallery, dataOf('Gallery', 'mintAll', [account.address, ['One', 'Two'].map(uri)]))
  await expect.poll(() => names(gallery)).toEqual(['One', 'Two'])
  now += 100
  await call(gallery, dataOf('Gallery', 'setUri', [1n, uri('Undone')]))
  await call(gallery, dataOf('Gallery', 'mintAll', [account.address, [uri('Undone')]]))
  await expect.poll(() => names(gallery)).toEqual(['Undone', 'Two', 'Undone'])
  const read = now
  const data = dataOf('Gallery', 'mintAll', [account.address, [uri('Three')]])
  await nodeOf().request({
    method: 'anvil_reorg' as never,
    params: [2, [[{ from: account.address, to: gallery, data, gas: '0x2dc6c0' }, 1]]] as never,
  })
  await indexed()
  now = read + 60
  await expect.poll(() => names(gallery)).toEqual(['One', 'Two', 'Three'])
  expect((await rows(gallery)).map(({ due_ts }) => due_ts)).toEqual([null, null, null])
})

test('an announced range is read again, each NFT at most once an hour', async () => {
  const glyphs = await deploy('Glyphs')
  await call(glyphs, dataOf('Glyphs', 'mint', [account.address, 3n]))
  const seasons = async () =>
    (await rows(glyphs)).map(({ attributes }) => /spring|summer|autumn/.exec(attributes ?? '')?.[0])
  await expect.poll(seasons).toEqual(['spring', 'spring', 'spring'])
  const read = now
  now += 3_599
  await call(glyphs, dataOf('Glyphs', 'turn', []))
  await expect.poll(seasons).toEqual(['summer', 'summer', 'summer'])
  expect(now).toBe(read + 3_600)
  await call(glyphs, dataOf('Glyphs', 'turn', []))
  const again = BigInt(now - 1 + 3_600)
  await expect
    .poll(async () => (await rows(glyphs)).map(({ due_ts }) => due_ts))
    .toEqual([again, again, again])
  expect(await seasons()).toEqual(['summer', 'summer', 'summer'])
})

test('a URI announced by ERC-1155 is read', async () => {
  const relics = await deploy('Relics', ['Relics', 'RELIC'])
  await call(relics, dataOf('Relics', 'setUri', [5n, uri('Before')]))
  await call(relics, dataOf('Relics', 'mint', [account.address, 5n, 3n]))
  await expect.poll(() => names(relics)).toEqual(['Before'])
  now += 100
  await call(relics, dataOf('Relics', 'setUri', [5n, uri('After')]))
  await expect.poll(() => names(relics)).toEqual(['After'])
})
