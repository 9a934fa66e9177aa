import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeErrorResult, encodeFunctionData, parseAbi, parseEther, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAnvil, type Anvil } from '../../../node/testing/anvil.ts'
import { addressOf, hashOf, seedChain, type SeedBlock } from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
/** The same node, and no block of the index is traced. */
const untraced = 43114
/** As that, and the configuration says that the node must not be asked for traces. */
const refusing = 43115
/** A transaction that the index has and the node does not know. */
const dropped = hashOf('dropped')
/** A chain whose node is gone, with and without traces in the index. */
const [away, awayUntraced] = [7, 8]
const at = (name: string): Hex => addressOf(name) as Hex
const [alice, relay, doubler, gate] = [at('alice'), at('relay'), at('doubler'), at('gate')] as const

/** Returns twice the first argument. */
const doublerCode = '0x60043560020260005260206000f3'
/** Passes its call on to the doubler, and returns what that returns. */
const relayCode = `0x36600060003760006000366000600073${doubler.slice(2)}5af1503d600060003e3d6000f3`
/** Reverts with the call data behind the selector. */
const gateCode = '0x600436038060046000376000fd'

const doublerAbi = parseAbi(['function doubled(uint256 amount) returns (uint256 twice)'])
const gateAbi = parseAbi(['function pass(uint256) payable', 'error TooLate(uint256 by)'])
const input = encodeFunctionData({ abi: doublerAbi, functionName: 'doubled', args: [21n] })
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const tooLate = encodeErrorResult({ abi: gateAbi, errorName: 'TooLate', args: [7n] })
/** The selector is the gate's own, and what it reverts with follows. */
const refused: Hex = `0x${'00'.repeat(4)}${tooLate.slice(2)}`
const long: Hex = `${input}${'ab'.repeat(2_000)}`

let anvil: Anvil
let store: TestDatabase
let service: TestService
let folder: string
let sent: Record<'fine' | 'refused' | 'long' | 'other', string>

async function send(to: Hex, data: Hex): Promise<string> {
  const hash = await anvil.ask('eth_sendTransaction', [{ from: alice, to, data, gas: '0x30d40' }])
  await anvil.ask('anvil_mine', ['0x1'])
  return hash as string
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-calls-'))
  await writeFile(join(folder, 'doubler.json'), JSON.stringify(doublerAbi))
  await writeFile(join(folder, 'gate.json'), JSON.stringify(gateAbi))
  anvil = await startAnvil(['--chain-id', String(chain)])
  await anvil.ask('anvil_setCode', [relay, relayCode])
  await anvil.ask('anvil_setCode', [doubler, doublerCode])
  await anvil.ask('anvil_setCode', [gate, gateCode])
  await anvil.ask('anvil_setBalance', [alice, `0x${parseEther('5').toString(16)}`])
  await anvil.ask('anvil_impersonateAccount', [alice])
  sent = {
    fine: await send(relay, input),
    refused: await send(gate, refused),
    long: await send(relay, long),
    other: await send(relay, input),
  }
  const cut = long.slice(0, 2 + 2 * 1_024)
  const relayed = { type: 'CALL', sender: relay, recipient: doubler, depth: 1, input, output: word(42n) }
  const own = { from: alice, to: relay, input, output: word(42n) }
  const made = { type: 'CREATE', sender: relay, recipient: at('made'), depth: 1 }
  const error = 'execution reverted'
  const txs: SeedBlock['txs'] = [
    { ...own, hash: sent.fine, calls: [relayed] },
    { hash: sent.refused, from: alice, to: gate, status: 0, input: refused, output: tooLate, error },
    { ...own, hash: sent.long, input: long, calls: [{ ...relayed, input: cut }] },
    { ...own, hash: sent.other, input: long, calls: [{ ...relayed, recipient: gate, input: cut }] },
    { hash: dropped, from: alice, to: relay, input, calls: [relayed, made] },
  ]
  store = await createTestDatabase()
  for (const each of [chain, untraced, refusing, away, awayUntraced])
    await seedChain(store.database, {
      chain: each,
      blocks: [{ number: 0, ts: 1_700_000_000, txs }],
      ...([chain, away].includes(each) ? {} : { traceSource: 'none' }),
    })
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [
        { evmChainId: chain, name: 'Test Chain', rpcUrl: anvil.url },
        { evmChainId: untraced, name: 'Untraced', rpcUrl: anvil.url },
        { evmChainId: refusing, name: 'Refusing', rpcUrl: anvil.url, traces: 'off' },
        { evmChainId: away, name: 'Away', rpcUrl: 'http://127.0.0.1:9' },
        { evmChainId: awayUntraced, name: 'Away, untraced', rpcUrl: 'http://127.0.0.1:9' },
      ],
      abis: [
        { address: doubler, name: 'Doubler', path: join(folder, 'doubler.json') },
        { address: gate, name: 'Gate', path: join(folder, 'gate.json') },
      ],
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await anvil.stop()
  await rm(folder, { recursive: true, force: true })
})

