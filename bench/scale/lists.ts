import { operations } from '../../contract/operations.ts'
import type { Database } from '../../server/store/database.ts'
import { pagesOf, quantileFigures, quantilesOf, type Quantiles } from '../support/latency.ts'
import { say } from '../support/paths.ts'
import { withDatabase } from '../support/postgres.ts'
import type { Figure } from '../support/report.ts'
import { addressAt, scaleChain, transactionsUpTo } from './rows.ts'
import type { Service } from '../support/service.ts'
import { timeEach } from '../support/time-each.ts'
import { openTimer, type Timer } from '../support/time-http.ts'

const pageSize = 25
const samples = 150
const warming = 10
/** Pages that are walked to be deep in a list that has no heights. */
const walked = 80

/** Budgets of p99 in milliseconds, as for the same lists in smaller stores: bench/http.ts, addresses.ts, tokens.ts. */
const limits = { chain: 20, address: 10, balances: 50, token: 20 } as const

/** The lists of an EVM chain: what stands for the braces of the path, and by which budget. */
type List = {
  readonly of: keyof typeof limits
  /** What the list belongs to. */
  readonly subject?: 'person' | 'coin' | 'art' | 'block'
  /** Whether a page may begin at a height, so that deep pages are anywhere in the chain. */
  readonly byHeight?: boolean
  readonly queries?: readonly string[]
}

const lists: Readonly<Record<string, List>> = {
  listBlocks: { of: 'chain', byHeight: true },
  listTransactions: { of: 'chain', byHeight: true },
  listBlockTransactions: { of: 'chain', subject: 'block' },
  listDeployments: { of: 'chain' },
  listTokens: { of: 'token', queries: ['', '&sortBy=holderCount', '&sortBy=lastDayTransferCount'] },
  listAddressTransactions: { of: 'address', subject: 'person', byHeight: true },
  listNativeTransactions: { of: 'address', subject: 'person', byHeight: true },
  listErc20Transfers: { of: 'address', subject: 'person', byHeight: true },
  listErc721Transfers: { of: 'address', subject: 'person', byHeight: true },
  listErc1155Transfers: { of: 'address', subject: 'person', byHeight: true },
  listInternalTransactions: { of: 'address', subject: 'person', byHeight: true },
  listContractDeployments: { of: 'address', subject: 'person' },
  listErc20Balances: { of: 'balances', subject: 'person' },
  listErc721Balances: { of: 'balances', subject: 'person' },
  listErc1155Balances: { of: 'balances', subject: 'person' },
  listCollectibleBalances: { of: 'balances', subject: 'person' },
  listTokenTransfers: { of: 'token', subject: 'coin', byHeight: true },
  listTokenHolders: { of: 'token', subject: 'coin' },
  listTokenHistory: { of: 'token', subject: 'coin' },
  listCollectionTokens: { of: 'token', subject: 'art' },
}

type Place = { readonly name: string; readonly paths: readonly string[] }

/**
 * The latency of every list of the chain, one request at a time: of frequent and of rare addresses and tokens, the newest
 * pages and deep ones. Throws if the contract has a list of an EVM chain that is not measured.
 */
export async function measureScaleLists(
  service: Service,
  databaseUrl: string,
  head: number,
): Promise<Figure[]> {
  const timer = openTimer(service.url)
  try {
    const anchors = {
      hot: { name: 'bare rows', value: await bareRows(databaseUrl, 'hot', head) },
      rare: { name: 'bare rows, rare', value: await bareRows(databaseUrl, 'rare', head) },
    }
    const figures: Figure[] = []
    for (const { id, path } of listOperations()) {
      const list = lists[id]
      if (!list) throw new Error(`the list ${id} is not measured`)
      for (const query of list.queries ?? ['']) {
        for (const { name, paths } of await placesOf(timer, service, { path, query, list, head })) {
          const title = [id, query.slice(1), name].filter((part) => part !== '').join(', ')
          say(`${title} …`)
          await timer.time(paths.slice(0, warming))
          const asked = Array.from({ length: samples }, (_, at) => paths[at % paths.length] ?? '')
          const anchor = name.startsWith('rare') ? anchors.rare : anchors.hot
          figures.push(...quantileFigures(title, await timer.time(asked), anchor, limits[list.of]))
        }
      }
    }
    return figures
  } finally {
    timer.close()
  }
}

