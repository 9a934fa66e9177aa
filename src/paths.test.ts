import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'
import { paths } from './paths.ts'
import { routes } from './routes.tsx'

const hash = `0x${'1'.repeat(64)}`
const address = `0x${'2'.repeat(40)}`

const every = {
  overview: paths.overview(),
  chains: paths.chains({ sort: 'name', filter: '' }),
  chain: paths.chain('43113'),
  chainConfig: paths.chainConfig('43113'),
  metrics: paths.metrics('43113', { range: '30d' }),
  metric: paths.metric('43113', 'txCount'),
  blocks: paths.blocks('43113', { from: 1200 }),
  block: paths.block('43113', '12'),
  transactions: paths.transactions('43113', { before: undefined }),
  transaction: paths.transaction('43113', hash, { tab: 'logs' }),
  address: paths.address('43113', address),
  tokens: paths.tokens('43113', { kind: 'ERC-20' }),
  token: paths.token('43113', address, { tab: 'holders' }),
  nft: paths.nft('43113', address, '12'),
  contracts: paths.contracts('43113'),
  search: paths.search('a b&c'),
  validators: paths.validators(),
  vertices: paths.vertices(),
  addresses: paths.addresses(),
  signatures: paths.signatures(),
  node: paths.node(),
  api: paths.api(),
  settings: paths.settings(),
}

test('paths stay what links out there have', () => {
  expect(every).toMatchInlineSnapshot(`
    {
      "address": "/chain/43113/address/0x2222222222222222222222222222222222222222",
      "addresses": "/addresses",
      "api": "/api",
      "block": "/chain/43113/block/12",
      "blocks": "/chain/43113/blocks?from=1200",
      "chain": "/chain/43113",
      "chainConfig": "/chain/43113?tab=configuration",
      "chains": "/chains?sort=name",
      "contracts": "/chain/43113/contracts",
      "metric": "/chain/43113/metrics/txCount",
      "metrics": "/chain/43113/metrics?range=30d",
      "nft": "/chain/43113/nft/0x2222222222222222222222222222222222222222/12",
      "node": "/node",
      "overview": "/",
      "search": "/search?q=a+b%26c",
      "settings": "/settings",
      "signatures": "/signatures",
      "token": "/chain/43113/token/0x2222222222222222222222222222222222222222?tab=holders",
      "tokens": "/chain/43113/tokens?kind=ERC-20",
      "transaction": "/chain/43113/tx/0x1111111111111111111111111111111111111111111111111111111111111111?tab=logs",
      "transactions": "/chain/43113/transactions",
      "validators": "/validators",
      "vertices": "/vertices",
    }
  `)
})

test('every path has a page of its own', () => {
  expect(Object.keys(every)).toEqual(Object.keys(paths))
  for (const path of Object.values(every)) {
    const last = matchRoutes(routes, path.split('?')[0] ?? '')?.at(-1)
    expect(last?.route.path ?? 'index', path).not.toBe('*')
  }
})
