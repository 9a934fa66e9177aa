import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { keccak256, pad, stringToBytes, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { followCodes } from '../../../contracts/codes/code-worker.ts'
import { compileContract, type CompilerInput } from '../../../contracts/compiler/compile.ts'
import { runCompiler } from '../../../contracts/compiler/run-compiler.ts'
import { compilerFile, installCompilers, testCompilers } from '../../../contracts/testing/compilers.ts'
import { startAnvil, type Anvil } from '../../../node/testing/anvil.ts'
import {
  addressOf,
  insertBlocks,
  revertTo,
  seedChain,
  transactionHash,
  type SeedBlock,
} from '../../../testing/chain-rows.ts'
import { asOperator, testConfig } from '../../../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

// A factory whose children differ by an immutable, one whose child makes another contract, and code that is neither.
const input: CompilerInput = {
  language: 'Solidity',
  sources: {
    'Mill.sol': {
      content: `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
contract Sack {
    address public immutable miller;
    event Stacked(uint256 weight);
    constructor(address miller_) { miller = miller_; }
    function stack(uint256 weight) external { emit Stacked(weight); }
}
contract Silo {
    address public immutable keeper = msg.sender;
    function fill() external returns (address) { return address(new Sack(keeper)); }
}
contract Mill {
    event Made(address made);
    function sack() external { emit Made(address(new Sack(msg.sender))); }
    function silo() external { emit Made(address(new Silo())); }
}`,
    },
  },
  // As the sample's own: nothing in the code tells how many contracts are in it.
  settings: {
    optimizer: { enabled: true, runs: 200 },
    metadata: { appendCBOR: false, bytecodeHash: 'none' },
  },
}

const chain = 43113
const miller = addressOf('miller')
const plain = addressOf('plain')
const twin = addressOf('twin')
const proxy = addressOf('proxy')

let anvil: Anvil
let home: string
let store: TestDatabase
let service: TestService
let mill: Hex
/** A sack, a silo, the sack of that silo, and a sack that is made after the mill was verified. */
let sack: Hex
let silo: Hex
let inner: Hex
let later: Hex
const stop = new AbortController()
let following: Promise<void>

/** Sends a transaction of one of anvil's accounts and gives its receipt. */
async function send(transaction: { to?: Hex; data: Hex }, account = 0) {
  const from = ((await anvil.ask('eth_accounts', [])) as Hex[])[account]
  const hash = await anvil.ask('eth_sendTransaction', [{ from, gas: '0x2dc6c0', ...transaction }])
  return vi.waitUntil(
    async () =>
      (await anvil.ask('eth_getTransactionReceipt', [hash])) as {
        contractAddress: Hex
        logs: readonly { data: Hex }[]
      } | null,
  )
}
const hash = (signature: string): Hex => keccak256(stringToBytes(signature))
const call = (signature: string): Hex => hash(signature).slice(0, 10) as Hex
async function make(signature: string, account = 0): Promise<Hex> {
  const { logs } = await send({ to: mill, data: call(signature) }, account)
  return `0x${logs[0]?.data.slice(26) ?? ''}`
}
const codeAt = async (address: string): Promise<Hex> =>
  (await anvil.ask('eth_getCode', [address, 'latest'])) as Hex

/** A block with creations by the miller, or by a contract in transactions of his. */
const creations = (number: number, made: readonly (readonly [address: string, by: string])[]): SeedBlock => ({
  number,
  ts: 1_700_000_000 + 2 * number,
  txs: made.map(([address, deployer]) => ({
    from: miller,
    ...(deployer === miller ? { to: null, created: address } : { to: deployer }),
    contracts: [{ address, deployer, ordinal: deployer === miller ? -1 : 0 }],
  })),
})

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'ridgeline-made-'))
  await installCompilers(home)
  anvil = await startAnvil(['--chain-id', String(chain)])
  const limits = { seconds: 60, memoryMegabytes: 1_024, outputBytes: 50_000_000 }
  const { compiled } = await compileContract(input, { path: 'Mill.sol', name: 'Mill' }, (text) =>
    runCompiler(compilerFile('solc'), text, limits),
  )
  mill = (await send({ data: `0x${compiled.creation.object}` })).contractAddress
  sack = await make('sack()')
  silo = await make('silo()')
  await send({ to: silo, data: call('fill()') })
  // The address of the first contract that a contract creates.
  inner = `0x${keccak256(`0xd694${silo.slice(2)}01`).slice(26)}`
  later = await make('sack()', 1)
  await anvil.ask('anvil_setCode', [plain, '0x6001600255'])
  await anvil.ask('anvil_setCode', [twin, await codeAt(sack)])
  store = await createTestDatabase()
  await seedChain(store.database, {
    chain,
    blocks: [
      { number: 0, ts: 1_700_000_000, txs: [] },
      creations(1, [
        [mill, miller],
        [sack, mill],
        [silo, mill],
        [plain, mill],
        [twin, miller],
        [inner, silo],
      ]),
    ],
  })
  const config = testConfig({
    chains: [{ evmChainId: chain, name: 'Test', rpcUrl: anvil.url, reorgLimit: 2 }],
  })
  service = await startTestService(store.database, { config: { ...config, home } })
  const [of] = config.chains
  if (!of) throw new Error('the configuration has no chain')
  following = followCodes(
    {
      database: store.open(),
      chain: of,
      logger: pino({ level: 'silent' }),
      clock: () => 1_790_000_000,
      tick: 20,
    },
    stop.signal,
  )
})
afterAll(async () => {
  stop.abort()
  await following
  await service.close()
  await store.drop()
  await anvil.stop()
  await rm(home, { recursive: true, force: true })
})

