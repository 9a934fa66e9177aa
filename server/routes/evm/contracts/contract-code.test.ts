import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  encodeAbiParameters,
  keccak256,
  parseAbi,
  parseAbiParameters,
  stringToBytes,
  toHex,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proxySlots } from '../../../node/proxy.ts'
import { startAnvil, type Anvil } from '../../../node/testing/anvil.ts'
import { addressOf, seedChain, transactionHash, type SeedBlock } from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
const word = (text: string): Hex => `0x${text.slice(2).padStart(64, '0')}`
const at = (name: string): Hex => addressOf(name) as Hex

// Small programs named after their behaviour. All return, or revert with, their call data.
const echo = '0x6004360380600460003760006000f3'.replace('60006000f3', '6000f3')
const refuse = '0x600436038060046000376000fd'
const height = '0x4360005260206000f3'
const caller = '0x3360005260206000f3'
const silent = '0x00'
/** Always returns an address. */
const beacon = (implementation: string): string => `0x73${implementation.slice(2)}60005260206000f3`
const minimal = (implementation: string): string =>
  `0x363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`

const echoAbi = parseAbi([
  'struct Part { uint256 size; address[] owners; }',
  'function echo(uint256 a, int8 b, bool c, address d, bytes4 e, string f, Part[] g, uint256[2] h, bytes i) pure returns (uint256 a, int8 b, bool c, address d, bytes4 e, string f, Part[] g, uint256[2], bytes)',
  'function one(uint256 value) view returns (uint256)',
  'function change(uint256 value)',
  'event Ignored(uint256 value)',
  'error Nothing()',
])
const echoSignature = 'echo(uint256,int8,bool,address,bytes4,string,(uint256,address[])[],uint256[2],bytes)'
const miscAbi = parseAbi([
  'function height() view returns (uint256)',
  'function caller() view returns (address)',
  'function silent() view returns (uint256)',
  'function refuse(bytes32 a, bytes32 b, bytes32 c, bytes32 d) view returns (uint256)',
  'function wrong(uint256) view returns (string)',
])

let anvil: Anvil
let store: TestDatabase
let service: TestService
let folder: string

