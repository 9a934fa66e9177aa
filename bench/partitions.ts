import { addressChain } from './rows/address-rows.ts'
import { quantileFigures, quantilesOf, type Quantiles } from './support/latency.ts'
import {
  fillPartitionRows,
  headBlock,
  partitionCount,
  partitionRowsVersion,
  rareAddress,
  rareAddresses,
  rareKinds,
  rareRows,
  type RareKind,
} from './rows/partition-rows.ts'
import { say } from './support/paths.ts'
import { type BenchPostgres, withPostgres } from './support/postgres.ts'
import type { Figure, Report } from './support/report.ts'
import { syntheticChainConfig, withApi } from './support/service.ts'
import { nextPages, openTimer, type Timer } from './support/time-http.ts'

const servicePort = 18_863
const pageSize = 25
/** Requests of each kind: each address is asked for more than once, each time for another range of blocks. */
const samples = 360
const warming = 60
const limit = 10

const lists = ['transactions', 'transactions:listNative', 'transactions:listErc20'] as const
const pages = ['first page', 'second page'] as const

/** What was measured of each list, place and page. */
type Measured = ReadonlyMap<string, { readonly times: readonly number[]; readonly rows: string }>

/**
 * Measures the pages of addresses with few rows in a chain of many partitions, beside the same rows in one partition. Throws
 * if both answer differently.
 */
export async function runPartitionBench(): Promise<Report> {
  return withPostgres(async (postgres) => {
    const one = await measureStore(postgres, 1)
    const many = await measureStore(postgres, partitionCount)
    const figures: Figure[] = []
    for (const [name, { times, rows }] of many) {
      const anchor = one.get(name)
      if (anchor?.rows !== rows) throw new Error(`${name}: the stores have different rows`)
      const value: Quantiles = quantilesOf(anchor.times)
      figures.push(...quantileFigures(name, times, { name: 'one partition', value }, limit))
    }
    return {
      title: `Rare addresses: ${rareRows} transactions in a chain of ${partitionCount} partitions`,
      figures,
      notes: [
        `One request at a time over HTTP, ${samples} of each kind after ${warming}, over ${rareAddresses} addresses with ` +
          `${rareRows} transactions and as many ERC-20 transfers; pages of ${pageSize}, none of which was kept ready. The chain ` +
          `has ${headBlock.toLocaleString('en')} blocks of five other transactions, which fit memory. Anchors: the same pages of ` +
          'the same rows in a store with one partition, which are equal row by row.',
      ],
    }
  })
}

async function measureStore(postgres: BenchPostgres, partitions: number): Promise<Measured> {
  const databaseUrl = await postgres.filled(
    `partitions_${partitionRowsVersion}_${partitions}`,
    `${headBlock.toLocaleString('en')} blocks in ${partitions} partitions`,
    (sql) => fillPartitionRows(sql, partitions),
  )
  const config = { chains: [syntheticChainConfig(Number(addressChain))] }
  return withApi({ name: 'partitions', port: servicePort, databaseUrl, config }, async (service) => {
    const timer = openTimer(service.url)
    try {
      const measured = new Map<string, { times: number[]; rows: string }>()
      for (const kind of rareKinds)
        for (const list of lists)
          for (const page of pages) {
            const name = `${list}, ${kind}, ${page}`
            say(`${partitions === 1 ? 'one partition' : `${partitions} partitions`}: ${name} …`)
            measured.set(name, await measurePages(timer, list, kind, page))
          }
      return measured
    } finally {
      timer.close()
    }
  })
}

async function measurePages(
  timer: Timer,
  list: (typeof lists)[number],
  kind: RareKind,
  page: (typeof pages)[number],
): Promise<{ times: number[]; rows: string }> {
  // A first page is kept until the chain grows: each request has another range.
  const first = Array.from(
    { length: samples + warming },
    (_, at) =>
      `/v1/chains/${addressChain}/addresses/${rareAddress(kind, at % rareAddresses)}/${list}?pageSize=${pageSize}&endBlock=${headBlock + 1 + at}`,
  )
  const paths = page === 'first page' ? first : await nextPages(timer, first)
  // One page of each address, without the token, which is signed by the service.
  const rows: unknown[] = []
  for (const path of paths.slice(0, rareAddresses)) {
    const { nextPageToken: _, ...body } = JSON.parse(await timer.text(path)) as Record<string, unknown>
    const [found] = Object.values(body)
    if (!Array.isArray(found) || found.length !== pageSize) throw new Error(`${path}: no page of ${pageSize}`)
    rows.push(body)
  }
  await timer.time(paths.slice(0, warming))
  return { times: await timer.time(paths.slice(warming)), rows: JSON.stringify(rows) }
}
