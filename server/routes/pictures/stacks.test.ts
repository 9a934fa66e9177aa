import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriesColours } from '../../../charts/palette.ts'
import { addressOf, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { fujiKeys, idBytes, insertPrimary } from '../../testing/primary-rows.ts'
import { startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'
import { leftAxis, lineOf, readSvg, type ReadSvg } from '../../testing/read-svg.ts'

const day = 86_400
/** Tuesday 1 September 2026, 0:00. */
const start = Date.UTC(2026, 8, 1) / 1000
const days = 12
const now = start + days * day - 1
const colours = seriesColours.light

/** How many transactions of a kind there are on each day. */
const counts = (seed: number): number[] =>
  Array.from({ length: days }, (_, index) => ((index * seed) % 7) + 1)

/** Types of P-Chain transactions (AddPermissionlessValidatorTx, ImportTx, BaseTx) and X-Chain transfers. */
const staking = counts(5)
const imports = counts(3)
const transfers = counts(2)
const onX = counts(6)
const evm = [counts(4), counts(3)]

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  const { p, x } = fujiKeys
  const rows = (chain: number, types: readonly (readonly [type: number, daily: readonly number[]])[]) =>
    Array.from({ length: days }, (_, index) => index).flatMap((at) =>
      types
        .flatMap(([type, daily]) => Array.from({ length: daily[at] ?? 0 }, () => type))
        .map((type, index) => ({
          chain,
          height: at + 1,
          index,
          ts: start + at * day + 600,
          type,
          id: idBytes(`${chain} ${at} ${index}`),
        })),
    )
  for (const chain of [p, x])
    await insertPrimary(
      database,
      'primary_blocks',
      // Genesis has no transactions that count.
      Array.from({ length: days + 1 }, (_, height) => ({
        chain,
        height,
        ts: start + Math.max(0, height - 1) * day + 600,
        id: idBytes(`${chain} block ${height}`),
        parent_id: idBytes(`${chain} block ${height - 1}`),
      })),
    )
  await insertPrimary(database, 'primary_transactions', [
    ...rows(p, [
      [25, staking],
      [17, imports],
      [34, transfers],
    ]),
    ...rows(x, [[0, onX]]),
  ])
  for (const [index, daily] of evm.entries())
    await seedChain(database, {
      chain: 301 + index,
      blocks: daily.map((count, number) => ({
        number,
        ts: start + number * day + 600,
        txs: Array.from({ length: count }, (_, place) => ({
          from: addressOf(`${number} ${place}`),
          to: addressOf('to'),
        })),
      })),
    })
  network = await startPrimaryService(database, {
    chains: [301, 302].map((evmChainId) => ({
      evmChainId,
      name: `Chain ${evmChainId}`,
      rpcUrl: 'http://127.0.0.1:9',
    })),
  })
  network.service.now = now
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

const whole = `from=${start}&to=${start + (days - 1) * day}`
async function svg(path: string): Promise<ReadSvg> {
  const response = await network.service.app.inject(`/embed${path}`)
  expect(response.statusCode, response.body).toBe(200)
  return readSvg(response.body)
}
const text = ({ elements }: ReadSvg): string =>
  elements.flatMap(({ name, text: words }) => (name === 'text' ? [words] : [])).join('\n')

/** The sums up to a layer, as they are drawn. */
const heights = (picture: ReadSvg, colour: string | undefined): number[] => {
  const axis = leftAxis(picture)
  return lineOf(picture, colour ?? '').map(({ y }) => axis.valueAt(y))
}
const sums = (...layers: readonly (readonly number[])[]) =>
  Array.from({ length: days - 1 }, (_, index) => {
    const value = layers.reduce((all, layer) => all + (layer[index] ?? 0), 0)
    return expect.toSatisfy((drawn: number) => Math.abs(drawn - value) < 0.1, `about ${value}`)
  })

test('the chains lie on each other in the order and colours of the list', async () => {
  const picture = await svg(`/chains/transactions.svg?${whole}`)
  expect(heights(picture, colours[0])).toEqual(sums(evm[0] ?? []))
  expect(heights(picture, colours[1])).toEqual(sums(...evm))
  expect(picture.title).toBe('Transactions by chain · Chain 301, Chain 302')
  expect(text(picture)).toContain('by day, stacked')
  expect(text(await svg('/chains/transactions.svg?range=24h'))).toContain('by hour')
  expect(text(await svg('/chains/transactions.svg?range=all&interval=month'))).toContain('by month')
})

test('the types of a chain lie on each other, and so do the chains of the network', async () => {
  const p = await svg(`/networks/fuji/p-chain/transactions.svg?${whole}`)
  // Staking, rewards, L1s, subnets, transfers, imports, exports.
  expect(heights(p, colours[0])).toEqual(sums(staking))
  expect(heights(p, colours[4])).toEqual(sums(staking, transfers))
  expect(heights(p, colours[5])).toEqual(sums(staking, transfers, imports))
  // Types without a transaction paint no line over the type below them.
  const painted = p.elements.flatMap(({ name, attributes }) =>
    name === 'path' ? (attributes['stroke'] ?? []) : [],
  )
  for (const empty of [1, 2, 3, 6]) expect(painted).not.toContain(colours[empty])
  expect(p.title).toBe('Transactions by type · P-Chain, Test network')
  expect(text(p)).toContain('without time advances')
  const both = await svg(`/networks/fuji/transactions.svg?${whole}`)
  expect(heights(both, colours[0])).toEqual(sums(staking, transfers, imports))
  expect(heights(both, colours[1])).toEqual(sums(staking, transfers, imports, onX))
})

test.each([
  ['/networks/mainnet/transactions.svg', 404],
  ['/networks/fuji/z-chain/transactions.svg', 400],
  ['/chains/transactions.svg?interval=year', 400],
  ['/chains/transactions.svg?from=0&to=1790000000&interval=hour', 400],
  ['/chains/blocks.svg', 404],
])('%s is a %s', async (path, status) => {
  expect((await network.service.app.inject(`/embed${path}`)).statusCode).toBe(status)
})

test('each has a page for iframes that shows its picture and links to its own page', async () => {
  const links = async (path: string): Promise<string[]> => {
    const response = await network.service.app.inject(`/embed${path}`)
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html'])
    return [...response.body.matchAll(/(?:href|src|srcset)="([^"]*)"/g)].map(([, address = '']) =>
      address.replaceAll('&amp;', '&'),
    )
  }
  expect(await links('/chains/transactions?range=7d&theme=dark')).toEqual([
    '/chains?range=7d',
    '/embed/chains/transactions.svg?range=7d&theme=dark&width=800&height=420',
  ])
  const node = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
  const [page, dark, light] = await links(
    `/networks/testnet/validators/${node}/uptime?from=5&to=500000&scale=zero`,
  )
  expect(page).toBe(`/networks/fuji/validators/${node}?tab=history&from=5&to=500000&scale=zero`)
  const picture = `/embed/networks/testnet/validators/${node}/uptime.svg?from=5&to=500000&scale=zero`
  expect([dark, light]).toEqual(
    ['dark', 'light'].map((theme) => `${picture}&theme=${theme}&width=800&height=420`),
  )
  const address = addressOf('coin')
  expect((await links(`/chain/301/token/${address}/distribution?ercType=ERC-20`))[0]).toBe(
    `/chain/301/token/${address}?tab=distribution&ercType=ERC-20`,
  )
  expect((await links('/networks/fuji/validators/stake'))[0]).toBe('/networks/fuji/validators')
  expect((await links('/networks/fuji/x-chain/transactions'))[0]).toBe('/networks/fuji/x-chain/transactions')
})
