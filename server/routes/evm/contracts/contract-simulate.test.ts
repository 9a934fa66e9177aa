import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  encodeErrorResult,
  encodeFunctionData,
  keccak256,
  parseAbi,
  parseEther,
  stringToBytes,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAnvil, type Anvil } from '../../../node/testing/anvil.ts'
import { addressOf, seedChain } from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
/** The same node, of which the configuration says that it must not be asked for traces. */
const untraced = 43114
const at = (name: string): Hex => addressOf(name) as Hex
const [alice, bob, till, gate, picky] = [at('alice'), at('bob'), at('till'), at('gate'), at('picky')] as const

const selector = (signature: string): string => keccak256(stringToBytes(signature)).slice(2, 10)
const transfer = keccak256(stringToBytes('Transfer(address,address,uint256)'))
/** Logs a transfer of the paid amount from the caller to itself, pays bob one unit, and returns the amount. */
const tillCode = `0x3460005230337f${transfer.slice(2)}60206000a36000600060006000600173${bob.slice(2)}5af15060206000f3`
/** Pays into the till all that it was paid, and then reverts with the call data behind the selector. */
const gateCode = `0x60006000600060003473${till.slice(2)}5af150600436038060046000376000fd`
/** Returns the height for `total()`, reverts for `broken()`, and stops at an invalid instruction for anything else. */
const pickyCode = `0x60003560e01c80632ddbd13a14601a5763${selector('broken()')}14602457fe5b4360005260206000f35b60006000fd`

const abi = parseAbi([
  'struct Order { address buyer; uint256[] amounts; }',
  'function pay() payable returns (uint256 paid)',
  'function order(Order order, bool[2] flags)',
  'function total() view returns (uint256)',
  'function broken() view returns (address)',
  'function stuck() view returns (address)',
])
const gateAbi = parseAbi(['error TooLate(uint256 by)'])

let anvil: Anvil
let store: TestDatabase
let service: TestService
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-simulate-'))
  await writeFile(join(folder, 'till.json'), JSON.stringify(abi))
  await writeFile(join(folder, 'gate.json'), JSON.stringify(gateAbi))
  anvil = await startAnvil(['--chain-id', String(chain)])
  await anvil.ask('anvil_setCode', [till, tillCode])
  await anvil.ask('anvil_setCode', [gate, gateCode])
  await anvil.ask('anvil_setCode', [picky, pickyCode])
  await anvil.ask('anvil_setBalance', [alice, `0x${parseEther('5').toString(16)}`])
  await anvil.ask('anvil_mine', ['0x2'])
  store = await createTestDatabase()
  const blocks = [0, 1, 2].map((number) => ({ number, ts: 1_700_000_000 + number, txs: [] }))
  await seedChain(store.database, { chain, blocks })
  const abis = [
    { address: till, name: 'Till', path: join(folder, 'till.json') },
    { address: picky, name: 'Till', path: join(folder, 'till.json') },
    { address: gate, name: 'Gate', path: join(folder, 'gate.json') },
  ]
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [
        { evmChainId: chain, name: 'Test Chain', rpcUrl: anvil.url, token: { name: 'Test', symbol: 'TST' } },
        { evmChainId: untraced, name: 'Untraced', rpcUrl: anvil.url, traces: 'off' },
        { evmChainId: 7, name: 'Away', rpcUrl: 'http://127.0.0.1:9' },
      ],
      abis,
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await anvil.stop()
  await rm(folder, { recursive: true, force: true })
})

const simulate = async (address: string, body: object, chainId = chain) => {
  const url = `/v1/chains/${chainId}/contracts/${address}/simulate`
  const response = await service.app.inject({ method: 'POST', url, payload: body })
  return { status: response.statusCode, body: response.json() }
}
const pay = encodeFunctionData({ abi, functionName: 'pay' })

