import { describe, expect, test } from 'vitest'
import { priceFile, pricedAssets } from './prices.ts'

const day = 86_400
/** 2026-03-18 12:30 UTC. */
const now = 1_773_837_000
const assets = pricedAssets([
  { evmChainId: 43113, symbol: 'AVAX', tokens: { SUSD: '0xaa', RDG: '0xbb', FAKE: '0xcc' } },
  { evmChainId: 431_302, symbol: 'HBR', tokens: { HEUR: '0xdd' } },
])

type Book = { label: string; assets: { id: string; prices: Record<string, Record<string, string>> }[] }

function read(from: number, to: number, seed = 1): Book {
  return JSON.parse(priceFile(seed, assets, from, to)) as Book
}

describe('the price file', () => {
  const book = read(now - 90 * day, now)

  test('has the native tokens and the listed ones only', () => {
    expect(book.label).toBe('sample prices')
    expect(book.assets.map(({ id }) => id)).toEqual([
      'native:43113',
      'erc20:43113:0xaa',
      'erc20:43113:0xbb',
      'native:431302',
      'erc20:431302:0xdd',
    ])
  })

  test('has every day from the first of the history to three years ahead, in 14 currencies', () => {
    const wanted = 'aud cad chf clp cny czk dkk eur gbp hkd huf jpy nzd usd'
    for (const { prices } of book.assets) {
      const days = Object.keys(prices)
      expect(days).toHaveLength(90 + 3 * 365 + 1)
      expect([days[0], days.at(-1)]).toEqual(['2025-12-18', '2029-03-17'])
      for (const price of Object.values(prices)) {
        expect(Object.keys(price).sort().join(' ')).toBe(wanted)
        expect(Object.values(price).every((text) => /^(0|[1-9]\d*)(\.\d{1,18})?$/.test(text))).toBe(true)
        expect(Number(price['usd'])).toBeGreaterThan(0)
      }
    }
  })

  test('starts earlier for an older asset, with the same prices', () => {
    const [older, other] = pricedAssets([
      { evmChainId: 43113, symbol: 'AVAX', tokens: { SUSD: '0xaa' }, since: now - 1_000 * day },
    ])
    if (older === undefined || other === undefined) throw new Error('two assets have prices')
    const [first, second] = (JSON.parse(priceFile(1, [older, other], now - 90 * day, now)) as Book).assets
    expect(Object.keys(first?.prices ?? {})[0]).toBe('2023-06-22')
    expect(Object.keys(second?.prices ?? {})[0]).toBe('2025-12-18')
    expect(first?.prices['2025-12-18']).toEqual(book.assets[0]?.prices['2025-12-18'])
  })

  test('keeps a dollar near a dollar, and changes the others without jumps', () => {
    const dollars = (id: string): number[] =>
      Object.values(book.assets.find((asset) => asset.id === id)?.prices ?? {}).map(({ usd }) => Number(usd))
    const stable = dollars('erc20:43113:0xaa')
    expect(Math.min(...stable)).toBeGreaterThan(0.99)
    expect(Math.max(...stable)).toBeLessThan(1.01)
    const native = dollars('native:43113')
    expect(Math.max(...native) / Math.min(...native)).toBeGreaterThan(1.3)
    const steps = native.slice(1).map((price, index) => price / (native[index] ?? 0))
    expect(Math.max(...steps)).toBeLessThan(1.25)
    expect(Math.min(...steps)).toBeGreaterThan(0.8)
  })

  test('gives a day the same price whenever the file is written, and different prices with another seed', () => {
    const later = read(now - 10 * day, now + 400 * day)
    for (const [index, { prices }] of later.assets.entries()) {
      expect(prices['2026-03-18']).toEqual(book.assets[index]?.prices['2026-03-18'])
      expect(prices['2026-09-01']).toEqual(book.assets[index]?.prices['2026-09-01'])
    }
    expect(read(now, now, 2).assets[0]?.prices['2026-03-18']).not.toEqual(
      book.assets[0]?.prices['2026-03-18'],
    )
  })
})
