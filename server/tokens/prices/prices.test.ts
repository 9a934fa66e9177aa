import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert, bigInt, integer, property } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configFile, SettingsError } from '../../kernel/settings/config.ts'
import { worthOf } from './decimal.ts'
import { openPriceFile } from './file.ts'
import { createPriceSource } from './http.ts'
import { openPrices } from './open.ts'
import { erc20Asset, nativeAsset, pricedFields } from './prices.ts'

const token = `0x${'Ab'.repeat(20)}`
const at = (text: string): number => Date.parse(text) / 1000
const noon = at('2026-11-21T12:00:00Z')

const document = {
  label: 'test prices',
  assets: [
    {
      id: nativeAsset(43113),
      prices: {
        '2026-11-10': { usd: '20' },
        '2026-11-21': { usd: '25.1', eur: '23.000000000000000001' },
        '2026-11-22': { usd: '999' },
      },
    },
    { id: `erc20:43113:${token}`, prices: { '2026-11-14': { usd: '0.5' } } },
  ],
}

const folder = mkdtempSync(join(tmpdir(), 'ridgeline-prices-'))
let files = 0
function file(content: unknown): string {
  const path = join(folder, `${(files += 1)}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

function recorder() {
  const lines: string[] = []
  return { lines, warn: (...args: unknown[]) => void lines.push(JSON.stringify(args)) }
}

test('the value of an amount is exact, with at most 18 decimals', () => {
  expect(worthOf('1500000000000000000', 18, '25.1')).toBe('37.65')
  expect(worthOf('1', 18, '25.1')).toBe('0.000000000000000025')
  expect(worthOf('0', 18, '25.1')).toBe('0')
  expect(worthOf('123456789', 0, '2')).toBe('246913578')
  expect(worthOf((2n ** 256n - 1n).toString(), 0, '1.5')).toBe(
    '173688133855974293135356477513031861779904976998460846059186376011869694459902.5',
  )
  assert(
    property(
      bigInt({ min: 0n, max: 2n ** 256n }),
      integer({ min: 0, max: 40 }),
      bigInt({ min: 0n, max: 10n ** 30n }),
      integer({ min: 1, max: 20 }),
      (amount, decimals, digits, places) => {
        const text = digits.toString().padStart(places + 1, '0')
        const price = `${text.slice(0, -places)}.${text.slice(-places)}`
        const worth = worthOf(amount.toString(), decimals, price)
        expect(worth).toMatch(/^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$/)
        // Compared as integers in units of 10^-18: the exact product, truncated.
        const [whole = '', fraction = ''] = worth.split('.')
        const scale = 10n ** BigInt(decimals + places)
        expect(BigInt(whole + fraction.padEnd(18, '0'))).toBe((amount * digits * 10n ** 18n) / scale)
      },
    ),
  )
})

test('a price is that of the newest day up to the given one, at most seven days old', async () => {
  const prices = openPrices({ prices: { file: file(document) } }, recorder())
  expect(prices.label).toBe('test prices')
  const native = async (time: string, currency: 'usd' | 'eur' | 'jpy' = 'usd') =>
    (await prices.on(at(time), currency))(nativeAsset(43113))
  expect(await native('2026-11-21T00:00:00Z')).toBe('25.1')
  expect(await native('2026-11-21T23:59:59Z')).toBe('25.1')
  expect(await native('2026-11-20T23:59:59Z')).toBeUndefined()
  expect(await native('2026-11-17T23:59:59Z')).toBe('20')
  expect(await native('2026-11-18T00:00:00Z')).toBeUndefined()
  expect(await native('2026-11-21T00:00:00Z', 'eur')).toBe('23.000000000000000001')
  expect(await native('2026-11-22T00:00:00Z', 'eur')).toBe('23.000000000000000001')
  expect(await native('2026-11-21T00:00:00Z', 'jpy')).toBeUndefined()
  expect(await native('1969-12-31T00:00:00Z')).toBeUndefined()
  expect((await prices.on(1e15, 'usd'))(nativeAsset(43113))).toBeUndefined()
  const usd = await prices.on(noon, 'usd')
  expect(usd(erc20Asset(43113, token.toUpperCase().replace('0X', '0x')))).toBe('0.5')
  expect(usd(erc20Asset(43114, token))).toBeUndefined()
})

test('without a price the fields of an answer are absent, and without decimals the value', () => {
  expect(pricedFields(undefined, 'usd', '5', 18)).toEqual({})
  expect(pricedFields('2', 'usd', '5', null)).toEqual({ price: { currencyCode: 'usd', value: '2' } })
  expect(pricedFields('2', 'eur', '5', 1)).toEqual({
    price: { currencyCode: 'eur', value: '2' },
    balanceValue: { currencyCode: 'eur', value: '1' },
  })
})

test('without a provider there are neither prices nor a label', async () => {
  const prices = openPrices({}, recorder())
  expect(prices.label).toBeUndefined()
  expect((await prices.on(noon, 'usd'))(nativeAsset(43113))).toBeUndefined()
})

test.each([
  ['a missing file', join(folder, 'none.json')],
  ['no JSON', file('{')],
  ['a price that is a number', file({ assets: [{ id: 'native:1', prices: { '2026-11-21': { usd: 25 } } }] })],
  ['an exponent', file({ assets: [{ id: 'native:1', prices: { '2026-11-21': { usd: '1e3' } } }] })],
  ['a day that is none', file({ assets: [{ id: 'native:1', prices: { '2026-02-30': { usd: '1' } } }] })],
  ['an unknown currency', file({ assets: [{ id: 'native:1', prices: { '2026-02-03': { xxx: '1' } } }] })],
  ['an unknown kind of asset', file({ assets: [{ id: 'coin:1', prices: {} }] })],
])('%s ends the start with a settings error that names the file', (_what, path) => {
  expect(() => openPriceFile(path, recorder())).toThrow(SettingsError)
  expect(() => openPriceFile(path, recorder())).toThrow(`prices.file: ${path}`)
})

test('a changed file is read again; an invalid one leaves the prices unchanged and is reported once', async () => {
  const path = file(document)
  const log = recorder()
  const time = { now: 0 }
  const prices = openPriceFile(path, log, () => time.now)
  const price = async () => (await prices.on(noon, 'usd'))(nativeAsset(43113))
  const change = (content: string, second: number) => {
    writeFileSync(path, content)
    utimesSync(path, second, second)
  }
  change(JSON.stringify(document).replace('25.1', '26'), 1_000)
  expect(await price()).toBe('25.1')
  time.now += 30_000
  expect(await price()).toBe('26')
  for (const second of [2_000, 3_000]) {
    change('{', second)
    time.now += 30_000
    expect(await price()).toBe('26')
  }
  expect(log.lines).toHaveLength(1)
  change(JSON.stringify(document), 4_000)
  time.now += 30_000
  expect(await price()).toBe('25.1')
})

const source = createServer((request, response) => answer(request, response))
let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
let base = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(source.address() as AddressInfo).port}`
})
afterAll(() => {
  source.closeAllConnections()
  source.close()
})

