import { readFileSync } from 'node:fs'
import {
  type Hex,
  decodeEventLog,
  decodeFunctionResult,
  encodeFunctionData,
  getContractAddress,
  parseAbi,
  toEventSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileTexts, hostileUris, linkCases, privateUris } from '../nft/links.ts'
import { sampleAddresses } from '../testing/addresses.ts'
import { answerOf, resultOf, send } from '../testing/ask.ts'
import { type RunningSample, startSample } from '../testing/start.ts'
import type { NamedAddresses } from './generator.ts'

const historyHours = 600

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'function balanceOf(address) view returns (uint256)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint256)',
  'function supportsInterface(bytes4) view returns (bool)',
  'function tokenURI(uint256) view returns (string)',
  'function uri(uint256) view returns (string)',
  'function totalSupply() view returns (uint256)',
  'function version() view returns (uint256)',
])
const relicItems = parseAbi(['function balanceOf(address, uint256) view returns (uint256)'])

type Receipt = {
  readonly from: Hex
  readonly status: string
  readonly transactionHash: Hex
  readonly blockNumber: Hex
  readonly logs: readonly { address: Hex; topics: [Hex, ...Hex[]]; data: Hex }[]
}

const zeroId = `0x${'0'.repeat(40)}`
const transfer = toEventSelector('Transfer(address,address,uint256)')
const single = toEventSelector('TransferSingle(address,address,address,uint256,uint256)')
const blocksPerBatch = toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])')

let sample: RunningSample
let url: string
let c: NamedAddresses
let receipts: Receipt[]

async function receiptsOf(chainUrl: string): Promise<Receipt[]> {
  const head = Number(await resultOf<string>(chainUrl, 'eth_blockNumber'))
  const found: Receipt[] = []
  for (let number = 0; number <= head; number += 1) {
    found.push(...(await resultOf<Receipt[]>(chainUrl, 'eth_getBlockReceipts', `0x${number.toString(16)}`)))
  }
  return found
}

beforeAll(async () => {
  sample = await startSample({ hours: historyHours, testControls: false })
  url = sample.chain('C-Chain').rpcUrl
  c = (await sampleAddresses(sample.url)).c
  receipts = await receiptsOf(url)
})
afterAll(() => sample.stop())

function at(name: string): Hex {
  const found = c.contracts[name]
  if (found === undefined) throw new Error(`no contract ${name}`)
  return found
}

async function read(
  name: string,
  functionName: 'name' | 'symbol' | 'decimals' | 'version' | 'totalSupply',
): Promise<unknown> {
  const data = encodeFunctionData({ abi, functionName })
  const result = await resultOf<Hex>(url, 'eth_call', { to: at(name), data }, 'latest')
  return decodeFunctionResult({ abi, functionName, data: result })
}

async function uriOf(name: string, functionName: 'tokenURI' | 'uri', id: bigint): Promise<string> {
  const data = encodeFunctionData({ abi, functionName, args: [id] })
  const result = await resultOf<Hex>(url, 'eth_call', { to: at(name), data }, 'latest')
  return decodeFunctionResult({ abi, functionName, data: result })
}

/** The balances of the accounts according to the contract. */
async function balancesOf(name: string, accounts: readonly Hex[]): Promise<bigint[]> {
  const calls = accounts.map((account, id) => {
    const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [account] })
    return { jsonrpc: '2.0', id, method: 'eth_call', params: [{ to: at(name), data }, 'latest'] }
  })
  const found: bigint[] = []
  for (let from = 0; from < calls.length; from += 1000) {
    const { text } = await send(url, JSON.stringify(calls.slice(from, from + 1000)))
    found.push(...(JSON.parse(text) as { result: Hex }[]).map(({ result }) => BigInt(result)))
  }
  return found
}

async function supports(name: string, id: Hex): Promise<boolean> {
  const data = encodeFunctionData({ abi, functionName: 'supportsInterface', args: [id] })
  return BigInt(await resultOf<Hex>(url, 'eth_call', { to: at(name), data }, 'latest')) === 1n
}

