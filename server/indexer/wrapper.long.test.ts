import {
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  getContractAddress,
  http,
  publicActions,
  type Hex,
} from 'viem'
import { foundry } from 'viem/chains'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rewindChain } from './rewind.ts'
import { anvilAccount } from '../node/testing/anvil.ts'
import { compiledContract } from '../testing/compiled-contract.ts'
import { testConfig } from '../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startTestService } from '../testing/service.ts'
import { followFacts } from '../tokens/facts/facts-worker.ts'
import { verifyChain } from '../verify/chain.ts'
import { startAnvil, type AnvilNode } from './testing/anvil.ts'
import { chainConfig, startIndexer, storedHead, until } from './testing/harness.ts'
import { Random } from './testing/random.ts'

const chainId = 43_114
const people = Array.from({ length: 6 }, (_, index) => anvilAccount(index))
const nobody: Hex = `0x${'0'.repeat(40)}`
const { abi, bytecode } = compiledContract('Wrapper')

let anvil: AnvilNode
let store: TestDatabase
let wrapper: Hex
/** A wrapper that is never transferred: its deposits make no token. */
let unmoved: Hex
/** Transfers some of the first person's. */
let transfer: () => Promise<void>
/** Deposits into two contracts, of the first person's. */
let act: (...to: Hex[]) => Promise<void>
const node = () =>
  createTestClient({
    chain: { ...foundry, id: chainId },
    mode: 'anvil',
    transport: http(anvil.rpcUrl),
  }).extend(publicActions)

/** A random life of the wrapper: the first transfer comes after forty blocks of deposits and withdrawals. */
beforeAll(async () => {
  anvil = await startAnvil(chainId)
  store = await createTestDatabase()
  const random = new Random(5)
  const wallet = createWalletClient({ chain: { ...foundry, id: chainId }, transport: http(anvil.rpcUrl) })
  const client = node()
  const nonces = new Map<number, number>()
  const send = async (who: number, fields: { to?: Hex; data?: Hex; value?: bigint }) => {
    const account = people[who]
    if (!account) throw new Error('nobody')
    const nonce = nonces.get(who) ?? 0
    nonces.set(who, nonce + 1)
    await wallet.sendTransaction({ account, nonce, gas: 3_000_000n, ...fields })
  }
  const deploy = async (): Promise<Hex> => {
    const [owner] = people
    const at = getContractAddress({ from: owner?.address ?? nobody, nonce: BigInt(nonces.get(0) ?? 0) })
    const code = `${bytecode}${encodeFunctionData({
      abi: [
        {
          type: 'function',
          name: 'f',
          inputs: [{ type: 'string' }, { type: 'string' }],
          outputs: [],
          stateMutability: 'view',
        },
      ],
      args: ['Wrapped', 'WCOIN'],
    }).slice(10)}` as Hex
    await send(0, { data: code })
    return at.toLowerCase() as Hex
  }
  wrapper = await deploy()
  unmoved = await deploy()
  await client.mine({ blocks: 1 })
  const call = (functionName: string, args: unknown[]) => encodeFunctionData({ abi, functionName, args })
  const begin = async () => {
    nonces.clear()
    const [owner] = people
    nonces.set(0, await client.getTransactionCount({ address: owner?.address ?? nobody }))
  }
  transfer = async () => {
    await begin()
    await send(0, { to: wrapper, value: 50n })
    await send(0, { to: wrapper, data: call('transfer', [people[1]?.address, 7n]) })
    await client.mine({ blocks: 1 })
  }
  act = async (...to) => {
    await begin()
    for (const one of to) await send(0, { to: one, value: 50n })
    await client.mine({ blocks: 1 })
  }
  for (let block = 0; block < 80; block += 1) {
    for (const [who] of people.entries()) {
      // The last two people only ever deposit.
      const act = who >= 4 ? 0 : random.between(0, block < 40 ? 1 : 4)
      const to = random.pick([...people.map(({ address }) => address), nobody])
      const wad = BigInt(random.between(0, 900))
      if (act === 0)
        await send(who, {
          to: random.chance(0.8) ? wrapper : unmoved,
          value: BigInt(random.between(0, 2_000)),
        })
      else if (act === 1) await send(who, { to: wrapper, data: call('withdraw', [wad]) })
      else if (act < 4) await send(who, { to: wrapper, data: call('transfer', [to, wad]) })
    }
    await client.mine({ blocks: 1 })
  }
})

