import {
  createTestClient,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  http,
  publicActions,
  type Hex,
} from 'viem'
import { foundry } from 'viem/chains'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anvilAccount } from '../node/testing/anvil.ts'
import { compiledContract } from '../testing/compiled-contract.ts'
import { testConfig } from '../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startTestService, type TestService } from '../testing/service.ts'
import { followFacts } from '../tokens/facts/facts-worker.ts'
import { startAnvil, type AnvilNode } from './testing/anvil.ts'
import { chainConfig, startIndexer, storedHead, until, type RunningIndexer } from './testing/harness.ts'

const chainId = 43_114
const account = anvilAccount()
const [alice, bob, carol, dora] = [1, 2, 3, 4].map((digit): Hex => `0x${`${digit}`.repeat(40)}`) as [
  Hex,
  Hex,
  Hex,
  Hex,
]
const { abi } = compiledContract('Unlogged')

type Step = readonly [functionName: string, ...args: unknown[]]
/** Ways in which a token does not follow its logs: what happens to it, and who holds it afterwards. */
const unfaithful: Record<string, readonly Step[]> = {
  'a rebase': [['rebase', 150]],
  'shares that earn interest': [
    ['rebase', 101],
    ['transfer', carol, 5],
    ['rebase', 101],
  ],
  'a fee on transfers': [
    ['setFee', 10],
    ['transfer', carol, 100],
  ],
  'a hidden mint': [['mintSilently', dora, 77]],
  'a hidden mint to a holder': [['mintSilently', alice, 77]],
  'a hidden burn': [['burnSilently', bob, 10]],
  'credits by an event of another kind': [['credit', dora, 60]],
  'deposits of another asset': [['depositHalf', dora, 60]],
  'a negative sum': [
    ['mintSilently', account.address, 90],
    ['transfer', carol, 80],
  ],
  'a totalSupply that lies': [['overstate', 1_000]],
  'a change of mind': [
    ['transfer', carol, 1],
    ['transfer', carol, 1],
    ['setFee', 50],
    ['transfer', bob, 60],
  ],
}

let anvil: AnvilNode
let store: TestDatabase
let service: TestService
let indexer: RunningIndexer
const ended = new AbortController()
let working: Promise<void>
let now = 1_800_000_000
const tokens = new Map<string, Hex>()
const node = () =>
  createTestClient({
    chain: { ...foundry, id: chainId },
    mode: 'anvil',
    transport: http(anvil.rpcUrl),
  }).extend(publicActions)

beforeAll(async () => {
  anvil = await startAnvil(chainId)
  store = await createTestDatabase()
  const wallet = createWalletClient({ chain: { ...foundry, id: chainId }, transport: http(anvil.rpcUrl) })
  const client = node()
  let nonce = 0
  const send = async (fields: { to?: Hex; data: Hex; value?: bigint }) => {
    await wallet.sendTransaction({ account, nonce, gas: 3_000_000n, ...fields })
    nonce += 1
    await client.mine({ blocks: 1 })
  }
  const make = async (name: string, type: string, steps: readonly Step[], args: unknown[] = []) => {
    const to = getContractAddress({ from: account.address, nonce: BigInt(nonce) }).toLowerCase() as Hex
    await send({ data: encodeDeployData({ ...compiledContract(type), args }) })
    for (const [functionName, ...values] of steps)
      await send({
        to,
        data: encodeFunctionData({ abi: compiledContract(type).abi, functionName, args: values }),
      })
    tokens.set(name, to)
    return to
  }
  const start: readonly Step[] = [
    ['mint', account.address, 1_000],
    ['transfer', alice, 300],
    ['transfer', bob, 200],
  ]
  for (const [name, steps] of Object.entries(unfaithful)) await make(name, 'Unlogged', [...start, ...steps])
  await make('honest', 'Unlogged', start)
  await make('mute', 'Unlogged', [...start, ['fallSilent']])
  const wrapper = await make('wrapper', 'Wrapper', [], ['Wrapped', 'WCOIN'])
  await send({ to: wrapper, data: '0x', value: 500n })
  await send({
    to: wrapper,
    data: encodeFunctionData({
      abi: compiledContract('Wrapper').abi,
      functionName: 'transfer',
      args: [alice, 20],
    }),
  })
  const config = chainConfig({ evmChainId: chainId, rpcUrl: anvil.rpcUrl })
  indexer = startIndexer(store.database, config)
  const { hash } = await client.getBlock()
  await until('it is indexed', async () => (await storedHead(store.database, chainId))?.hash === hash)
  const settings = testConfig({ chains: [{ evmChainId: chainId, name: 'Test', rpcUrl: anvil.rpcUrl }] })
  working = followFacts(
    {
      database: store.database,
      settings,
      chain: config,
      logger: pino({ level: 'silent' }),
      clock: () => now,
      tick: 20,
    },
    ended.signal,
  )
  service = await startTestService(store.database, { config: settings })
})

