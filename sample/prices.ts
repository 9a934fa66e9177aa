import { renameSync, writeFileSync } from 'node:fs'
import { randomOf } from './kernel/random.ts'

const daySeconds = 86_400
/** The number of days with prices after now, so that a long-running network has prices. */
const daysAhead = 3 * 365

/** The approximate value of one US dollar in each supported currency, and its variation. */
const currencies = {
  usd: { rate: 1, swing: 0 },
  eur: { rate: 0.92, swing: 0.04 },
  aud: { rate: 1.52, swing: 0.05 },
  cad: { rate: 1.37, swing: 0.03 },
  chf: { rate: 0.88, swing: 0.04 },
  clp: { rate: 945, swing: 0.06 },
  cny: { rate: 7.2, swing: 0.02 },
  czk: { rate: 23.1, swing: 0.04 },
  dkk: { rate: 6.86, swing: 0.04 },
  gbp: { rate: 0.78, swing: 0.04 },
  hkd: { rate: 7.8, swing: 0.003 },
  huf: { rate: 362, swing: 0.06 },
  jpy: { rate: 151, swing: 0.07 },
  nzd: { rate: 1.66, swing: 0.05 },
} as const

/** An asset with prices: its approximate value in US dollars, and its variation. */
type PricedAsset = {
  /** `native:<chain id>` or `erc20:<chain id>:<address>`. */
  readonly id: string
  /** The name, which together with the seed determines the price: it does not change with the address. */
  readonly name: string
  readonly dollars: number
  /** 0.1: most days are within 10 % of the mean. */
  readonly swing: number
  /** The start of its prices in Unix seconds, if earlier than that of the others. */
  readonly since?: number
}

/** The tokens of the plans with a price; imitations of them have none. */
const pricedTokens: Readonly<Record<string, { readonly dollars: number; readonly swing: number }>> = {
  SUSD: { dollars: 1, swing: 0.002 },
  RDG: { dollars: 3.4, swing: 0.35 },
  CRN: { dollars: 0.082, swing: 0.5 },
  GOLD: { dollars: 0.46, swing: 0.3 },
  HUSD: { dollars: 1, swing: 0.001 },
  HEUR: { dollars: 1.09, swing: 0.03 },
}

/** US dollars of the native tokens, by symbol. */
const pricedNatives: typeof pricedTokens = {
  AVAX: { dollars: 31, swing: 0.3 },
  MRD: { dollars: 1.85, swing: 0.4 },
  HBR: { dollars: 12.4, swing: 0.12 },
}

/** A smooth random walk around 1 that can be computed for any day on its own. */
function walk(seed: number, name: string, swing: number): (day: number) => number {
  const random = randomOf(seed, 'price', name)
  const waves = [311, 97, 41, 13, 5].map((days, index) => ({
    days: days * (0.8 + 0.4 * random.next()),
    phase: 2 * Math.PI * random.next(),
    height: 1 / (index + 1),
  }))
  return (day) => {
    const sum = waves.reduce(
      (total, { days, phase, height }) => total + height * Math.sin((2 * Math.PI * day) / days + phase),
      0,
    )
    const noise = randomOf(seed, 'price', name, day).next() - 0.5
    return Math.exp((swing * (sum + 0.15 * noise)) / 2)
  }
}

/** Six significant digits, without an exponent. */
function decimal(value: number): string {
  const places = Math.min(18, Math.max(2, 5 - Math.floor(Math.log10(value))))
  return value.toFixed(places).replace(/\.?0+$/, '')
}

/**
 * The price file: `{label, assets: [{id, prices: {<UTC day>: {<currency>: <decimal string>}}}]}`, a price a day in the
 * 14 currencies from the day of `from` (or an asset's own first day) to three years after that of `to` (Unix seconds).
 */
export function priceFile(seed: number, assets: readonly PricedAsset[], from: number, to: number): string {
  const dayOf = (time: number): number => Math.floor(time / daySeconds)
  const first = Math.min(...[from, ...assets.map(({ since }) => since ?? from)].map(dayOf))
  const last = dayOf(to) + daysAhead
  const rates = Object.entries(currencies).map(([code, { rate, swing }]) => {
    const at = walk(seed, `currency ${code}`, swing)
    return [code, (day: number): number => rate * at(day)] as const
  })
  const days = Array.from({ length: last - first + 1 }, (_, index) => {
    const day = first + index
    const date = new Date(day * daySeconds * 1000).toISOString().slice(0, 10)
    return { day, date, rates: rates.map(([code, at]) => [code, at(day)] as const) }
  })
  const listed = assets.map(({ id, name, dollars, swing, since }) => {
    const at = walk(seed, name, swing)
    const prices = Object.fromEntries(
      days.slice(dayOf(since ?? from) - first).map(({ day, date, rates: ofDay }) => {
        const price = dollars * at(day)
        return [date, Object.fromEntries(ofDay.map(([code, rate]) => [code, decimal(price * rate)]))]
      }),
    )
    return { id, prices }
  })
  return JSON.stringify({ label: 'sample prices', assets: listed })
}

/** Writes the price file atomically. */
export function writePriceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

/** The assets with prices: native tokens and tokens of the chains, with their addresses by symbol. */
export function pricedAssets(
  chains: readonly {
    readonly evmChainId: number
    readonly symbol: string
    readonly tokens: Readonly<Record<string, string>>
    /** The first use of its native token in Unix seconds, if that was on another chain. */
    readonly since?: number
  }[],
): PricedAsset[] {
  return chains.flatMap(({ evmChainId, symbol, tokens, since }) => {
    const native = pricedNatives[symbol]
    const own =
      native === undefined
        ? []
        : [
            {
              id: `native:${evmChainId}`,
              name: symbol,
              ...native,
              ...(since === undefined ? {} : { since }),
            },
          ]
    const listed = Object.entries(tokens).flatMap(([name, address]) => {
      const priced = pricedTokens[name]
      return priced === undefined ? [] : [{ id: `erc20:${evmChainId}:${address}`, name, ...priced }]
    })
    return [...own, ...listed]
  })
}
