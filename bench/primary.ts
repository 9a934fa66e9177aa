import { addressText, nodeIdText } from '../protocol/ids/text.ts'
import { load } from './support/load-http.ts'
import { say } from './support/paths.ts'
import { type BenchPostgres, schemaVersion, startBenchPostgres, withDatabase } from './support/postgres.ts'
import {
  fillPrimaryRows,
  hoarded,
  hoarder,
  nodeNumbered,
  primaryHeights,
  primaryRowsVersion,
  running,
  timeOf,
} from './support/primary-rows.ts'
import { type Figure, quantile, type Report } from './support/report.ts'
import { type Service, startService } from './support/service.ts'

const servicePort = 18_850
/** Times that a bare statement is run. */
const bareRuns = 30

/** Balances and UTXOs of an address with very many, and validators by every sort, one request at a time. */
export async function runPrimaryBench(): Promise<Report> {
  const postgres = await startBenchPostgres()
  try {
    const databaseUrl = postgres.urlOf(await fill(postgres))
    const service = await startService({
      name: 'primary',
      role: 'api',
      port: servicePort,
      databaseUrl,
      config: {
        networks: [
          { id: 'fuji', name: 'Synthetic', networkId: 5, prefix: 'fuji', nodeUrl: 'http://127.0.0.1:9' },
        ],
        chains: [{ evmChainId: 43_113, name: 'Synthetic', rpcUrl: 'http://127.0.0.1:9' }],
        limits: { requestsPerMinute: 1_000_000_000 },
      },
    })
    try {
      const count = (value: number): string => value.toLocaleString('en')
      return {
        title:
          `Primary network: ${count(hoarded)} UTXOs of one address, ${count(running.validators)} validators, ` +
          `${count(running.delegators)} delegations`,
        figures: [
          ...(await measureWallet(service, databaseUrl)),
          ...(await measureValidators(service, databaseUrl)),
        ],
        notes: [
          'Anchors: of the wallet, all its keys counted in one range of the index; of validators, their rows read ' +
            'through their index; both by a bare statement on one connection. One request at a time.',
        ],
      }
    } finally {
      await service.stop()
    }
  } finally {
    await postgres.stop()
  }
}

async function fill(postgres: BenchPostgres): Promise<string> {
  const database = `primary_${primaryRowsVersion}_${schemaVersion()}`
  if (await postgres.has(database)) return database
  say('generating UTXOs and validators, once …')
  await postgres.create('unfinished')
  await withDatabase(postgres.urlOf('unfinished'), fillPrimaryRows)
  await postgres.rename('unfinished', database)
  return database
}

type Anchor = NonNullable<Figure['anchor']>

/** The median time of a statement in milliseconds. */
async function bare(databaseUrl: string, name: string, statement: string): Promise<Anchor> {
  const times: number[] = []
  await withDatabase(databaseUrl, async (sql) => {
    for (let run = 0; run < bareRuns; run += 1) {
      const started = performance.now()
      await sql.unsafe(statement, [], { prepare: true })
      times.push(performance.now() - started)
    }
  })
  return { name, value: quantile(times, 0.5) }
}

/** p50 and p99 of some paths, asked for one after the other. */
async function measure(
  service: Service,
  name: string,
  paths: readonly string[],
  anchor: Anchor,
  limit?: number,
): Promise<Figure[]> {
  say(`${name} …`)
  const { p50, p99 } = await load(service.url, paths, { connections: 1, seconds: 4 })
  return [
    { name: `${name}, p50`, value: p50, unit: 'ms', anchor },
    {
      name: `${name}, p99`,
      value: p99,
      unit: 'ms',
      anchor,
      ...(limit !== undefined && { budget: { of: 'value', bound: 'at most', limit } }),
    },
  ]
}

const network = '/v1/networks/fuji'

async function measureWallet(service: Service, databaseUrl: string): Promise<Figure[]> {
  const address = addressText(hoarder(), 'fuji')
  const pChain = `${network}/blockchains/p-chain`
  const keys = await bare(
    databaseUrl,
    'all keys',
    `select count(*) from utxos where owner = '\\x${hoarder().toString('hex')}' and home = 11`,
  )
  const past = Array.from(
    { length: 40 },
    (_, index) => `${pChain}/balances?addresses=${address}&blockTimestamp=${timeOf(20_000 + index * 4_000)}`,
  )
  const list = `${pChain}/utxos?addresses=${address}&includeSpent=true&pageSize=100`
  const deep = await walk(service, list, 40)
  return [
    ...(await measure(service, 'balances at past times', past, keys, 100)),
    ...(await measure(service, 'balances now', [`${pChain}/balances?addresses=${address}`], keys, 100)),
    ...(await measure(service, 'UTXOs, any page of 100', deep, keys)),
    ...(await measure(service, 'unlocks', [`${network}/unlocks?addresses=${address}&pageSize=500`], keys)),
  ]
}

async function measureValidators(service: Service, databaseUrl: string): Promise<Figure[]> {
  const rows = await bare(
    databaseUrl,
    'rows of all',
    `select tx_id, node, weight, delegated, end_ts from stakers
     where chain = 11 and is_delegator = false and ended_ts is null order by end_ts`,
  )
  const page = `${network}/validators?pageSize=100`
  const any = (name: string, paths: readonly string[], limit?: number): Promise<Figure[]> =>
    measure(service, name, paths, rows, limit)
  const figures: Figure[] = []
  for (const key of [
    'blockIndex',
    'delegationCapacity',
    'timeRemaining',
    'delegationFee',
    'uptimePerformance',
  ]) {
    const list = `${page}&validationStatus=active&sortBy=${key}`
    figures.push(...(await any(`active validators by ${key}`, await walk(service, list, 10), 30)))
  }
  const node = nodeIdText(nodeNumbered(17))
  return [
    ...figures,
    ...(await any('validators, every status', await walk(service, page, 20), 30)),
    ...(await any('validations of one node', [`${network}/validators/${node}`], 30)),
    ...(await any('delegators of one node', [`${network}/delegators?nodeIds=${node}&pageSize=100`], 30)),
    ...(await any('delegators', await walk(service, `${network}/delegators?pageSize=100`, 20), 30)),
    ...(await any('stop safety of the primary network', [
      `${network}/subnets/11111111111111111111111111111111LpoYY/stopSafety`,
    ])),
    ...(await any(`blocks, any page of ${primaryHeights.toLocaleString('en')}`, [
      ...(await walk(service, `${network}/blockchains/p-chain/blocks?pageSize=100`, 20)),
      `${network}/blockchains/p-chain/blocks?pageSize=100&endTimestamp=${timeOf(primaryHeights / 2)}`,
    ])),
  ]
}

/** The paths of a walk's first pages. */
async function walk(service: Service, path: string, most: number): Promise<string[]> {
  const paths: string[] = []
  for (let next: string | undefined = path; next !== undefined && paths.length < most;) {
    paths.push(next)
    const response = await fetch(service.url + next)
    const text = await response.text()
    if (!response.ok) throw new Error(`${next}: ${response.status} ${text.slice(0, 200)}`)
    const { nextPageToken } = JSON.parse(text) as { nextPageToken?: string }
    next = nextPageToken === undefined ? undefined : `${path}&pageToken=${nextPageToken}`
  }
  return paths
}
