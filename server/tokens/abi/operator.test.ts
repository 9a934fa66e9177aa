import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256, stringToBytes } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig, SettingsError } from '../../kernel/settings/config.ts'
import { decodeCall } from './decode.ts'
import { createAbiBook } from './operator.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-abis-'))
  await mkdir(join(folder, 'abis'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const address = '0x71c7656ec7ab88b098defb751b7401b5f6d8976f'
const selectorOf = (signature: string): string => keccak256(stringToBytes(signature)).slice(0, 10)

async function configWith(abi: unknown, more: object = {}): Promise<ReturnType<typeof loadConfig>> {
  await writeFile(join(folder, 'abis', 'one.json'), typeof abi === 'string' ? abi : JSON.stringify(abi))
  const file = join(folder, 'ridgeline.json')
  const chains = [{ evmChainId: 31337, name: 'Mine', rpcUrl: 'http://127.0.0.1:8545' }]
  const abis = [{ name: 'One', path: 'abis/one.json', ...more }]
  await writeFile(file, JSON.stringify({ chains, abis }))
  return loadConfig(['--config', file], {})
}

const item = (fields: object): object => ({ type: 'function', name: 'a', inputs: [], ...fields })
const input = (type: string, more: object = {}): object => ({ name: 'x', type, ...more })

test.each([
  ['no JSON', 'x', /one\.json: .*readable JSON file/],
  ['no list', { abi: {} }, /one\.json: holds no list; allowed: an ABI, or an artifact/],
  ['a number', [5], /entry 0: is not an object/],
  ['another type', [item({ type: 'macro' })], /entry 0: has the type "macro"/],
  ['no name', [item({ name: 'a b' })], /entry 0: has no usable name/],
  ['no inputs', [item({ inputs: undefined })], /entry 0: has no usable list of parameters/],
  ['an unknown type', [item({}), item({ inputs: [input('uint7')] })], /entry 1: .*type "uint7"/],
  ['bytes33', [item({ inputs: [input('bytes33')] })], /type "bytes33"/],
  ['a tuple without parts', [item({ inputs: [input('tuple')] })], /no usable list of parameters/],
])('an ABI with %s is a settings error', async (_name, abi, pattern) => {
  const problem = await configWith(abi).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(problem).toBeInstanceOf(SettingsError)
  expect((problem as SettingsError).message).toMatch(/abis: One: /)
  expect((problem as SettingsError).message).toMatch(pattern)
})

test('resolves a path relative to the file, and accepts an address in any case', async () => {
  const { abis } = await configWith([], { address: address.toUpperCase().replace('0X', '0x') })
  expect(abis).toEqual([{ name: 'One', address, path: join(folder, 'abis', 'one.json') }])
})

test('an ABI serves its contract, on its chain; one without address serves the rest', async () => {
  const own = [
    item({ name: 'transfer', inputs: [input('address'), input('uint256')] }),
    item({ name: 'old', constant: true, outputs: [input('tuple', { components: [input('int8[2]')] })] }),
    { type: 'constructor', inputs: [] },
    { type: 'event', name: 'Hidden', anonymous: true, inputs: [] },
  ]
  const { abis } = await configWith(own, { chainId: 31337, address })
  const general = join(folder, 'general.json')
  // Shares its selector with transfer(address,uint256).
  await writeFile(general, JSON.stringify([item({ name: 'many_msg_babbage', inputs: [input('bytes1')] })]))
  const book = createAbiBook([...abis, { name: 'General', path: general }])
  const transfer = selectorOf('transfer(address,uint256)')
  expect(selectorOf('many_msg_babbage(bytes1)')).toBe(transfer)

  expect(book.functions(transfer, '31337', address)).toMatchObject({
    from: 'operator',
    known: [{ signature: 'transfer(address,uint256)', item: { inputs: [{ name: 'x' }, { name: 'x' }] } }],
  })
  for (const [chainId, contract] of [
    ['31337', `0x${'1'.repeat(40)}`],
    ['1', address],
  ] as const) {
    const { from, known } = book.functions(transfer, chainId, contract)
    expect([from, known.map(({ signature }) => signature)]).toEqual([
      undefined,
      ['many_msg_babbage(bytes1)', 'transfer(address,uint256)'],
    ])
  }
  expect(book.of('31337', address)?.functions.get(selectorOf('old()'))?.item.stateMutability).toBe('view')
  expect(book.of('1', address)).toBeUndefined()
  expect(book.of('31337', '__proto__')).toBeUndefined()
  expect(book.events('__proto__', '31337', address).known).toEqual([])
})

test('if several signatures decode, the exact one is shown and all are listed', () => {
  const book = createAbiBook([{ name: 'General', path: join(folder, 'general.json') }])
  const input = `${selectorOf('transfer(address,uint256)')}${address.slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}`
  const decoded = decodeCall(input, book.functions(input.slice(0, 10), '1', address))
  expect(decoded).toMatchObject({
    signature: 'transfer(address,uint256)',
    candidates: ['many_msg_babbage(bytes1)', 'transfer(address,uint256)'],
  })
  // Too short for a transfer.
  const short = `${selectorOf('transfer(address,uint256)')}${'ab'.padEnd(64, '0')}`
  expect(decodeCall(short, book.functions(short.slice(0, 10), '1', address))).toMatchObject({
    signature: 'many_msg_babbage(bytes1)',
    args: [{ value: '0xab' }],
  })
})