const get = async (url: string) => (await service.app.inject(url)).json()
const source = async (address: string) =>
  (await get(`/v1/chains/${chain}/contracts/${address}/source`)).source
/** The hashes that are known, by address. */
async function codes(): Promise<Record<string, string | null>> {
  const rows = await store.database<{ address: string; hash: string | null }[]>`
    select '0x' || encode(address, 'hex') as address, '0x' || encode(code_hash, 'hex') as hash
    from contract_codes where chain = ${chain}`
  return Object.fromEntries(rows.map(({ address, hash }) => [address, hash]))
}
const stacked = (address: string, weight: Hex) => ({
  address,
  topics: [hash('Stacked(uint256)')],
  data: pad(weight),
})
const waitFor = { timeout: 60_000, interval: 20 }

test('the code of every contract is known', async () => {
  const addresses = [mill, sack, silo, plain, twin, inner]
  const expected = await Promise.all(
    addresses.map(async (address) => [address, keccak256(await codeAt(address))] as const),
  )
  await vi.waitFor(async () => expect(await codes()).toEqual(Object.fromEntries(expected)), waitFor)
})

test('what a verified contract has created has its sources, and says whose they are', async () => {
  const { verificationId } = (
    await service.app.inject({
      method: 'POST',
      url: `/sourcify/v2/verify/${chain}/${mill}`,
      payload: {
        stdJsonInput: input,
        compilerVersion: testCompilers.solc,
        contractIdentifier: 'Mill.sol:Mill',
      },
    })
  ).json()
  await vi.waitUntil(async () => (await get(`/sourcify/v2/verify/${verificationId}`)).isJobCompleted, waitFor)
  expect(await source(mill)).toMatchObject({ name: 'Mill', runtimeMatch: 'match' })
  // The oldest is the last one.
  await vi.waitUntil(async () => (await source(sack)) !== undefined, waitFor)
  expect(await source(sack)).toMatchObject({
    name: 'Sack',
    path: 'Mill.sol',
    madeBy: mill,
    runtimeMatch: 'match',
    sources: [{ path: 'Mill.sol' }],
  })
  expect(await source(silo)).toMatchObject({ name: 'Silo', madeBy: mill })
  expect(await source(plain)).toBeUndefined()
  // The list of what is taken elsewhere has the creator alone.
  const { results } = await get(`/sourcify/v2/contracts/${chain}`)
  expect(results.map(({ address }: { address: string }) => address.toLowerCase())).toEqual([mill])
})

