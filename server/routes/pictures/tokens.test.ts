import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seriesColours } from '../../../charts/palette.ts'
import { addressOf, insertBlocks, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { barsOf, leftAxis, lineOf, readSvg, type ReadSvg } from '../../testing/read-svg.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { seedBlocks, type TokenBlock } from '../../testing/token-history.ts'
import { zeroAddress } from '../../testing/token-logs.ts'

const chain = 211
const day = 86_400
/** Tuesday 1 September 2026, 0:00. */
const start = Date.UTC(2026, 8, 1) / 1000
const days = 10
const now = start + 9 * day + day / 2
const token = addressOf('coin')
const hostile = '\u{202e}<b>Coin</b> & "more"'
const [blue, orange] = seriesColours.light

const move = (from: string, to: string, value: bigint) => ({
  kind: 20 as const,
  token,
  from,
  to,
  items: [{ id: 0n, value }],
})
const [ann, bob, cid] = ['ann', 'bob', 'cid'].map(addressOf) as [string, string, string]

/** The movements of some days: in the others, supply and holders stay. */
const moves: readonly (readonly [day: number, ...ReturnType<typeof move>[]])[] = [
  [0, move(zeroAddress, ann, 5_000n), move(ann, bob, 20n)],
  [2, move(bob, cid, 20n), move(ann, cid, 7n), move(cid, bob, 1n)],
  [3, move(ann, zeroAddress, 1_000n)],
  [7, move(ann, bob, 300n), move(zeroAddress, cid, 64_000n)],
]
const history: readonly TokenBlock[] = moves.map(([at, ...list], index) => ({
  number: index + 1,
  ts: start + at * day + 7_200,
  moves: list,
}))

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: seedBlocks(history) })
  // A block without a movement on the last day: what is known reaches as far.
  await insertBlocks(store.database, chain, [{ number: 5, ts: now - 60, txs: [] }])
  await store.database`
    insert into token_facts (chain, token, name, symbol, decimals, asked_block, asked_ts, due_ts)
    values (${chain}, ${Buffer.from(token.slice(2), 'hex')}, ${hostile}, 'CO', 2, 1, ${now}, ${now})`
  service = await startTestService(store.database, {
    config: testConfig({ chains: [{ evmChainId: chain, name: 'Harbor', rpcUrl: 'http://127.0.0.1:9' }] }),
  })
  service.now = now
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const whole = `from=${start}&to=${start + days * day}`
const get = (path: string) => service.app.inject(`/embed/chain/${chain}/token/${token}${path}`)
async function svg(path: string): Promise<ReadSvg> {
  const response = await get(path)
  expect(response.statusCode, response.body).toBe(200)
  return readSvg(response.body)
}
const text = ({ elements }: ReadSvg): string =>
  elements.flatMap(({ name, text: words }) => (name === 'text' ? [words] : [])).join('\n')

/** Everyone's balance after a day, from the movements. */
function balances(after: number): Map<string, bigint> {
  const held = new Map<string, bigint>()
  for (const [at, ...list] of moves) {
    if (at > after) continue
    for (const { from, to, items } of list)
      for (const { value } of items) {
        held.set(from, (held.get(from) ?? 0n) - value)
        held.set(to, (held.get(to) ?? 0n) + value)
      }
  }
  held.delete(zeroAddress)
  return new Map([...held].filter(([, value]) => value > 0n))
}
const everyDay = Array.from({ length: days }, (_, index) => index)
const about = (value: number, tolerance: number) =>
  expect.toSatisfy((drawn: number) => Math.abs(drawn - value) <= tolerance, `about ${value}`)

describe('a token by day', () => {
  const values = (picture: ReadSvg): number[] => {
    const axis = leftAxis(picture)
    return [...lineOf(picture, blue), ...lineOf(picture, blue, true).slice(-1)].map(({ y }) =>
      axis.valueAt(y),
    )
  }

  test('has its supply and its holders at the end of each day, in its unit', async () => {
    const supply = await svg(`/supply.svg?${whole}&scale=zero`)
    expect(values(supply)).toEqual(
      everyDay.map((index) => {
        const total = [...balances(index).values()].reduce((all, value) => all + value, 0n)
        return about(Number(total) / 100, 3)
      }),
    )
    expect(text(supply)).toContain('CO · by day')
    const holders = await svg(`/holders.svg?${whole}&scale=zero`)
    expect(values(holders)).toEqual(everyDay.map((index) => about(balances(index).size, 0.02)))
  })

  test('has a bar for the transfers of each day', async () => {
    const picture = await svg(`/transfers.svg?${whole}`)
    const axis = leftAxis(picture)
    const tops = [...barsOf(picture, blue), ...barsOf(picture, blue, true)].map(({ top }) =>
      axis.valueAt(top),
    )
    const counts = everyDay.map((index) => (moves.find(([at]) => at === index)?.length ?? 1) - 1)
    expect(tops).toEqual(counts.map((count) => about(count, 0.03)))
  })

  test('has its name without direction characters, and its address', async () => {
    const { body } = await get(`/supply.svg?${whole}`)
    expect(body).not.toContain('<b>')
    expect(body).not.toContain('\u{202e}')
    expect(readSvg(body).title).toBe(
      `Supply · <b>Coin</b> & "more" (${token.slice(0, 8)}…${token.slice(-6)}), Harbor`,
    )
  })
})

test('the holders of a token stand in bands by the size of their balance', async () => {
  const picture = await svg('/distribution.svg')
  const axis = leftAxis(picture)
  const held = [...balances(days).values()]
  const total = held.reduce((all, value) => all + value, 0n)
  const digits = held.map((value) => String(value).length)
  const bands = Array.from({ length: Math.max(...digits) - Math.min(...digits) + 1 }, (_, index) => {
    const own = held.filter((value) => String(value).length === Math.min(...digits) + index)
    return { count: own.length, held: own.reduce((all, value) => all + value, 0n) }
  })
  const shares = (colour: string): number[] => barsOf(picture, colour).map(({ top }) => axis.valueAt(top))
  expect(bands.length).toBeGreaterThan(1)
  expect(shares(blue)).toEqual(bands.map(({ count }) => about((count / held.length) * 100, 0.6)))
  expect(shares(orange)).toEqual(bands.map((band) => about((Number(band.held) / Number(total)) * 100, 0.6)))
  expect(text(picture)).toContain('part of all that is held')
})

test('what is not a token, or none of a kind, is a 404', async () => {
  for (const [path, status] of [
    [`/embed/chain/${chain}/token/${addressOf('nothing')}/supply.svg`, 404],
    [`/embed/chain/${chain}/token/${token}/supply.svg?ercType=ERC-721`, 404],
    [`/embed/chain/${chain}/token/${token}/distribution.svg?ercType=ERC-721`, 404],
    [`/embed/chain/999/token/${token}/supply.svg`, 404],
    [`/embed/chain/${chain}/token/${token}/price.svg`, 400],
    [`/embed/chain/${chain}/token/0x12/supply.svg`, 400],
  ] as const) {
    const response = await service.app.inject(path)
    expect([path, response.statusCode]).toEqual([path, status])
  }
})
