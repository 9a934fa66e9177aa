import { expect, test } from 'vitest'
import { clientRoutes } from '../../contract/client-routes.ts'
import { getMetricPicture, getNetworkMetricPicture } from '../../contract/metrics/pictures.ts'
import { testConfig } from '../testing/service.ts'
import { linkPreviews } from './link-preview.ts'

const chain = { rpcUrl: 'http://127.0.0.1:9' }
const previewOf = linkPreviews(
  testConfig({
    chains: [
      { ...chain, evmChainId: 43113, name: 'C-Chain', blockchainId: 'blockchainOfC' },
      { ...chain, evmChainId: 7, name: 'Meridian' },
      { ...chain, evmChainId: 8, name: 'Harbor' },
    ],
    networks: [{ id: 'fuji', name: 'Fuji', networkId: 5, prefix: 'fuji', nodeUrl: 'http://127.0.0.1:9' }],
  }),
)

/** A path of each route, with ids that the service has. */
const pathOf = (route: string): string =>
  route
    .replace(':chainId', '43113')
    .replace(':network', 'fuji')
    .replace(':chain', 'p-chain')
    .replace(':metric', route.startsWith('/chain') ? 'txCount' : 'totalStake')
    .replaceAll(/:\w+/g, '0x0123456789abcdef0123456789abcdef')

test.each(Object.entries(clientRoutes))('%s has a title unless it only redirects', (route, module) => {
  const preview = previewOf(pathOf(route), '')
  if (module === undefined) expect(preview).toBeUndefined()
  else expect(preview?.title).toMatch(/^\S.*\S$/)
  expect(preview?.title ?? '').not.toContain('undefined')
})

test('names chains and networks, and shortens ids', () => {
  const title = (path: string): string | undefined => previewOf(path, '')?.title
  expect(title('/chain/blockchainOfC/blocks')).toBe('Blocks · C-Chain')
  expect(title('/chain/43113/tx/0x0123456789abcdef0123456789abcdef/')).toBe(
    'Transaction 0x012345…abcdef · C-Chain',
  )
  expect(title('/networks/fuji/x-chain/block/12')).toBe('Block 12 · X-Chain')
  expect(title('/chain/total/metrics/txCount')).toBe('Transactions · All chains')
})

/** The parsed query of a preview's picture, and its path. */
function pictureOf(path: string, query = '') {
  const picture = previewOf(path, query)?.picture
  if (picture === undefined) return undefined
  const { pathname, searchParams } = new URL(picture.path, 'http://localhost')
  const { query: schema } = pathname.startsWith('/embed/chain') ? getMetricPicture : getNetworkMetricPicture
  return { pathname, query: schema.parse(Object.fromEntries(searchParams)), alt: picture.alt }
}

test('the picture of a metric has the view of the page, in its own form', () => {
  expect(
    pictureOf(
      '/chain/43113/metrics/gasUsed',
      '?range=30d&compare=7&mode=indexed&theme=dark&width=9&table=gasUsed',
    ),
  ).toEqual({
    pathname: '/embed/chain/43113/metrics/gasUsed.png',
    query: expect.objectContaining({
      range: '30d',
      compare: '7',
      mode: 'indexed',
      theme: 'light',
      width: 600,
      height: 315,
      density: 2,
    }),
    alt: 'Gas used · C-Chain',
  })
  expect(pictureOf('/networks/fuji/metrics/validators', '?from=1700000000&to=1710000000')).toMatchObject({
    pathname: '/embed/networks/fuji/metrics/validators.png',
    query: { from: 1_700_000_000, to: 1_710_000_000 },
  })
})

test('a query that the picture would refuse is left out', () => {
  for (const query of ['?range=<script>', '?compare=a%20b', '?interval=year', '?from=x'])
    expect(pictureOf('/chain/43113/metrics/txCount', query)?.query, query).toEqual(
      pictureOf('/chain/43113/metrics/txCount')?.query,
    )
})

test('pages of chains and of the network lead with a chart, others with none', () => {
  expect(pictureOf('/')).toMatchObject({
    pathname: '/embed/chain/43113/metrics/txCount.png',
    query: { compare: '7~8', mode: 'stacked' },
    alt: 'Transactions by chain',
  })
  expect(pictureOf('/chain/7')).toMatchObject({ pathname: '/embed/chain/7/metrics/txCount.png' })
  expect(pictureOf('/networks/fuji/validators')).toMatchObject({
    pathname: '/embed/networks/fuji/metrics/totalStake.png',
  })
  expect(pictureOf('/chain/7/tx/0xab')).toBeUndefined()
})

test.each([
  '/p/own/chain/7',
  '/chain/9/blocks',
  '/networks/mainnet',
  '/networks/fuji/q-chain/blocks',
  '/networks/fuji/constructor/blocks',
  '/chain/7/metrics/nothing',
  '/chain/7/tx/%ff',
  '/nothing',
])('%s has none', (path) => {
  expect(previewOf(path, '')).toBeUndefined()
})
