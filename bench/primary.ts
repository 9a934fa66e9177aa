import { addressText, nodeIdText } from '../protocol/ids/text.ts'
import { bareStatement, measureLatency, pagesOf } from './support/latency.ts'
import {
  fillPrimaryRows,
  largeHolderOutputs,
  largeHolder,
  nodeNumbered,
  primaryHeights,
  primaryRowsVersion,
  running,
  timeOf,
} from './rows/primary-rows.ts'
import type { Figure, Report } from './support/report.ts'
import { type Service, syntheticChainConfig, withRows } from './support/service.ts'

const servicePort = 18_850
/**
 * Measures balances and UTXOs of an address with very many, and validators in every order, one request at a
 * time.
 */
export async function runPrimaryBench(): Promise<Report> {
  const config = {
    networks: [
      { id: 'fuji', name: 'Synthetic', networkId: 5, prefix: 'fuji', nodeUrl: 'http://127.0.0.1:9' },
    ],
    chains: [syntheticChainConfig(43_113)],
  }
  const count = (value: number): string => value.toLocaleString('en')
  return withRows(
    { name: 'primary', port: servicePort, config },
    [`primary_${primaryRowsVersion}`, 'UTXOs and validators', fillPrimaryRows],
    async (service, databaseUrl) => ({
      title:
        `Primary network: ${count(largeHolderOutputs)} UTXOs of one address, ${count(running.validators)} validators, ` +
        `${count(running.delegators)} delegations`,
      figures: [
        ...(await measureWallet(service, databaseUrl)),
        ...(await measureValidators(service, databaseUrl)),
      ],
      notes: [
        'Anchors: of the wallet, all its keys counted in one range of the index; of validators, their rows read ' +
          'through their index; both by a bare statement on one connection. One request at a time.',
      ],
    }),
  )
}

const network = '/v1/networks/fuji'

async function measureWallet(service: Service, databaseUrl: string): Promise<Figure[]> {
  const address = addressText(largeHolder(), 'fuji')
  const pChain = `${network}/blockchains/p-chain`
  const keys = await bareStatement(
    databaseUrl,
    'all keys',
    `select count(*) from utxos where owner = '\\x${largeHolder().toString('hex')}' and home = 11`,
  )
  const past = Array.from(
    { length: 40 },
    (_, index) => `${pChain}/balances?addresses=${address}&blockTimestamp=${timeOf(20_000 + index * 4_000)}`,
  )
  const list = `${pChain}/utxos?addresses=${address}&includeSpent=true&pageSize=100`
  const deep = await pagesOf(service, list, 40)
  return [
    ...(await measureLatency(service, 'balances at past times', past, keys, 100)),
    ...(await measureLatency(
      service,
      'balances now',
      [`${pChain}/balances?addresses=${address}`],
      keys,
      100,
    )),
    ...(await measureLatency(service, 'UTXOs, any page of 100', deep, keys)),
    ...(await measureLatency(
      service,
      'unlocks',
      [`${network}/unlocks?addresses=${address}&pageSize=500`],
      keys,
    )),
  ]
}

async function measureValidators(service: Service, databaseUrl: string): Promise<Figure[]> {
  const rows = await bareStatement(
    databaseUrl,
    'rows of all',
    `select tx_id, node, weight, delegated, end_ts from stakers
     where chain = 11 and is_delegator = false and ended_ts is null order by end_ts`,
  )
  const page = `${network}/validators?pageSize=100`
  const any = (name: string, paths: readonly string[], limit?: number): Promise<Figure[]> =>
    measureLatency(service, name, paths, rows, limit)
  const figures: Figure[] = []
  for (const key of [
    'blockIndex',
    'delegationCapacity',
    'timeRemaining',
    'delegationFee',
    'uptimePerformance',
  ]) {
    const list = `${page}&validationStatus=active&sortBy=${key}`
    figures.push(...(await any(`active validators by ${key}`, await pagesOf(service, list, 10), 30)))
  }
  const node = nodeIdText(nodeNumbered(17))
  return [
    ...figures,
    ...(await any('validators, every status', await pagesOf(service, page, 20), 30)),
    ...(await any('validations of one node', [`${network}/validators/${node}`], 30)),
    ...(await any('delegators of one node', [`${network}/delegators?nodeIds=${node}&pageSize=100`], 30)),
    ...(await any('delegators', await pagesOf(service, `${network}/delegators?pageSize=100`, 20), 30)),
    ...(await any('stop safety of the primary network', [
      `${network}/subnets/11111111111111111111111111111111LpoYY/stopSafety`,
    ])),
    ...(await any(`blocks, any page of ${primaryHeights.toLocaleString('en')}`, [
      ...(await pagesOf(service, `${network}/blockchains/p-chain/blocks?pageSize=100`, 20)),
      `${network}/blockchains/p-chain/blocks?pageSize=100&endTimestamp=${timeOf(primaryHeights / 2)}`,
    ])),
  ]
}
