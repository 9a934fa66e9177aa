import type { Database } from '../server/store/database.ts'
import { addressChain, blocksFor, busy, fillAddressRows, perBlock, rowsVersion } from './rows/address-rows.ts'
import { quantileFigures, quantilesOf, type Quantiles } from './support/latency.ts'
import { say } from './support/paths.ts'
import { type BenchPostgres, withDatabase, withPostgres } from './support/postgres.ts'
import type { Figure, Report } from './support/report.ts'
import { type Service, syntheticChainConfig, withApi } from './support/service.ts'
import { timeEach } from './support/time-each.ts'
import { nextPages, openTimer, type Timer } from './support/time-http.ts'

const servicePort = 18_850
const pageSize = 25
/** Position of a deep page, in rows of its list. Shorter lists are read in their middle. */
const deep = 1_000_000
const samples = 500
const warming = 100

/** Every list of an address by the last path segment, with its rows per block. */
const lists = [
  ['transactions', perBlock.native],
  ['transactions:listNative', perBlock.native],
  ['transactions:listErc20', perBlock['ERC-20']],
  ['transactions:listErc721', perBlock['ERC-721']],
  ['transactions:listErc1155', perBlock['ERC-1155']],
  ['transactions:listInternals', perBlock.internal],
] as const

/**
 * Measures the first and a deep page of every list of an address, in stores of several sizes: one request at
 * a time over HTTP, and as anchor a bare statement that reads as many rows of one index.
 */
export async function runAddressBench(sizes: readonly number[]): Promise<Report> {
  const figures: Figure[] = []
  await withPostgres(async (postgres) => {
    for (const size of sizes) figures.push(...(await measureSize(postgres, size)))
  })
  return {
    title: `Lists of one address: pages of ${pageSize}, ${sizes.map(nameOf).join(', ')} rows of it`,
    figures: [...figures, ...flatness(figures)],
    notes: [
      `One request at a time over HTTP, ${samples} of each kind; no answer was kept ready. Deep pages lie ` +
        `${deep.toLocaleString('en')} rows below the head, or halfway down shorter lists. There are a quarter as ` +
        'many ERC-721 and ERC-1155 transfers as there are rows of the other lists. Anchors: a bare statement ' +
        `that reads ${pageSize + 1} transactions of the address by one index, at the same heights.`,
    ],
  }
}

const nameOf = (size: number): string => `10^${Math.round(Math.log10(size))}`

async function measureSize(postgres: BenchPostgres, size: number): Promise<Figure[]> {
  const databaseUrl = await postgres.filled(
    `addresses_${rowsVersion}_${size}`,
    `lists of ${size.toLocaleString('en')} rows`,
    (sql) => fillAddressRows(sql, size),
  )
  const config = { chains: [syntheticChainConfig(Number(addressChain))] }
  return await withApi({ name: 'addresses', port: servicePort, databaseUrl, config }, (service) =>
    measureLists(service, databaseUrl, size),
  )
}

async function measureLists(service: Service, databaseUrl: string, size: number): Promise<Figure[]> {
  const timer = openTimer(service.url)
  try {
    // Warms up, because a service normally has compiled code and prepared statements.
    for (const [list, rows] of lists)
      await timer.time(await pathsOf(timer, list, heightsOf(size, 'deep', rows), 'first'))
    const figures: Figure[] = []
    for (const place of ['first', 'deep'] as const) {
      say(`${nameOf(size)}: ${place} pages …`)
      const anchor = await withDatabase(databaseUrl, (sql) =>
        bare(sql, heightsOf(size, place, perBlock.native)),
      )
      for (const [list, rows] of lists) {
        const paths = await pathsOf(timer, list, heightsOf(size, place, rows), place)
        await timer.time(paths.slice(0, warming))
        const times = await timer.time(paths.slice(warming))
        const name = `${nameOf(size)} ${list}, ${place}`
        figures.push(...quantileFigures(name, times, { name: 'bare rows', value: anchor }, 10))
      }
    }
    return figures
  } finally {
    timer.close()
  }
}

/** Different heights at which pages begin: above the head, or around the depth of a list. */
function heightsOf(size: number, place: 'first' | 'deep', rowsPerBlock: number): number[] {
  const head = blocksFor(size)
  const count = samples + warming
  if (place === 'first') return Array.from({ length: count }, (_, index) => head + 1 + index)
  const depth = Math.min(deep / rowsPerBlock, head / 2)
  const spread = Math.min(head / 8, 10_000)
  // In an order without neighbours, so that no page was just read.
  return Array.from({ length: count }, (_, index) =>
    Math.floor(head - depth + (((index * 0.618_033_988_75) % 1) - 0.5) * spread),
  )
}

/** The paths of pages that end below the given heights: first pages, or the second pages after them. */
async function pathsOf(
  timer: Timer,
  list: string,
  heights: readonly number[],
  place: 'first' | 'deep',
): Promise<string[]> {
  const first = heights.map(
    (height) =>
      `/v1/chains/${addressChain}/addresses/${busy}/${list}?pageSize=${pageSize}&endBlock=${height}`,
  )
  return place === 'first' ? first : nextPages(timer, first)
}

const bareStatement = `
  select * from transactions where chain = ${addressChain} and sender = decode('${busy.slice(2)}', 'hex') and number < $1
  order by number desc, index desc limit ${pageSize + 1}`

async function bare(sql: Database, heights: readonly number[]): Promise<Quantiles> {
  const reads = heights.map((height) => () => sql.unsafe(bareStatement, [height], { prepare: true }))
  await timeEach(reads.slice(0, warming))
  return quantilesOf(await timeEach(reads.slice(warming)))
}

/** The ratio of each list's p50 in the largest store to that in the smallest. */
function flatness(figures: readonly Figure[]): Figure[] {
  const half = figures.filter(({ name }) => name.endsWith(', p50'))
  const listOf = ({ name }: Figure): string => name.slice(name.indexOf(' ') + 1)
  const perSize = half.findIndex(
    (figure, index) => index > 0 && half[0] && listOf(figure) === listOf(half[0]),
  )
  if (perSize < 0) return []
  return half.slice(-perSize).map((largest, index) => {
    const smallest = half[index]?.value ?? Number.NaN
    return { ...largest, anchor: { name: half[index]?.name.split(' ')[0] ?? '', value: smallest } }
  })
}