test('a contract with the same code has its name in lists, and its events are decoded', async () => {
  expect(await source(twin)).toMatchObject({ name: 'Sack', sameCodeAs: { address: sack } })
  const block: SeedBlock = {
    number: 2,
    ts: 1_700_000_004,
    txs: [
      {
        from: miller,
        to: twin,
        logs: [
          stacked(twin, '0x7'),
          { address: proxy, topics: [hash('Upgraded(address)'), pad(sack)], data: '0x' },
          stacked(proxy, '0x9'),
          // Neither the code nor a proxy of it.
          stacked(plain, '0x8'),
        ],
      },
    ],
  }
  await insertBlocks(store.database, chain, [block])
  const told = await get(`/v1/chains/${chain}/transactions/${transactionHash(chain, block, 0)}`)
  expect(told.nativeTransaction.to).toEqual({ address: twin, sourceName: 'Sack' })
  expect(told.logs[0].event).toMatchObject({
    name: 'Stacked',
    args: [{ name: 'weight', type: 'uint256', value: '7' }],
  })
})

test('its events are tables of SQL, with those of contracts that have the same code, and of proxies', async () => {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/sql',
    headers: asOperator,
    payload: { sql: 'select contract, weight from sack_stacked order by weight' },
  })
  expect(answer.json()).toMatchObject({
    rows: [
      [twin, '7'],
      [proxy, '9'],
    ],
  })
  const { tables } = (await service.app.inject({ url: '/v1/sql/tables', headers: asOperator })).json()
  expect(tables).toContainEqual(
    expect.objectContaining({
      name: 'sack_stacked',
      description: 'Logs of Stacked(uint256) of contracts whose verified source is called Sack.',
    }),
  )
})

test('a search finds contracts by the functions, events and errors that they have', async () => {
  const details = async (query: string) =>
    (await get(`/v1/search?query=${encodeURIComponent(query)}`)).results.map(
      ({ title, detail }: Record<string, string>) => [title, detail],
    )
  expect(await details('STACKED')).toEqual([['Sack', `has the event Stacked(uint256), ${sack}`]])
  expect(await details('stack(uint256)')).toEqual([['Sack', `has the function stack(uint256), ${sack}`]])
  expect(await details('stack(uint8)')).toEqual([])
})

test('what it creates later is recognized when it is indexed, and what that creates', async () => {
  await insertBlocks(store.database, chain, [creations(3, [[later, mill]]), creations(4, [])])
  await vi.waitUntil(async () => (await source(later)) !== undefined, waitFor)
  expect(await source(later)).toMatchObject({ name: 'Sack', madeBy: mill })
  // Older than its creator's sources: recognized when no reorg can replace it any more, and it is asked for again.
  await insertBlocks(store.database, chain, [creations(5, []), creations(6, [])])
  await vi.waitUntil(async () => (await source(inner)) !== undefined, waitFor)
  expect(await source(inner)).toMatchObject({ name: 'Sack', madeBy: silo })
})

test('the list of contracts can be narrowed to those whose source is known', async () => {
  const list = async (query: string) =>
    (await get(`/v1/chains/${chain}/contracts${query}`)).contracts.map(
      ({ address, sourceName, isVerified }: Record<string, unknown>) => [address, sourceName, isVerified],
    )
  const verified: unknown[][] = [
    [later, 'Sack', true],
    [inner, 'Sack', true],
    [twin, 'Sack', true],
    [silo, 'Silo', true],
    [sack, 'Sack', true],
    [mill, 'Mill', true],
  ]
  expect(await list('?isVerified=true')).toEqual(verified)
  expect(await list('?isVerified=true&kind=OTHER')).toEqual(verified)
  expect(await list(`?isVerified=true&kind=OTHER&creator=${silo}`)).toEqual([verified[1]])
  expect(await list('')).toEqual(verified.toSpliced(3, 0, [plain, undefined, false]))
})

test('a contract that a reorg replaced is asked for again', async () => {
  const replaced = addressOf('replaced')
  await anvil.ask('anvil_setCode', [replaced, '0x6001'])
  await insertBlocks(store.database, chain, [creations(7, [[replaced, miller]])])
  await vi.waitUntil(async () => (await codes())[replaced] === keccak256('0x6001'), waitFor)
  await revertTo(store.database, chain, 6)
  await anvil.ask('anvil_setCode', [replaced, '0x6002'])
  await insertBlocks(store.database, chain, [creations(7, [[replaced, miller]]), creations(8, [])])
  await insertBlocks(store.database, chain, [creations(9, [])])
  await vi.waitUntil(async () => (await codes())[replaced] === keccak256('0x6002'), waitFor)
})