afterAll(async () => {
  await anvil.stop()
  await store.drop()
})

async function index(startBlock: number, database = store.database): Promise<void> {
  const indexer = startIndexer(
    database,
    chainConfig({ evmChainId: chainId, rpcUrl: anvil.rpcUrl, startBlock }),
  )
  const { hash } = await node().getBlock()
  await until('it is indexed', async () => (await storedHead(database, chainId))?.hash === hash)
  await indexer.stop()
}

test('a wrapper of a chain that is indexed from the middle is the contract’s own, at every block', async () => {
  const startBlock = 45
  const middle = await createTestDatabase()
  const settings = testConfig({
    chains: [{ evmChainId: chainId, name: 'Test', rpcUrl: anvil.rpcUrl, startBlock }],
  })
  const [config] = settings.chains
  if (!config) throw new Error('no chain')
  const ended = new AbortController()
  const service = await startTestService(middle.database, { config: settings })
  let working = Promise.resolve()
  try {
    await index(startBlock, middle.database)
    let now = 1_800_000_000
    const logger = pino({ level: 'silent' })
    working = followFacts(
      { database: middle.database, settings, chain: config, logger, clock: () => now, tick: 20 },
      ended.signal,
    )
    const get = async (path: string) => (await service.app.inject(`/v1/chains/${chainId}${path}`)).json()
    const read = (functionName: string, args: unknown[], blockNumber: bigint) =>
      node().readContract({ address: wrapper, abi, functionName, args, blockNumber }) as Promise<bigint>
    const head = await node().getBlockNumber()
    const supply = await read('totalSupply', [], head)
    const holders: [string, string][] = []
    for (const { address } of people) {
      const balance = await read('balanceOf', [address], head)
      if (balance > 0n) holders.push([address.toLowerCase(), String(balance)])
    }
    await expect
      .poll(async () => {
        now += 30
        return get(`/tokens/${wrapper}`)
      })
      .toMatchObject({
        balanceSource: 'node',
        holdersFrom: String(startBlock),
        supply: String(supply),
        holderCount: String(holders.length),
      })
    const listed = (await get(`/tokens/${wrapper}/holders`)).holders as { address: string; balance: string }[]
    expect(Object.fromEntries(listed.map(({ address, balance }) => [address, balance]))).toEqual(
      Object.fromEntries(holders),
    )
    for (const block of [startBlock, startBlock + 9, Number(head)])
      for (const { address } of people) {
        const { erc20TokenBalances } = await get(
          `/addresses/${address}/balances:listErc20?blockNumber=${block}&contractAddresses=${wrapper}`,
        )
        const balance = String(await read('balanceOf', [address], BigInt(block)))
        expect(erc20TokenBalances, `${address} at ${block}`).toEqual(
          balance === '0' ? [] : [expect.objectContaining({ balance, balanceSource: 'node' })],
        )
      }
  } finally {
    ended.abort()
    await working
    await service.close()
    await middle.drop()
  }
})

/** Compares balances, supply and holders after every block with the contract. */
async function compareWith(contract: Hex): Promise<void> {
  const head = await node().getBlockNumber()
  const read = (functionName: string, args: unknown[], blockNumber: bigint) =>
    node().readContract({ address: contract, abi, functionName, args, blockNumber }) as Promise<bigint>
  for (let number = 1n; number <= head; number += 1n) {
    const [totals] = await store.database<{ supply: string; holders: bigint }[]>`
      select supply, holders from token_blocks
      where chain = ${chainId} and token = ${Buffer.from(contract.slice(2), 'hex')} and number <= ${number}
      order by number desc limit 1`
    const held = await Promise.all(people.map(({ address }) => read('balanceOf', [address], number)))
    const stored = await store.database<{ balance: string }[]>`
      select coalesce((
        select balance from balances
        where chain = ${chainId} and address = decode(asked.address, 'hex') and kind = 20
          and token = ${Buffer.from(contract.slice(2), 'hex')} and number <= ${number}
        order by number desc limit 1), 0)::text as balance
      from unnest(${`{${people.map(({ address }) => address.slice(2).toLowerCase()).join(',')}}`}::text::text[])
        with ordinality as asked (address, place)
      order by place`
    expect(
      stored.map(({ balance }) => BigInt(balance)),
      `block ${number}`,
    ).toEqual(held)
    expect(BigInt(totals?.supply ?? 0)).toBe(await read('totalSupply', [], number))
    expect(Number(totals?.holders ?? 0)).toBe(held.filter((balance) => balance > 0n).length)
  }
}

