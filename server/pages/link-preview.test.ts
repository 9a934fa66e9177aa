import { expect, test } from 'vitest'
import { pages, type PageName } from '../../contract/pages.ts'
import { pagePictures } from '../../contract/page-pictures.ts'
import { pictures } from '../../contract/pictures/operations.ts'
import { getMetricPicture, getNetworkMetricPicture } from '../../contract/pictures/metrics.ts'
import { testConfig } from '../testing/config.ts'
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

test.each(Object.keys(pages) as PageName[])('%s has a title, and its picture is an operation', (name) => {
  const picture = pagePictures[name]
  const { title = '' } = previewOf(pathOf(pages[name].path), '') ?? {}
  expect(title).toMatch(/^\S.*\S$/)
  expect(title).not.toContain('undefined')
  if (picture) expect(pictures.map(({ id }) => id)).toContain(picture.operation)
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

test('pages lead with their chart, others with none', () => {
  const node = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
  const validation = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'
  const token = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
  for (const [page, picture, alt] of [
    ['/', '/embed/chains/transactions.png', 'Transactions by chain'],
    ['/chains', '/embed/chains/transactions.png', 'Transactions by chain'],
    ['/chain/7', '/embed/chain/7/metrics/txCount.png', 'Transactions of the chain'],
    [`/chain/7/token/${token}`, `/embed/chain/7/token/${token}/holders.png`, 'Holders of the token'],
    ['/networks/fuji', '/embed/networks/fuji/transactions.png', 'Transactions by chain'],
    [
      '/networks/fuji/x-chain/transactions',
      '/embed/networks/fuji/x-chain/transactions.png',
      'Transactions by type',
    ],
    ['/networks/fuji/metrics', '/embed/networks/fuji/metrics/totalStake.png', 'Total stake'],
    ['/networks/fuji/vertices', '/embed/networks/fuji/vertices.png', 'Vertices of the X-Chain'],
    ['/networks/fuji/validators', '/embed/networks/fuji/validators/stake.png', 'Validators by stake'],
    [
      `/networks/fuji/validators/${node}`,
      `/embed/networks/fuji/validators/${node}/stake.png`,
      'Delegated and own stake',
    ],
    [
      `/networks/fuji/l1-validators/${validation}`,
      `/embed/networks/fuji/l1-validators/${validation}/balance.png`,
      'Balance of the L1 validator',
    ],
  ] as const) {
    const found = previewOf(page, '?range=30d&tab=history')?.picture
    const [path, query] = (found?.path ?? '').split('?')
    expect([page, path, found?.alt]).toEqual([page, picture, alt])
    const { range, ...form } = Object.fromEntries(new URLSearchParams(query))
    // Distributions are of now, and vertices have no range of times.
    expect(range).toBe(/\/(validators|vertices)$/.test(page) ? undefined : '30d')
    expect(form).toEqual({ width: '600', height: '315', density: '2' })
  }
  expect(pictureOf('/chain/7/tx/0xab')).toBeUndefined()
  expect(pictureOf('/networks/fuji/validators/NodeID-x')).toBeUndefined()
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