const blocks: SeedBlock[] = [0, 1, 2].map((number) => ({
  number,
  ts: 1_700_000_000 + number,
  txs: [{ from: at('alice'), to: at('named'), input: '0x12345678' }],
}))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-abi-'))
  await writeFile(join(folder, 'echo.json'), JSON.stringify(echoAbi))
  await writeFile(join(folder, 'misc.json'), JSON.stringify({ abi: miscAbi }))
  anvil = await startAnvil(['--chain-id', String(chain)])
  const code = (name: string, bytecode: string) => anvil.ask('anvil_setCode', [at(name), bytecode])
  const slot = (name: string, place: string, value: string) =>
    anvil.ask('anvil_setStorageAt', [at(name), place, word(value)])
  await code('echo', echo)
  for (const [name, bytecode] of Object.entries({ height, caller, silent, refuse }))
    await code(name, bytecode)
  await code('beacon', beacon(at('echo')))
  for (const name of ['by 1967', 'by beacon', 'by dead beacon', 'by 1822', 'by old slot', 'by nothing']) {
    await code(name, '0x6001')
  }
  await slot('by 1967', proxySlots['EIP-1967'], at('echo'))
  await slot('by beacon', proxySlots['EIP-1967 beacon'], at('beacon'))
  await slot('by dead beacon', proxySlots['EIP-1967 beacon'], at('refuse'))
  await slot('by 1822', proxySlots['EIP-1822'], at('gone'))
  await slot('by old slot', proxySlots.OpenZeppelin, at('echo'))
  // A number in place of an address is not a target.
  await slot('by nothing', proxySlots['EIP-1967'], `0x${'f'.repeat(64)}`)
  await code('by 1167', minimal(at('echo')))
  await code('by 7702', `0xef0100${at('echo').slice(2)}`)
  await anvil.ask('anvil_mine', ['0x2'])

  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks })
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [
        { evmChainId: chain, name: 'Test Chain', rpcUrl: anvil.url },
        { evmChainId: 7, name: 'Away', rpcUrl: 'http://127.0.0.1:9' },
      ],
      abis: [
        { chainId: chain, address: at('echo'), name: 'Echo', path: join(folder, 'echo.json') },
        ...['height', 'caller', 'silent', 'refuse'].map((name) => ({
          address: at(name),
          name: 'Misc',
          path: join(folder, 'misc.json'),
        })),
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

const code = async (name: string, chainId = chain) => {
  const response = await service.app.inject(`/v1/chains/${chainId}/contracts/${at(name)}/code`)
  return { status: response.statusCode, body: response.json() }
}
const read = async (name: string, body: object, chainId = chain) => {
  const url = `/v1/chains/${chainId}/contracts/${at(name)}/read`
  const response = await service.app.inject({ method: 'POST', url, payload: body })
  return { status: response.statusCode, body: response.json() }
}

test('the slots are those of the standards', () => {
  const hash = (text: string): bigint => BigInt(keccak256(stringToBytes(text)))
  expect(proxySlots).toEqual({
    'EIP-1967': toHex(hash('eip1967.proxy.implementation') - 1n),
    'EIP-1967 beacon': toHex(hash('eip1967.proxy.beacon') - 1n),
    'EIP-1967 admin': toHex(hash('eip1967.proxy.admin') - 1n),
    'EIP-1822': toHex(hash('PROXIABLE')),
    OpenZeppelin: toHex(hash('org.zeppelinos.proxy.implementation')),
  })
})

describe('the code of a contract', () => {
  test('has a size, a hash and read-only functions', async () => {
    const { body } = await code('echo')
    expect(body).toMatchObject({
      codeSize: (echo.length - 2) / 2,
      codeHash: keccak256(echo as Hex),
      abiName: 'Echo',
    })
    expect(body).not.toHaveProperty('proxy')
    expect(body.functions.map(({ signature }: { signature: string }) => signature)).toEqual([
      echoSignature,
      'one(uint256)',
    ])
    expect(body.functions[0].inputs[6]).toMatchObject({ name: 'g', type: '(uint256,address[])[]' })
  })

  test.each([
    ['by 1967', 'EIP-1967', 'echo', true],
    ['by beacon', 'EIP-1967 beacon', 'echo', true],
    ['by 1822', 'EIP-1822', 'gone', false],
    ['by old slot', 'OpenZeppelin', 'echo', true],
    ['by 1167', 'EIP-1167', 'echo', true],
    ['by 7702', 'EIP-7702', 'echo', true],
  ])('%s leads to its implementation', async (name, kind, target, implementationHasCode) => {
    const { body } = await code(name)
    expect(body.proxy).toMatchObject({ kind, implementation: at(target), implementationHasCode })
    expect(body.abiName).toBe(target === 'echo' ? 'Echo' : undefined)
  })

  test.each(['by nothing', 'by dead beacon'])('%s leads nowhere', async (name) => {
    expect((await code(name)).body).toEqual({ codeSize: 2, codeHash: keccak256('0x6001') })
  })

  test('of an account is empty; without a node it is a 502', async () => {
    expect(await code('nobody')).toEqual({ status: 200, body: { codeSize: 0 } })
    expect((await code('nobody', 7)).status).toBe(502)
  })
})

describe('reading a contract', () => {
  const owners = [at('alice'), at('bob')]
  const args = [
    (2n ** 256n - 1n).toString(),
    '-128',
    'true',
    at('alice'),
    '0x01020304',
    'text "with" \u202e marks\n',
    [
      ['7', owners],
      ['0', []],
    ],
    ['1', '2'],
    '0x',
  ]

  test('returns the results as text', async () => {
    const { status, body } = await read('echo', { signature: echoSignature, args })
    expect(status).toBe(200)
    expect(body.blockNumber).toBe('2')
    expect(body.outputs.map(({ value }: { value: unknown }) => value)).toEqual(args)
    expect(body.outputs[6]).toMatchObject({ name: 'g', type: '(uint256,address[])[]' })
    expect((await read('by 1167', { signature: 'one(uint256)', args: ['0x10'] })).body.outputs).toEqual([
      { name: '', type: 'uint256', value: '16' },
    ])
  })

  test('uses the given block and caller', async () => {
    const value = async (name: string, body: object) =>
      (await read(name, { signature: `${name}()`, args: [], ...body })).body.outputs[0].value
    expect(await value('height', { blockNumber: '1' })).toBe('1')
    expect(await value('height', {})).toBe('2')
    expect(await value('caller', { address: at('bob') })).toBe(at('bob'))
    const above = await read('height', { signature: 'height()', args: [], blockNumber: '3' })
    expect([above.status, above.body.message]).toEqual([404, 'block 3 is not indexed on chain 43113'])
  })

  const replaced = (place: number, value: unknown): unknown[] => args.with(place, value as string)
  test.each([
    [replaced(0, '-1'), 'args.0: must be a uint256'],
    [replaced(0, (2n ** 256n).toString()), 'args.0: must be a uint256'],
    [replaced(0, '1e3'), 'args.0: must be a whole number'],
    [replaced(0, ''), 'args.0: must be a whole number'],
    [replaced(0, ['1']), 'args.0: must be the text'],
    [replaced(1, '128'), 'args.1: must be a int8: from -128 to 127'],
    [replaced(2, '1'), 'args.2: must be true or false'],
    [replaced(3, '0x12'), 'args.3: must be an address'],
    [replaced(3, `0xA${at('alice').slice(3)}`), 'args.3: must be an address'],
    [replaced(4, '0x010203'), 'args.4: must be 4 bytes'],
    [replaced(6, [['7']]), 'args.6.0: must be a list of 2 values'],
    [replaced(6, [['7', ['x']]]), 'args.6.0.1.0: must be an address'],
    [replaced(6, 'x'), 'args.6: must be a list'],
    [replaced(7, ['1']), 'args.7: must be a list of 2 values'],
    [replaced(8, '0x1'), 'args.8: must be whole bytes'],
    [args.slice(1), 'args: must be 9 values'],
    [
      replaced(
        6,
        Array.from({ length: 70 }, () => ['1', Array(70).fill(at('bob'))]),
      ),
      'args.6',
    ],
  ])('refuses wrong arguments: %#', async (wrong, problem) => {
    const { status, body } = await read('echo', { signature: echoSignature, args: wrong })
    expect(status).toBe(400)
    expect(body.message[0]).toContain(problem)
  })

  test.each([
    ['change(uint256)', 400, /^signature: is not among the functions of Echo/],
    ['one(uint)', 400, /^signature: /],
    ['toString()', 400, /^signature: /],
    ['__proto__', 400, /^signature: /],
  ])('refuses %s', async (signature, status, message) => {
    const answer = await read('echo', { signature, args: ['1'] })
    expect(answer.status).toBe(status)
    expect(answer.body.message).toMatch(message)
  })

  test('reports why a call reverted', async () => {
    const revertWith = async (data: string) => {
      const padded = data.slice(2).padEnd(256, '0')
      const words = [0, 1, 2, 3].map((index) => `0x${padded.slice(index * 64, index * 64 + 64)}`)
      const signature = 'refuse(bytes32,bytes32,bytes32,bytes32)'
      const { status, body } = await read('refuse', { signature, args: words })
      expect(status).toBe(400)
      return body.message
    }
    const text = encodeAbiParameters(parseAbiParameters('string'), ['not today'])
    expect(await revertWith(`0x08c379a0${text.slice(2)}`)).toBe('the call reverted: not today')
    expect(await revertWith(`0x4e487b71${word('0x12').slice(2)}`)).toBe(
      'the call reverted: division or modulo by zero',
    )
    expect(await revertWith('0xdeadbeef')).toBe('the call reverted: unknown error 0xdeadbeef')
  })

  test('reports an empty or malformed result', async () => {
    const nothing = await read('silent', { signature: 'silent()', args: [] })
    expect([nothing.status, nothing.body.message]).toEqual([
      400,
      expect.stringMatching(/^the call answered nothing/),
    ])
    const wrong = await read('height', { signature: 'wrong(uint256)', args: ['1'] })
    expect([wrong.status, wrong.body.message]).toEqual([400, 'the result does not fit the ABI'])
    expect((await read('nobody', { signature: 'one(uint256)', args: ['1'] })).status).toBe(404)
    expect((await read('height', { signature: 'height()', args: [] }, 7)).status).toBe(502)
  })
})

test('the names of a contract’s own ABI come first', async () => {
  const own = parseAbi(['function chosen(uint256 mine) view returns (uint256)', 'event Chosen(uint256 mine)'])
  const path = join(folder, 'chosen.json')
  // Two signatures with the same selector: the known transfer and an artificial one.
  const clash = parseAbi(['function many_msg_babbage(bytes1 value)'])
  await writeFile(path, JSON.stringify(own))
  await writeFile(join(folder, 'clash.json'), JSON.stringify(clash))
  const transfer = `0xa9059cbb${word(at('bob')).slice(2)}${word('0x05').slice(2)}`
  const block: SeedBlock = {
    number: 0,
    ts: 1_700_000_000,
    txs: [
      {
        from: at('alice'),
        to: at('chosen'),
        input: `${keccak256(stringToBytes('chosen(uint256)')).slice(0, 10)}${word('0x07').slice(2)}`,
        logs: [
          {
            address: at('chosen'),
            topics: [keccak256(stringToBytes('Chosen(uint256)'))],
            data: word('0x09'),
          },
        ],
      },
      { from: at('alice'), to: at('other'), input: transfer },
    ],
  }
  await seedChain(store.database, { chain: 8, blocks: [block] })
  const named = await startTestService(store.database, {
    config: testConfig({
      chains: [{ evmChainId: 8, name: 'Eight', rpcUrl: 'http://127.0.0.1:9' }],
      abis: [
        { chainId: 8, address: at('chosen'), name: 'Chosen', path },
        { name: 'More names', path: join(folder, 'clash.json') },
      ],
    }),
  })
  const get = async (path: string) => (await named.app.inject(`/v1/chains/8/${path}`)).json()
  const { transactions } = await get('transactions')
  expect(transactions[1].method).toMatchObject({ methodName: 'chosen(uint256)' })
  const first = await get(`transactions/${transactionHash(8, block, 0)}`)
  expect(first.decodedInput).toEqual({
    name: 'chosen',
    signature: 'chosen(uint256)',
    abiFrom: 'operator',
    args: [{ name: 'mine', type: 'uint256', value: '7' }],
  })
  expect(first.logs[0].event).toMatchObject({ name: 'Chosen', args: [{ value: '9' }] })
  // The list cannot determine which one is meant, so it shows all; for a single transaction, the arguments
  // decide.
  expect(transactions[0].method).toMatchObject({
    methodName: 'many_msg_babbage(bytes1)',
    candidates: ['many_msg_babbage(bytes1)', 'transfer(address,uint256)'],
  })
  const second = await get(`transactions/${transactionHash(8, block, 1)}`)
  expect(second.decodedInput).toMatchObject({ signature: 'transfer(address,uint256)' })
  await named.close()
})