function openSource(path = '/{day}?key=canary-secret') {
  const log = recorder()
  const time = { now: 0, today: noon }
  const config = { url: base + path, timeoutMs: 2_000, maxBytes: 4_096 }
  const prices = createPriceSource(config, log, { now: () => time.now, today: () => time.today })
  const price = async (when = noon) => (await prices.on(when, 'usd'))(nativeAsset(43113))
  return { log, time, prices, price }
}

test('a source is requested once per required day', async () => {
  const asked: string[] = []
  answer = (request, response) => {
    asked.push(String(request.url))
    response.end(JSON.stringify(document))
  }
  const { prices, price, time } = openSource()
  expect(prices.label).toBe(`prices of ${new URL(base).host}`)
  expect(await Promise.all([price(), price(noon - 3600)])).toEqual(['25.1', '25.1'])
  expect(await price(at('2026-11-12T01:00:00Z'))).toBe('20')
  expect(asked).toEqual(['/2026-11-21?key=canary-secret', '/2026-11-12?key=canary-secret'])
  // The current day is requested again, a past one is not.
  time.now += 11 * 60_000
  await price()
  await price(at('2026-11-12T01:00:00Z'))
  expect(asked.slice(2)).toEqual(['/2026-11-21?key=canary-secret'])
})

test.each<[string, (request: IncomingMessage, response: ServerResponse) => void, RegExp]>([
  ['an error', (_request, response) => response.writeHead(500).end('secret'), /answered 500/],
  ['something else than prices', (_request, response) => response.end('{"assets":{}}'), /no price document/],
  ['no JSON', (_request, response) => response.end('<html>'), /no price document/],
  ['more than is read', (_request, response) => response.end('x'.repeat(5_000)), /more than 4096 bytes/],
  ['headers, then nothing', (_request, response) => void response.writeHead(200).write('{'), /in time/],
  ['a redirect', (_request, response) => response.writeHead(302, { location: '/x' }).end(), /connection/],
  ['a cut connection', (request) => void request.socket.destroy(), /connection failed/],
])('a source that answers with %s means no prices and one line in the log', async (_what, bad, reason) => {
  let asked = 0
  answer = (request, response) => {
    asked += 1
    bad(request, response)
  }
  const { price, log, time } = openSource()
  expect(await price()).toBeUndefined()
  expect(await price()).toBeUndefined()
  expect(asked).toBe(1)
  time.now += 31_000
  expect(await price()).toBeUndefined()
  expect(asked).toBe(2)
  expect(log.lines).toHaveLength(1)
  expect(log.lines[0]).toMatch(reason)
  expect(log.lines[0]).not.toMatch(/canary|secret/)
  answer = (_request, response) => void response.end(JSON.stringify(document))
  time.now += 31_000
  expect(await price()).toBe('25.1')
})

test.each([
  ['http://prices.example/{day}', false],
  ['https://prices.example/{day}', true],
  ['https://prices.example/today', false],
  ['http://127.0.0.1:9/{day}', true],
  ['http://[::1]:9/{day}', true],
  ['http://127.0.0.1.example/{day}', false],
  ['ftp://127.0.0.1/{day}', false],
  ['file:///{day}', false],
])('%s as a price source: %s', (url, allowed) => {
  const chains = [{ evmChainId: 1, name: 'Mine', rpcUrl: 'http://127.0.0.1:9' }]
  expect(configFile.safeParse({ chains, prices: { url } }).success).toBe(allowed)
})
