import { type Anchor, bareStatement, latencyFigures, measureLatency, pagesOf } from './support/latency.ts'
import { withDatabase } from './support/postgres.ts'
import type { Figure, Report } from './support/report.ts'
import { type Service, syntheticChainConfig, withRows } from './support/service.ts'
import {
  collected,
  fillTokenRows,
  heights,
  holderCount,
  readNames,
  rowsVersion,
  timeAt,
  tokenChain,
} from './rows/token-rows.ts'
import { readBands } from '../server/store/tokens/read-holder.ts'
import { timeEach } from './support/time-each.ts'

const servicePort = 18_840

/**
 * Measures balances of addresses with a long history, and the holders of a token with a million holders, one
 * request at a time.
 */
export async function runTokenBench(): Promise<Report> {
  const config = { chains: [syntheticChainConfig(Number(tokenChain))] }
  return withRows(
    { name: 'tokens', port: servicePort, config },
    [`tokens_${rowsVersion}`, 'balances and holders', fillTokenRows],
    async (service, databaseUrl) => ({
      title: `Balances and holders: ${collected.toLocaleString('en')} tokens, ${holderCount.toLocaleString('en')} holders`,
      figures: [
        ...(await measureBalances(service, databaseUrl)),
        ...(await measureHolders(service, databaseUrl)),
        ...(await measureTokens(service, databaseUrl)),
      ],
      notes: [
        'Anchors: the same number of rows read in one range of the primary key, by a bare statement on one ' +
          'connection. One request at a time; no node answers, so that no native balance is waited for.',
      ],
    }),
  )
}

async function measureBalances(service: Service, databaseUrl: string): Promise<Figure[]> {
  const { collector, trader } = await withDatabase(databaseUrl, readNames)
  const list = (address: string, height: number): string =>
    `/v1/chains/${tokenChain}/addresses/${address}/balances:listErc20?pageSize=500&blockNumber=${height}`
  const rows = await bareStatement(
    databaseUrl,
    'bare rows',
    `select token, balance from balances
     where chain = ${tokenChain} and address = '\\${collector.slice(1)}' and kind = 20
     order by token, token_id, number limit 501`,
  )
  const past = Array.from({ length: 40 }, (_, index) => list(collector, 400_000 + index * 10_000))
  const pages = await pagesOf(service, list(collector, heights / 2))
  return [
    ...(await measureLatency(service, '500 of 5,000 balances at past blocks', past, rows, 50)),
    ...(await measureLatency(service, 'any page of them at one past block', pages, rows, 50)),
    ...(await measureLatency(
      service,
      'balances behind 10^6 changes of one token',
      [list(trader, heights / 2)],
      rows,
      50,
    )),
  ]
}

async function measureHolders(service: Service, databaseUrl: string): Promise<Figure[]> {
  const { crowd } = await withDatabase(databaseUrl, readNames)
  const list = (query: string): string => `/v2/chains/${tokenChain}/contracts/${crowd}/balances?${query}`
  const bareHolders = (count: number): Promise<Anchor> =>
    bareStatement(
      databaseUrl,
      'bare rows',
      `select address, balance from holders
       where chain = ${tokenChain} and token = '\\${crowd.slice(1)}' and kind = 20 order by address limit ${count + 1}`,
    )
  const [page, largest] = [await bareHolders(1_000), await bareHolders(5_000)]
  // The n-th holder had at most 10^12 / n, so the threshold determines how many ever exceeded it.
  const passed = (count: number): string => `threshold=${Math.floor(10 ** 12 / count)}`
  const middle = `startTimestamp=${timeAt(450_000)}&endTimestamp=${timeAt(550_000)}`
  const late = `startTimestamp=${timeAt(999_999)}`
  // The n-th holder had most in block n + 1: the window contains the peaks of the 10^5 largest holders, with
  // no carried balances.
  const peaks = `startTimestamp=${timeAt(0)}&endTimestamp=${timeAt(100_050)}`
  const deep = await pagesOf(service, list(`${passed(holderCount)}&pageSize=5000`), 60)
  const first = async (name: string, query: string, anchor = page): Promise<Figure[]> =>
    measureLatency(service, `holders, ${name}`, [list(query)], anchor, 300)
  return [
    ...(await first('first page of 10^6', passed(holderCount))),
    ...(await first('first page of 10^5', passed(holderCount / 10))),
    ...(await first('first page of 20,000', passed(20_000))),
    ...(await first('first page of 1,000', passed(1_000))),
    ...(await first('first page of 10^6 in a window', `${passed(holderCount)}&${middle}`)),
    ...(await first('first page of 1,000 in a window', `${passed(1_000)}&${middle}`)),
    ...(await first('10^5 ever, few in the window', `${passed(holderCount / 10)}&${late}`)),
    ...(await first('10^5 with their peak in the window', `${passed(holderCount / 10)}&${peaks}`)),
    ...(await first('5,000 of 10^6', `${passed(holderCount)}&pageSize=5000`, largest)),
    ...(await first('5,000 of 10^6 in a window', `${passed(holderCount)}&${middle}&pageSize=5000`, largest)),
    ...(await measureLatency(service, 'holders, any page of 5,000', deep.slice(1), largest, 300)),
  ]
}

async function measureTokens(service: Service, databaseUrl: string): Promise<Figure[]> {
  const { crowd, gallery } = await withDatabase(databaseUrl, readNames)
  const chain = `/v1/chains/${tokenChain}`
  const [token, nfts] = [`${chain}/tokens/${crowd}`, `${chain}/nfts/collections/${gallery}/tokens`]
  const transfers = (query: string): string => `${token}/transfers?pageSize=100${query}`
  const rows = await bareStatement(
    databaseUrl,
    'bare rows',
    `select number, index, topic1, topic2, data from logs
     where chain = ${tokenChain} and number <= ${heights / 2} order by number desc, index desc limit 101`,
  )
  const deep = Array.from({ length: 40 }, (_, index) => transfers(`&endBlock=${20_000 * (index + 5)}`))
  const history = Array.from(
    { length: 40 },
    (_, index) => `${chain}/tokens/${gallery}/transfers?tokenId=${1 + index * 2_000}`,
  )
  const any = (name: string, paths: readonly string[], limit?: number): Promise<Figure[]> =>
    measureLatency(service, name, paths, rows, limit)
  return [
    ...(await any('transfers of a token, any depth of 10^6', deep, 10)),
    ...(await any('transfers of one NFT', history)),
    ...(await any('NFTs of a collection', await pagesOf(service, `${nfts}?pageSize=100`, 40))),
    ...(await any('one NFT', [`${nfts}/77`])),
    ...(await any('largest holders now', [`${token}/holders?pageSize=25`])),
    ...latencyFigures(
      'distribution of 10^6 holders, the statement',
      await measureBands(databaseUrl, crowd),
      rows,
    ),
    ...(await any('history of a token by day', [`${token}/history?pageSize=2160`])),
  ]
}

/** The service caches this answer until the head moves, so only the statement can be measured repeatedly. */
async function measureBands(databaseUrl: string, token: string): Promise<number[]> {
  const asked = { chain: tokenChain, token: Buffer.from(token.slice(2), 'hex'), kind: 20 } as const
  return withDatabase(databaseUrl, (sql) =>
    timeEach(Array.from({ length: 20 }, () => () => readBands(sql, asked))),
  )
}