test('a wrapper has exact balances, holders and supply after every block, and follows reorgs', async () => {
  await index(0)
  const compare = async () => {
    await compareWith(wrapper)
    expect(
      await store.database`select from tokens where token = ${Buffer.from(unmoved.slice(2), 'hex')}`,
    ).toEqual([])
    const { findings, answers } = await verifyChain({
      database: store.database,
      chain: chainId,
      rpcUrl: anvil.rpcUrl,
    })
    expect(findings.all()).toEqual([])
    expect(answers).toMatchObject({ pastGone: false, disagreeing: [] })
  }
  await compare()
  await node().request({ method: 'anvil_reorg' as never, params: [3, []] as never })
  await index(0)
  await compare()
  // To before the first transfer: it is not a token then, and one again with the next.
  await node().request({ method: 'anvil_reorg' as never, params: [50, []] as never })
  await index(0)
  expect(await store.database`select from tokens`).toEqual([])
  expect(await store.database`select from balances`).toEqual([])
  expect(await store.database`select from holders`).toEqual([])
  await transfer()
  await index(0)
  await compare()
})

test('a wrapper that never logged a transfer is a token once its contract proved to be one', async () => {
  const bytes = (address: Hex) => Buffer.from(address.slice(2), 'hex')
  // It logs deposits like a wrapper, and owes nobody anything.
  const pool: Hex = `0x${'d0'.repeat(20)}`
  const deposited = 'e1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
  await node().setCode({ address: pool, bytecode: `0x345f52337f${deposited}60205fa200` })
  await act(unmoved, pool)
  await index(0)
  const settings = testConfig({ chains: [{ evmChainId: chainId, name: 'Test', rpcUrl: anvil.rpcUrl }] })
  const [config] = settings.chains
  if (!config) throw new Error('no chain')
  const service = await startTestService(store.database, { config: settings })
  const ended = new AbortController()
  let now = 1_800_000_000
  const logger = pino({ level: 'silent' })
  const options = { database: store.database, settings, chain: config, logger, clock: () => now, tick: 20 }
  const working = followFacts(options, ended.signal)
  const candidates = async () => {
    const rows = await store.database<{ token: string; proven: boolean; checks: number }[]>`
      select '0x' || encode(token, 'hex') as token, proven_block is not null as proven, checks from wrapper_candidates`
    return new Map(rows.map((row) => [row.token, row]))
  }
  try {
    await expect
      .poll(async () => {
        now += 60
        const found = await candidates()
        return [found.get(unmoved)?.proven, (found.get(pool)?.checks ?? 0) > 2]
      })
      .toEqual([true, true])
    expect((await candidates()).get(pool)?.proven).toBe(false)
    expect(await store.database`select from tokens where token = ${bytes(unmoved)}`).toEqual([])
    await node().mine({ blocks: 1 })
    await index(0)
    await compareWith(unmoved)
    // From here on like any other token, also with an indexer that begins anew.
    await act(unmoved, pool)
    await act(unmoved, unmoved)
    await index(0)
    await compareWith(unmoved)
    expect(await store.database`select from tokens where token = ${bytes(pool)}`).toEqual([])
    const supply = await node().readContract({ address: unmoved, abi, functionName: 'totalSupply' })
    const token = async () => (await service.app.inject(`/v1/chains/${chainId}/tokens/${unmoved}`)).json()
    await expect.poll(async () => (await token()).symbol).toBe('WCOIN')
    expect(await token()).not.toHaveProperty('holdersFrom')
    expect(await token()).toMatchObject({ supply: String(supply), balanceSource: 'logs', transferCount: '0' })
    const { findings } = await verifyChain({
      database: store.database,
      chain: chainId,
      rpcUrl: anvil.rpcUrl,
    })
    expect(findings.all()).toEqual([])
    // To before its first deposit: nothing is left of it.
    const [first] = await store.database<{ block: bigint }[]>`
      select first_block as block from tokens where token = ${bytes(unmoved)}`
    await rewindChain(store.database, chainId, Number(first?.block) - 1)
    for (const table of ['tokens', 'balances', 'holders', 'token_blocks', 'wrapper_candidates'])
      expect(
        await store.database`select from ${store.database(table)} where token = ${bytes(unmoved)}`,
      ).toEqual([])
  } finally {
    ended.abort()
    await working
    await service.close()
  }
})