afterAll(async () => {
  ended.abort()
  await working
  await (service as TestService | undefined)?.close()
  await indexer.stop()
  await anvil.stop()
  await store.drop()
})

const get = async (path: string) => (await service.app.inject(`/v1/chains/${chainId}${path}`)).json()
const addressOf = (name: string): Hex => tokens.get(name) ?? '0x'
const read = (address: Hex, functionName: string, args: unknown[]) =>
  node().readContract({ address, abi, functionName, args }) as Promise<bigint>

describe('tokens that do not follow their logs', () => {
  test('are found within ten minutes, and no honest one is among them', async () => {
    const last = now + 600
    const flagged = async () => {
      now = Math.min(last, now + 30)
      const rows = await store.database<
        { token: string; disagrees: boolean; unprovable: boolean; told: boolean }[]
      >`
        select '0x' || encode(token, 'hex') as token, disagrees, unprovable, told_block is not null as told
        from token_facts where chain = ${chainId}`
      return Object.fromEntries(
        [...tokens].map(([name, token]) => {
          const row = rows.find((each) => each.token === token)
          return [name, row ? [row.disagrees, row.unprovable, row.told] : []]
        }),
      )
    }
    await expect.poll(flagged).toEqual({
      ...Object.fromEntries(Object.keys(unfaithful).map((name) => [name, [true, false, true]])),
      honest: [false, false, false],
      wrapper: [false, false, false],
      mute: [false, true, false],
    })
    expect(await get(`/tokens/${addressOf('mute')}`)).toMatchObject({
      balanceSource: 'logs',
      isUnprovable: true,
    })
    expect(await get(`/tokens/${addressOf('honest')}`)).not.toHaveProperty('isUnprovable')
  })

  test.each(Object.keys(unfaithful))('%s: supply, holders and balances are the contract’s', async (name) => {
    const token = addressOf(name)
    const told: [string, string][] = []
    const hidden = name === 'a hidden mint' ? [dora] : []
    for (const holder of [account.address.toLowerCase() as Hex, alice, bob, carol, dora]) {
      const balance = await read(token, 'balanceOf', [holder])
      if (balance > 0n && !hidden.includes(holder)) told.push([holder, String(balance)])
    }
    const supply = await read(token, 'totalSupply', [])
    await expect
      .poll(async () => await get(`/tokens/${token}`))
      .toMatchObject({ balanceSource: 'node', supply: String(supply), holderCount: String(told.length) })
    const { holders, balanceSource } = await get(`/tokens/${token}/holders`)
    expect(balanceSource).toBe('node')
    const listed = holders.map((row: { address: string; balance: string }) => [row.address, row.balance])
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(told))
    for (const [holder, balance] of told) {
      const { erc20TokenBalances } = await get(
        `/addresses/${holder}/balances:listErc20?pageSize=100&filterSpamTokens=false`,
      )
      const own = erc20TokenBalances.find((row: { address: string }) => row.address === token)
      expect(own, holder).toMatchObject({ balance, balanceSource: 'node' })
    }
  })
})