type Move = {
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
}

function transfersOf(name: string): Move[] {
  return receipts
    .flatMap(({ logs }) => logs)
    .filter(({ address, topics }) => address === at(name) && topics[0] === transfer && topics.length === 3)
    .map(({ topics, data }) => {
      const { args } = decodeEventLog({ abi, eventName: 'Transfer', topics, data })
      return { from: lower(args.from), to: lower(args.to), value: args.value }
    })
}

function lower(text: Hex): Hex {
  return `0x${text.slice(2).toLowerCase()}`
}

/** The number of holders, and of those whose balance differs from the sum of the logs. */
async function strayed(name: string): Promise<{ holders: number; strayed: number }> {
  const sums = new Map<Hex, bigint>()
  for (const { from, to, value } of transfersOf(name)) {
    sums.set(from, (sums.get(from) ?? 0n) - value)
    sums.set(to, (sums.get(to) ?? 0n) + value)
  }
  sums.delete(zeroId as Hex)
  const answers = await balancesOf(name, [...sums.keys()])
  const differ = [...sums.values()].filter((sum, index) => sum !== answers[index])
  return { holders: sums.size, strayed: differ.length }
}

describe('the special contracts', () => {
  test('are all deployed without a failed transaction or an additional block', async () => {
    const makers = new Set(
      Object.entries(c.accounts).flatMap(([name, address]) => (name.startsWith('Maker') ? [address] : [])),
    )
    const own = receipts.filter(({ from }) => makers.has(from))
    expect(makers.size).toBe(6)
    expect(own.length).toBeGreaterThan(250)
    expect(
      own.filter(({ status }) => status !== '0x1').map(({ transactionHash }) => transactionHash),
    ).toEqual([])
    expect(Number(await resultOf(url, 'eth_blockNumber'))).toBe(historyHours)
    for (const [name, address] of Object.entries(c.contracts)) {
      expect((await resultOf<string>(url, 'eth_getCode', address, 'latest')).length, name).toBeGreaterThan(50)
    }
  })

  test('use none of the first account’s nonces, so its contracts keep their addresses', () => {
    const from = c.accounts['Deployer'] ?? '0x'
    const names = ['Sample Dollar', 'Factory', 'Trouble', 'Ridge', 'Skyline Prints', 'Splitter', 'Trail Gear']
    for (const [nonce, name] of names.entries()) {
      expect(at(name), name).toBe(lower(getContractAddress({ from, nonce: BigInt(nonce) })))
    }
  })

  test('have logs that add up to the balances, except for a rebasing token and one with a hidden fee', async () => {
    for (const name of ['Tide', 'Toll']) expect((await strayed(name)).strayed, name).toBeGreaterThan(2)
    for (const name of ['Honest Toll', 'Old Coin', 'Moss', 'Clover', 'Bell', 'False AVAX', 'Confetti']) {
      const found = await strayed(name)
      expect(found.strayed, name).toBe(0)
      expect(found.holders, name).toBeGreaterThan(12)
    }
  })

  test('have unusual names', async () => {
    const text = (name: string): Promise<unknown> => read(name, 'name')
    expect(await text('Upside Down')).toBe('Safe\0Coin\u202Egnp.exe\u200F')
    expect(String(await text('Longwinded'))).toHaveLength(1_000_000)
    expect(await text('Prize Link')).toMatch(/^https:/)
    expect(await text('Hostile Text')).toBe(hostileTexts.image)
    expect(await read('False AVAX', 'symbol')).toBe('AVAX')
    const lookalike = String(await read('False SUSD', 'symbol'))
    expect(lookalike).not.toBe('SUSD')
    expect(lookalike.replaceAll('\u0405', 'S')).toBe('SUSD')
    const bytes = await resultOf<Hex>(
      url,
      'eth_call',
      { to: at('Old Coin'), data: encodeFunctionData({ abi, functionName: 'symbol' }) },
      'latest',
    )
    expect(bytes).toBe(`0x4f4c44${'0'.repeat(58)}`)
    for (const functionName of ['name', 'symbol', 'decimals'] as const) {
      const data = encodeFunctionData({ abi, functionName })
      expect((await answerOf(url, 'eth_call', { to: at('Faceless'), data }, 'latest')).error).toBeDefined()
      const garbled = await resultOf<Hex>(url, 'eth_call', { to: at('Garbled'), data }, 'latest')
      if (functionName === 'decimals') expect(BigInt(garbled)).toBe(2n ** 256n - 1n)
      else expect(() => decodeFunctionResult({ abi, functionName, data: garbled })).toThrow()
    }
  })

  test('answer ERC-165 correctly, ambiguously and wrongly', async () => {
    const answers = async (name: string): Promise<string> => {
      const ids = ['0x01ffc9a7', '0x80ac58cd', '0xd9b67a26', '0xffffffff'] as const
      return (await Promise.all(ids.map((id) => supports(name, id)))).map(Number).join('')
    }
    expect(await answers('Skyline Prints')).toBe('1100')
    expect(await answers('Glyphs')).toBe('1100')
    expect(await answers('Trail Gear')).toBe('1010')
    expect(await answers('Relics')).toBe('1010')
    expect(await answers('Twofold')).toBe('1110')
    expect(await answers('Yea-sayer')).toBe('1111')
  })

  test('send zero amounts to two thousand addresses and real amounts to as many', () => {
    const flyer = transfersOf('Flyer')
    expect(flyer.every(({ value }) => value === 0n)).toBe(true)
    expect(new Set(flyer.map(({ to }) => to)).size).toBe(2_000)
    expect(new Set(transfersOf('Confetti').map(({ to }) => to)).size).toBe(2_000)
  })

  test('store their implementation in every kind of proxy slot', async () => {
    const slots = {
      Moss: ['0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc', 'Shared Renamed'],
      Fern: ['0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7', 'Shared'],
      Ivy: ['0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3', 'Shared'],
      Lichen: ['0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50', 'Beacon'],
    } as const
    for (const [name, [slot, target]] of Object.entries(slots)) {
      const word = await resultOf<Hex>(url, 'eth_getStorageAt', at(name), slot, 'latest')
      expect(`0x${word.slice(-40)}`, name).toBe(at(target))
    }
    expect(await resultOf(url, 'eth_getCode', at('Clover'), 'latest')).toBe(
      `0x363d3d373d3d3d363d73${at('Shared').slice(2)}5af43d82803e903d91602b57fd5bf3`,
    )
    expect(await read('Moss', 'version')).toBe(2n)
    expect(await read('Moss', 'name')).toBe('Moss of the North')
    expect(await read('Fern', 'version')).toBe(1n)
  })
})

