import { matchRoutes, type RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { pages, type PageName } from '../contract/pages.ts'
import { paths } from './lib/paths.ts'
import { routes } from './routes.tsx'

type Page = { path: string; load: (() => Promise<unknown>) | undefined }

/** Every path with what loads its module; a path that only redirects loads none. */
const flat = (list: readonly RouteObject[]): Page[] =>
  list.flatMap(({ path = '', children, handle }) =>
    children ? flat(children) : { path, load: (handle as Page | undefined)?.load },
  )

test('the routes are those that the service answers with the dashboard', () => {
  const named = [...Object.values(pages).map(({ path }) => path), '*']
  expect(
    flat(routes)
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(named.toSorted())
})

test('each page is drawn by the module that the service names for its path', async () => {
  const modules = import.meta.glob('./pages/**/*.tsx')
  const loads = new Map(flat(routes).map(({ path, load }) => [path, load]))
  for (const { path, module } of Object.values(pages))
    expect(await loads.get(path)?.(), path).toBe(await modules[`./pages/${module}`]?.())
})

test('each tab that the service names a module for is loaded from it by its page, and drawn', () => {
  const sources = import.meta.glob<string>('./pages/**/*.tsx', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  for (const { path, module, tabs = {} } of Object.values(pages))
    for (const tab of Object.values(tabs)) {
      const [, folder = '', name = ''] = /^(.*\/)([^/]+)$/.exec(tab.module) ?? []
      const page = sources[`./pages/${module}`] ?? ''
      expect(module.startsWith(folder), path).toBe(true)
      expect(sources, path).toHaveProperty([`./pages/${tab.module}`])
      expect(page, path).toMatch(
        new RegExp(`lazy\\(\\(\\) => import\\('./${name}'\\), '\\w+', { isDrawn: true }\\)`),
      )
    }
})

const hash = `0x${'1'.repeat(64)}`
const address = `0x${'2'.repeat(40)}`
const cb58 = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'
const wallet = 'fuji1ur873jhz9qnaqv5qthk5sn3e8nj3e0kmafyxut'
const uuid = '00000000-0000-4000-8000-000000000001'
const nodeId = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'

const every: Readonly<Record<PageName, string>> = {
  overview: paths.overview(),
  chains: paths.chains({ sort: 'name', filter: '' }),
  chain: paths.chain('43113'),
  metrics: paths.metrics('43113', { range: '30d' }),
  metric: paths.metric('43113', 'txCount'),
  hot: paths.hot('43113', { tab: 'tokens' }),
  blocks: paths.blocks('43113', { from: 1200 }),
  block: paths.block('43113', '12'),
  transactions: paths.transactions('43113', { before: undefined }),
  transaction: paths.transaction('43113', hash, { tab: 'logs' }),
  address: paths.address('43113', address),
  tokens: paths.tokens('43113', { kind: 'ERC-20' }),
  nfts: paths.nfts('43113'),
  token: paths.token('43113', address, { tab: 'holders' }),
  nft: paths.nft('43113', address, '12'),
  contracts: paths.contracts('43113'),
  search: paths.search({ q: 'a b&c' }),
  network: paths.network('fuji'),
  networkMetrics: paths.networkMetrics('fuji'),
  networkMetric: paths.networkMetric('fuji', 'totalStake'),
  primaryBlocks: paths.primaryBlocks('fuji', 'p-chain', { before: 1700000000 }),
  primaryBlock: paths.primaryBlock('fuji', 'x-chain', '12'),
  primaryTransactions: paths.primaryTransactions('fuji', 'p-chain', { types: 'BaseTx' }),
  primaryTransaction: paths.primaryTransaction('fuji', 'c-chain', cb58, { tab: 'raw' }),
  vertices: paths.vertices('fuji', { view: 'list' }),
  vertex: paths.vertex('fuji', cb58),
  subnets: paths.subnets('fuji'),
  subnet: paths.subnet('fuji', cb58),
  blockchains: paths.blockchains('fuji'),
  blockchain: paths.blockchain('fuji', cb58, { with: cb58 }),
  wallet: paths.wallet('fuji', wallet, { tab: 'utxos' }),
  validators: paths.validators('fuji', { status: 'pending' }),
  validator: paths.validator('fuji', nodeId),
  l1Validators: paths.l1Validators('fuji', { subnet: cb58 }),
  l1Validator: paths.l1Validator('fuji', cb58),
  watchList: paths.watchList(),
  fleets: paths.fleets({ create: 'yes' }),
  fleet: paths.fleet(uuid, { strip: undefined }),
  alarms: paths.alarms({ fleet: uuid }),
  rules: paths.rules(),
  rule: paths.rule('new', { kind: 'uptimeLow' }),
  channels: paths.channels(),
  signatures: paths.signatures({ network: 'fuji', tx: cb58 }),
  node: paths.node({ tab: 'rpc', method: 'eth_feeConfig' }),
  docs: paths.docs(),
  sql: paths.sql({ q: 'select 1' }),
  settings: paths.settings(),
}

test('paths stay what links out there have', () => {
  expect(every).toMatchInlineSnapshot(`
    {
      "address": "/chain/43113/address/0x2222222222222222222222222222222222222222",
      "alarms": "/alarms?fleet=00000000-0000-4000-8000-000000000001",
      "block": "/chain/43113/block/12",
      "blockchain": "/networks/fuji/blockchains/2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm?with=2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm",
      "blockchains": "/networks/fuji/blockchains",
      "blocks": "/chain/43113/blocks?from=1200",
      "chain": "/chain/43113",
      "chains": "/chains?sort=name",
      "channels": "/alarms/channels",
      "contracts": "/chain/43113/contracts",
      "docs": "/docs",
      "fleet": "/fleets/00000000-0000-4000-8000-000000000001",
      "fleets": "/fleets?create=yes",
      "hot": "/chain/43113/hot?tab=tokens",
      "l1Validator": "/networks/fuji/l1-validators/2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm",
      "l1Validators": "/networks/fuji/l1-validators?subnet=2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm",
      "metric": "/chain/43113/metrics/txCount",
      "metrics": "/chain/43113/metrics?range=30d",
      "network": "/networks/fuji",
      "networkMetric": "/networks/fuji/metrics/totalStake",
      "networkMetrics": "/networks/fuji/metrics",
      "nft": "/chain/43113/nft/0x2222222222222222222222222222222222222222/12",
      "nfts": "/chain/43113/nfts",
      "node": "/node?tab=rpc&method=eth_feeConfig",
      "overview": "/",
      "primaryBlock": "/networks/fuji/x-chain/block/12",
      "primaryBlocks": "/networks/fuji/p-chain/blocks?before=1700000000",
      "primaryTransaction": "/networks/fuji/c-chain/tx/2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm?tab=raw",
      "primaryTransactions": "/networks/fuji/p-chain/transactions?types=BaseTx",
      "rule": "/alarms/rules/new?kind=uptimeLow",
      "rules": "/alarms/rules",
      "search": "/search?q=a+b%26c",
      "settings": "/settings",
      "signatures": "/signatures?network=fuji&tx=2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm",
      "sql": "/sql?q=select+1",
      "subnet": "/networks/fuji/subnets/2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm",
      "subnets": "/networks/fuji/subnets",
      "token": "/chain/43113/token/0x2222222222222222222222222222222222222222?tab=holders",
      "tokens": "/chain/43113/tokens?kind=ERC-20",
      "transaction": "/chain/43113/tx/0x1111111111111111111111111111111111111111111111111111111111111111?tab=logs",
      "transactions": "/chain/43113/transactions",
      "validator": "/networks/fuji/validators/NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
      "validators": "/networks/fuji/validators?status=pending",
      "vertex": "/networks/fuji/vertices/2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm",
      "vertices": "/networks/fuji/vertices?view=list",
      "wallet": "/networks/fuji/addresses/fuji1ur873jhz9qnaqv5qthk5sn3e8nj3e0kmafyxut?tab=utxos",
      "watchList": "/watch-list",
    }
  `)
})

test('every path leads to its page', () => {
  for (const [name, path] of Object.entries(every)) {
    const last = matchRoutes(routes, path.split('?')[0] ?? '')?.at(-1)
    expect(last?.route.path, path).toBe(pages[name as PageName].path)
  }
})

test('every page of the test network’s alias leads to the same page of its name', async () => {
  const ofNetwork = Object.values(every).filter((path) => path.startsWith('/networks/fuji'))
  expect(ofNetwork.length).toBeGreaterThan(10)
  for (const path of ofNetwork) {
    const request = new Request(`http://ridgeline.test${path.replace('/fuji', '/testnet')}`)
    const matches = matchRoutes(routes, new URL(request.url).pathname) ?? []
    const answers = matches.map(({ route: { loader }, params }) =>
      typeof loader === 'function' ? loader({ request, params, context: {} } as never, {}) : null,
    )
    const sent = (await Promise.all(answers)).find((answer) => answer instanceof Response)
    expect(sent?.headers.get('Location'), path).toBe(`http://ridgeline.test${path}`)
  }
})