describe('a call that is only tried', () => {
  test('tells its result, its gas and what it would move, the fee left out', async () => {
    const { status, body } = await simulate(till, { from: alice, data: pay, value: '7' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      blockNumber: '2',
      isSuccess: true,
      isTraced: true,
      outputs: [{ name: 'paid', type: 'uint256', value: '7' }],
      omittedCount: 0,
    })
    expect(Number(body.gasUsed)).toBeGreaterThan(21_000)
    type Moved = { address: { address: string }; asset: { kind: string }; change: string }
    const moved = (body.changes as Moved[]).map(({ address, asset, change }) => [
      address.address,
      asset.kind,
      change,
    ])
    expect(moved).toEqual([
      [alice, 'NATIVE', '-7'],
      [till, 'NATIVE', '6'],
      [bob, 'NATIVE', '1'],
      [alice, 'ERC-20', '-7'],
      [till, 'ERC-20', '7'],
    ])
    // Nothing was sent.
    expect(await anvil.ask('eth_blockNumber', [])).toBe('0x2')
    expect(await anvil.ask('eth_getBalance', [bob, 'latest'])).toBe('0x0')
  })

  test('that fails moves nothing, and says why by the ABI of the contract', async () => {
    const data = encodeErrorResult({ abi: gateAbi, errorName: 'TooLate', args: [9n] })
    // The program drops its own selector: what follows it are the data of the error.
    const { body } = await simulate(gate, { from: alice, data: `0x00000000${data.slice(2)}`, value: '3' })
    expect(body).toMatchObject({
      isSuccess: false,
      changes: [],
      failure: {
        kind: 'CUSTOM_ERROR',
        reason: 'too late',
        error: { signature: 'TooLate(uint256)', args: [{ name: 'by', type: 'uint256', value: '9' }] },
      },
    })
    expect(body).not.toHaveProperty('outputs')
  })

  test('that costs more than its sender has fails', async () => {
    const { status, body } = await simulate(till, { from: bob, data: pay, value: '5' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ isSuccess: false, failure: { kind: 'OTHER' }, changes: [] })
    expect(body.failure.reason).toMatch(/insufficient funds/i)
  })

  test('has a result also where the node does not trace, but no changes', async () => {
    const { body } = await simulate(till, { from: alice, data: pay, value: '7' }, untraced)
    expect(body).toEqual({
      blockNumber: '2',
      isSuccess: true,
      isTraced: false,
      outputs: [{ name: 'paid', type: 'uint256', value: '7' }],
      changes: [],
      omittedCount: 0,
    })
  })

  test.each([
    [{ from: alice, data: '0x1' }, 400],
    [{ from: '0x12', data: '0x' }, 400],
    [{ from: alice, data: '0x', value: '-1' }, 400],
    [{ from: alice, data: '0x', value: (2n ** 256n).toString() }, 400],
    [{ data: '0x' }, 400],
  ])('is refused: %j', async (body, status) => {
    expect((await simulate(till, body)).status).toBe(status)
  })

  test('needs its node', async () => {
    expect((await simulate(till, { from: alice, data: pay }, 7)).status).toBe(502)
  })
})

const get = async (path: string) => {
  const response = await service.app.inject(`/v1/chains/${chain}/contracts/${path}`)
  return { status: response.statusCode, body: response.json() }
}

test('functions that change something are listed with the parts of their tuples', async () => {
  const { body } = await get(`${till}/code`)
  expect(body.writeFunctions).toEqual([
    { signature: 'pay()', inputs: [], outputs: [{ name: 'paid', type: 'uint256' }], isPayable: true },
    {
      signature: 'order((address,uint256[]),bool[2])',
      inputs: [
        {
          name: 'order',
          type: '(address,uint256[])',
          components: [
            { name: 'buyer', type: 'address' },
            { name: 'amounts', type: 'uint256[]' },
          ],
        },
        { name: 'flags', type: 'bool[2]' },
      ],
      outputs: [],
      isPayable: false,
    },
  ])
  expect(body.functions.map(({ signature }: { signature: string }) => signature)).toEqual([
    'total()',
    'broken()',
    'stuck()',
  ])
})

test('all views without arguments are called at one block, one that fails beside the others', async () => {
  const outputs = (height: string) => [{ name: '', type: 'uint256', value: height }]
  const { body } = await get(`${picky}/views`)
  expect(body).toEqual({
    blockNumber: '2',
    views: [
      { signature: 'total()', outputs: outputs('2') },
      { signature: 'broken()', error: expect.stringMatching(/^the call reverted: /) },
      { signature: 'stuck()', error: expect.stringMatching(/^the call failed: .*opcode/i) },
    ],
  })
  expect((await get(`${picky}/views?blockNumber=1`)).body.views[0].outputs).toEqual(outputs('1'))
  expect((await get(`${picky}/views?blockNumber=3`)).status).toBe(404)
  expect((await get(`${alice}/views`)).status).toBe(404)
})