test('the documentation lists all of them with their addresses, which do not depend on the time', async () => {
  const text = readFileSync(new URL('../../docs/sample.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (.+?) +\| `(0x[0-9a-f]{40})` +\|/gm)].map(
    ([, name, address]) => `${name} ${address}`,
  )
  const { c: all, meridian } = await sampleAddresses(sample.url)
  const known = [all, meridian].flatMap(({ contracts }) =>
    Object.entries(contracts).map(([name, address]) => `${name} ${address}`),
  )
  expect(rows.filter((row) => !known.includes(row))).toEqual([])
  const unlisted = known.filter((row) => !rows.includes(row)).map((row) => row.replace(/ 0x.*/, ''))
  expect(unlisted.sort()).toEqual(['Factory', 'Marmots', 'Trouble'])
})

describe('collections', () => {
  test('have every kind of URI, in the order of the list', async () => {
    const name = 'Every Kind of Link'
    for (const [index, { uri }] of linkCases.entries()) {
      expect(await uriOf(name, 'tokenURI', BigInt(index + 1))).toBe(uri)
    }
    for (const [index, uri] of privateUris.entries()) {
      expect(await uriOf('Private Places', 'tokenURI', BigInt(index + 1))).toBe(uri)
    }
    for (const [index, uri] of hostileUris.entries()) {
      expect(await uriOf('Hostile Text', 'tokenURI', BigInt(index + 1))).toBe(uri)
    }
    // The token after the list was burned.
    await expect(uriOf(name, 'tokenURI', BigInt(linkCases.length + 1))).rejects.toThrow()
    expect(await uriOf('Relics', 'uri', 1n)).toContain('{id}')
  })

  test('return on-chain images, in base64 and as text', async () => {
    for (const id of [1n, 2n]) {
      const uri = await uriOf('Glyphs', 'tokenURI', id)
      expect(
        uri.startsWith(id === 1n ? 'data:application/json;utf8,' : 'data:application/json;base64,'),
      ).toBe(true)
      const rest = uri.slice(uri.indexOf(',') + 1)
      const json = id === 1n ? rest : Buffer.from(rest, 'base64').toString('utf8')
      const { name, image } = JSON.parse(json) as { name: string; image: string }
      expect(name).toBe(`Glyph ${id}`)
      const svg = Buffer.from(image.slice(image.indexOf(',') + 1), 'base64').toString('utf8')
      expect(svg).toMatch(/^<svg .*<\/svg>$/)
    }
  })

  test('are transferred in every way of ERC-1155, and their logs add up to the balances', async () => {
    const seen = new Set<string>()
    const sums = new Map<string, bigint>()
    const note = (from: Hex, to: Hex, id: bigint, value: bigint): void => {
      if (value === 0n) seen.add('zero value')
      for (const [account, change] of [
        [from, -value],
        [to, value],
      ] as const) {
        if (account === zeroId) continue
        sums.set(`${lower(account)}/${id}`, (sums.get(`${lower(account)}/${id}`) ?? 0n) + change)
      }
    }
    for (const { address, topics, data } of receipts.flatMap(({ logs }) => logs)) {
      if (address !== at('Relics') || (topics[0] !== single && topics[0] !== blocksPerBatch)) continue
      const { eventName, args } = decodeEventLog({ abi, topics, data })
      if (eventName !== 'TransferSingle' && eventName !== 'TransferBatch') continue
      const [ids, values] =
        eventName === 'TransferSingle' ? [[args.id], [args.value]] : [args.ids, args.values]
      const shape = eventName === 'TransferSingle' ? 'single' : 'batch'
      if (args.from === zeroId) seen.add(`${shape} mint`)
      else if (args.to === zeroId) seen.add(`${shape} burn`)
      else if (args.from === args.to) seen.add(`${shape} to oneself`)
      else seen.add(shape)
      if (new Set(ids).size < ids.length) seen.add('an id twice')
      if (ids.length === 0) seen.add('empty batch')
      if (args.operator !== args.from && args.from !== zeroId) seen.add('by an operator')
      for (const [index, id] of ids.entries()) note(args.from, args.to, id, values[index] ?? 0n)
    }
    expect([...seen].sort()).toEqual(
      [
        'an id twice',
        'batch',
        'batch burn',
        'batch mint',
        'batch to oneself',
        'by an operator',
        'empty batch',
        'single',
        'single burn',
        'single mint',
        'single to oneself',
        'zero value',
      ].sort(),
    )
    expect(sums.size).toBeGreaterThan(24)
    for (const [key, sum] of sums) {
      const [account = '', id = ''] = key.split('/')
      const args = [account as Hex, BigInt(id)] as const
      const data = encodeFunctionData({ abi: relicItems, functionName: 'balanceOf', args })
      expect(BigInt(await resultOf<Hex>(url, 'eth_call', { to: at('Relics'), data }, 'latest')), key).toBe(
        sum,
      )
    }
  })
})