/** Every operation of the contract that pages through something of an EVM chain. */
const listOperations = () =>
  operations.filter(
    ({ path, query }) => path.startsWith('/v1/chains/{chainId}/') && 'pageToken' in query.def.shape,
  )

/** Numbers spread over [0, 1) in an order without neighbours, so that no page was just read. */
const spread = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => ((at + 1) * 0.618_033_988_75) % 1)

/** The first ids, which are in percents of all rows, or those that appear two or three times. */
function subjects(subject: 'person' | 'coin' | 'art', kind: 'hot' | 'rare', head: number): string[] {
  if (kind === 'hot') return [0, 1, 2].map((id) => addressAt(subject, id))
  const each = { person: 5, coin: 500, art: 2_000 }[subject]
  const ids = transactionsUpTo(head) / each
  return spread(samples).map((share) => addressAt(subject, Math.floor(ids * (0.3 + 0.6 * share))))
}

type Asked = { readonly path: string; readonly query: string; readonly list: List; readonly head: number }

/** The pages of a list that are measured. */
async function placesOf(
  timer: Timer,
  service: Service,
  { path, query, list, head }: Asked,
): Promise<Place[]> {
  const at = (subject: string) =>
    `${path.replace('{chainId}', `${scaleChain}`).replace(/\{(address|blockId)\}/, subject)}?pageSize=${pageSize}${query}`
  if (list.subject === 'block')
    return [{ name: '', paths: spread(samples).map((share) => at(`${1 + Math.floor(share * head)}`)) }]
  if (list.subject === undefined) return placesOfOne('', at(''))
  const rare = subjects(list.subject, 'rare', head).map(at)
  const [first = '', ...others] = subjects(list.subject, 'hot', head).map(at)
  return [...(await placesOfOne('hot', first, others)), { name: 'rare', paths: rare }]

  async function placesOfOne(name: string, one: string, more: readonly string[] = []): Promise<Place[]> {
    const named = (place: string) => [name, place].filter((part) => part !== '').join(', ')
    const newest = { name: named('newest'), paths: [one, ...more] }
    if (!list.byHeight) {
      const pages = (await pagesOf(service, one, walked)).slice(1)
      return pages.length === 0 ? [newest] : [newest, { name: named('deep'), paths: pages }]
    }
    const paths: string[] = []
    for (const share of spread(samples)) {
      const from = `${one}&endBlock=${Math.floor(head * (0.02 + 0.96 * share))}`
      const { nextPageToken } = JSON.parse(await timer.text(from)) as { nextPageToken?: string }
      if (nextPageToken !== undefined) paths.push(`${from}&pageToken=${encodeURIComponent(nextPageToken)}`)
    }
    return paths.length === 0 ? [newest] : [newest, { name: named('deep'), paths }]
  }
}

/** A bare statement that reads as many transactions of an address by one index, at any height. */
async function bareRows(databaseUrl: string, kind: 'hot' | 'rare', head: number): Promise<Quantiles> {
  const people = subjects('person', kind, head)
  return withDatabase(databaseUrl, async (sql) => {
    const reads = spread(samples).map(
      (share, at) => () => bareRead(sql, people[at % people.length] ?? '', Math.floor(head * share)),
    )
    await timeEach(reads.slice(0, warming))
    return quantilesOf(await timeEach(reads))
  })
}

const bareRead = (sql: Database, person: string, below: number) =>
  sql`
    select * from transactions
    where chain = ${scaleChain} and sender = ${Buffer.from(person.slice(2), 'hex')} and number < ${below}
    order by number desc, index desc limit ${pageSize + 1}`