const get = async (hash: string, of = chain) => {
  const response = await service.app.inject(`/v1/chains/${of}/transactions/${hash}/calls`)
  return { status: response.statusCode, body: response.json() }
}

const doubled = {
  call: {
    name: 'doubled',
    signature: 'doubled(uint256)',
    args: [{ name: 'amount', type: 'uint256', value: '21' }],
    abiFrom: 'operator',
  },
  results: [{ name: 'twice', type: 'uint256', value: '42' }],
}

test.each([
  ['the index', chain],
  ['the index, whose node is gone', away],
  ['the node, if the block is not traced', untraced],
])('the calls have their arguments and results by %s', async (_name, of) => {
  expect((await get(sent.fine, of)).body).toEqual({
    txHash: sent.fine,
    blockNumber: '0',
    calls: [
      // The relay has no ABI.
      { input, output: word(42n) },
      { input, output: word(42n), ...doubled },
    ],
  })
})

test.each([
  ['the index', chain],
  ['the node', untraced],
])('by %s, a failed call has the error that it returned, and no results', async (_name, of) => {
  const { calls } = (await get(sent.refused, of)).body
  expect(calls).toHaveLength(1)
  expect(calls[0]).toMatchObject({
    output: tooLate,
    error: { signature: 'TooLate(uint256)', args: [{ name: 'by', type: 'uint256', value: '7' }] },
  })
  expect(calls[0]).not.toHaveProperty('results')
})

test('a creation has neither arguments nor results, and a call that returned nothing says so', async () => {
  const { calls } = (await get(dropped)).body
  expect(calls).toEqual([{ input, output: '0x' }, { input, output: word(42n), ...doubled }, {}])
})

test('what the index has truncated is asked of the node, and told as far as it is kept without one', async () => {
  const shown = long.slice(0, 2 + 2 * 1_024)
  const whole = { input: shown, output: word(42n), ...doubled }
  expect((await get(sent.long)).body.calls[1]).toEqual(whole)
  // A function takes what it needs of its input, so the beginning of this one decodes.
  expect((await get(sent.long, away)).body.calls[1]).toEqual(whole)
})

test('a trace of other calls than the indexed ones is not told', async () => {
  const shown = long.slice(0, 2 + 2 * 1_024)
  expect((await get(sent.other)).body.calls[1]).toMatchObject({ input: shown, output: word(42n) })
  expect((await get(sent.other)).body.calls[1]).not.toHaveProperty('call')
})

test('an untraced block has no calls without a trace of the node, and no answer without a node', async () => {
  const nothing = { txHash: sent.fine, blockNumber: '0' }
  expect((await get(sent.fine, refusing)).body).toEqual({ ...nothing, missing: 'TRACES_OFF' })
  expect((await get(dropped, untraced)).body).toEqual({ ...nothing, txHash: dropped, missing: 'NO_TRACE' })
  expect((await get(sent.fine, awayUntraced)).status).toBe(502)
  expect((await get(hashOf('unknown'))).status).toBe(404)
})
