import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seriesColours } from '../../../charts/palette.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { fujiKeys, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import { idText, nodeText, startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'
import { barsOf, leftAxis, lineOf, readPng, readSvg, type ReadSvg } from '../../testing/read-svg.ts'

const chain = fujiKeys.p
const day = 86_400
/** Tuesday 1 September 2026, 0:00. */
const start = Date.UTC(2026, 8, 1) / 1000
const days = 20
/** Noon of the twentieth day. */
const now = start + 19 * day + day / 2
const AVAX = 1_000_000_000n
const [blue, orange, teal] = seriesColours.light

/** The terms of one node: own stakes and delegations, in AVAX. */
type Term = { from: number; until: number | null; avax: bigint; isDelegator: boolean }
const terms: readonly Term[] = [
  { from: start + 3_600, until: start + 8 * day + 5, avax: 2_000n, isDelegator: false },
  { from: start + 2 * day, until: start + 5 * day, avax: 900n, isDelegator: true },
  { from: start + 3 * day + 99, until: start + 8 * day, avax: 350n, isDelegator: true },
  // A gap of three days, and then the present term.
  { from: start + 11 * day, until: null, avax: 3_000n, isDelegator: false },
  { from: start + 14 * day + 7, until: null, avax: 1_250n, isDelegator: true },
]
/** Two samples of some days; the later one counts. */
const samples = [0, 1, 2, 5, 6, 12, 19].flatMap((index) => [
  { ts: start + index * day + 3_600, uptime: 50 + index },
  { ts: start + index * day + 40_000, uptime: 70 + index },
])
/** Stakes of the other active validators in AVAX, and their uptimes. */
const others = [
  [2_000n, 99.95],
  [2_500n, 99.95],
  [4_999n, 100],
  [5_000n, 82],
  [120_000n, null],
] as const

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  await insertPrimary(database, 'primary_blocks', [
    { chain, height: 900, ts: now, id: idBytes('head'), parent_id: idBytes('parent'), accrued_fees: 1_000n },
  ])
  await insertPrimary(database, 'stakers', [
    ...terms.map(({ from, until, avax, isDelegator }, index) => ({
      chain,
      height: index,
      tx_id: idBytes(`term ${index}`),
      is_delegator: isDelegator,
      node: shortBytes('node'),
      weight: avax * AVAX,
      start_ts: from,
      end_ts: now + 90 * day,
      ended_ts: until,
      outcome: until === null ? null : 'rewarded',
      ...(index === 3 && { delegated: 1_250n * AVAX }),
    })),
    ...others.map(([avax], index) => ({
      chain,
      height: 100 + index,
      tx_id: idBytes(`other ${index}`),
      node: shortBytes(`other ${index}`),
      weight: avax * AVAX,
      start_ts: start,
      end_ts: now + 90 * day,
      ended_ts: null,
      outcome: null,
    })),
  ])
  await insertPrimary(database, 'uptime_samples', [
    ...samples.map(({ ts, uptime }) => ({
      chain,
      node: shortBytes('node'),
      tx_id: idBytes(ts < start + 9 * day ? 'term 0' : 'term 3'),
      ts,
      uptime,
    })),
    ...others.flatMap(([, uptime], index) =>
      uptime === null
        ? []
        : [
            {
              chain,
              node: shortBytes(`other ${index}`),
              tx_id: idBytes(`other ${index}`),
              ts: now - 60,
              uptime,
            },
          ],
    ),
  ])
  await insertPrimary(database, 'l1_validators', [
    {
      chain,
      height: 200,
      ts: start,
      validation_id: idBytes('l1'),
      tx_id: idBytes('conversion'),
      subnet: idBytes('ridge'),
      node: shortBytes('l1'),
      weight: 40,
      // 2 AVAX are left.
      end_fee: 1_000n + 2n * AVAX,
    },
  ])
  const change = { validation_id: idBytes('l1'), chain }
  await insertPrimary(database, 'l1_validator_changes', [
    {
      ...change,
      height: 200,
      ts: start,
      tx_id: idBytes('conversion'),
      type: 35,
      weight: 100,
      balance_change: 10n * AVAX,
      balance: 10n * AVAX,
      end_fee: 10n * AVAX,
    },
    {
      ...change,
      height: 300,
      ts: start + 10 * day,
      tx_id: idBytes('more'),
      type: 38,
      weight: 40,
      balance_change: 5n * AVAX,
      balance: 9n * AVAX,
      end_fee: 1_000n + 2n * AVAX,
    },
  ])
  network = await startPrimaryService(database)
  network.service.now = now
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

const whole = `from=${start}&to=${start + days * day}`
const get = (path: string) => network.service.app.inject(`/embed/networks/fuji${path}`)
async function svg(path: string): Promise<ReadSvg> {
  const response = await get(path)
  expect(response.statusCode, response.body).toBe(200)
  expect(response.headers['content-type']).toBe('image/svg+xml')
  return readSvg(response.body)
}
const text = ({ elements }: ReadSvg): string =>
  elements.flatMap(({ name, text: words }) => (name === 'text' ? [words] : [])).join('\n')

/** The places of the middles of the days: the plot begins with the first day and ends with the last. */
function dayOf(picture: ReadSvg, x: number): number {
  const grid = picture.elements.find(({ name, attributes: { y1, y2 } }) => name === 'line' && y1 === y2)
  const [left, right] = [Number(grid?.attributes['x1']), Number(grid?.attributes['x2'])]
  return Math.round(((x - left) / (right - left)) * days - 0.5)
}

/** The values of a line by day, read from its picture with an axis of its own. */
function valuesOf(picture: ReadSvg, colour: string): Map<number, number> {
  const axis = leftAxis(picture)
  return new Map(
    [...lineOf(picture, colour), ...lineOf(picture, colour, true)].map(({ x, y }) => [
      dayOf(picture, x),
      axis.valueAt(y),
    ]),
  )
}

/** The stake of the node at the end of each day, recounted from its terms; days without own stake are left out. */
const recounted = (of: (running: readonly Term[]) => number): Map<number, number> =>
  new Map(
    Array.from({ length: days }, (_, index) => index).flatMap((index) => {
      const end = start + (index + 1) * day
      const running = terms.filter(({ from, until }) => from < end && (until === null || until >= end))
      return running.some(({ isDelegator }) => !isDelegator) ? [[index, of(running)] as const] : []
    }),
  )
const sum = (list: readonly Term[], isDelegator: boolean): number =>
  list.reduce((all, term) => all + (term.isDelegator === isDelegator ? Number(term.avax) : 0), 0)

const near = (expected: ReadonlyMap<number, number>, tolerance: number) =>
  new Map(
    [...expected].map(([key, value]) => [
      key,
      expect.toSatisfy((drawn: number) => Math.abs(drawn - value) <= tolerance, `about ${value}`),
    ]),
  )

describe('a validator', () => {
  const path = `/validators/${nodeText('node')}`

  test('has own and delegated stake at the end of each day, and a gap between its terms', async () => {
    const picture = await svg(`${path}/stake.svg?${whole}`)
    const step = 3_000 / 200
    expect(valuesOf(picture, blue)).toEqual(
      near(
        recounted((list) => sum(list, true)),
        step,
      ),
    )
    expect(valuesOf(picture, orange)).toEqual(
      near(
        recounted((list) => sum(list, false)),
        step,
      ),
    )
    expect(recounted(() => 0).has(9)).toBe(false)
    expect(text(picture)).toContain('AVAX · by day')
    expect(picture.title).toMatch(/^Delegated and own stake · NodeID-/)
  })

  test('has delegations and uptimes; a day without a sample has no point', async () => {
    const delegations = await svg(`${path}/delegations.svg?${whole}&scale=zero`)
    const counted = recounted((list) => list.filter(({ isDelegator }) => isDelegator).length)
    expect(valuesOf(delegations, teal)).toEqual(near(counted, 0.02))
    const uptime = await svg(`${path}/uptime.svg?${whole}`)
    expect(valuesOf(uptime, blue)).toEqual(
      near(new Map([0, 1, 2, 5, 6, 12, 19].map((index) => [index, 70 + index])), 0.3),
    )
  })

  test('has a dot for a lone sample, in a PNG too', async () => {
    // Only the thirteenth of these days has samples.
    const lone = (format: string) => `${path}/uptime.${format}?from=${start + 8 * day}&to=${start + 18 * day}`
    const picture = await svg(lone('svg'))
    const [dot, ...more] = lineOf(picture, blue)
    expect(new Set(more)).toEqual(new Set([dot]))
    const group = picture.elements.findLast(({ attributes }) => attributes['transform'] !== undefined)
    const [left = 0, top = 0] = (group?.attributes['transform'] ?? '').match(/\d+/g)?.map(Number) ?? []
    const png = await readPng((await get(lone('png'))).rawPayload)
    expect(png.colourAt(left + (dot?.x ?? 0), top + (dot?.y ?? 0))).toBe(blue)
  })

  test('has other ranges, and says that there is nothing in one', async () => {
    expect(text(await svg(`${path}/stake.svg?range=7d`))).toContain('by hour')
    expect(text(await svg(`${path}/stake.svg?range=all`))).toContain('1 Sep 2026 – 20 Sep 2026 UTC')
    expect(text(await svg(`${path}/uptime.svg?from=86400&to=172800`))).toContain('No samples in this range')
    expect(text(await svg(`/validators/${nodeText('nobody')}/stake.svg`))).toContain('No stake in this range')
  })
})

test('an L1 validator has its weight, and a balance that is exact at each change and now', async () => {
  const path = `/l1-validators/${idText('l1')}`
  const balance = valuesOf(await svg(`${path}/balance.svg?${whole}&scale=zero`), blue)
  // From 10 AVAX at the start it fell to 4 in ten days, was filled up to 9, and is at 2 now.
  const expected = new Map(
    Array.from({ length: days }, (_, index) => {
      const at = Math.min(start + (index + 1) * day - 1, now) - start
      const first = 10 - (6 * at) / (10 * day)
      const second = 9 - (7 * (at - 10 * day)) / (now - start - 10 * day)
      return [index, at < 10 * day ? first : second]
    }),
  )
  expect(balance).toEqual(near(expected, 0.04))
  const weight = valuesOf(await svg(`${path}/weight.svg?${whole}&scale=zero`), orange)
  expect(weight).toEqual(
    near(new Map(Array.from({ length: days }, (_, index) => [index, index < 10 ? 100 : 40])), 0.5),
  )
  expect((await get(`/l1-validators/${idText('none')}/weight.svg`)).statusCode).toBe(404)
})

test('an L1 validator that changed more often than a page of its history holds has its latest weight', async () => {
  const hour = 3_600
  await insertPrimary(store.database, 'l1_validators', [
    {
      chain,
      height: 600,
      ts: start,
      validation_id: idBytes('busy'),
      tx_id: idBytes('busy'),
      subnet: idBytes('ridge'),
      node: shortBytes('busy'),
      weight: 130,
      end_fee: null,
    },
  ])
  await insertPrimary(
    store.database,
    'l1_validator_changes',
    Array.from({ length: 130 }, (_, index) => ({
      chain,
      validation_id: idBytes('busy'),
      height: 600 + index,
      ts: start + index * hour,
      tx_id: idBytes(`busy ${index}`),
      type: 36,
      weight: index + 1,
      balance_change: 0,
      balance: 0,
      end_fee: null,
    })),
  )
  const weights = valuesOf(
    await svg(`/l1-validators/${idText('busy')}/weight.svg?${whole}&scale=zero`),
    orange,
  )
  expect([weights.get(0), weights.get(4), weights.get(19)].map((value) => Math.round(value ?? 0))).toEqual([
    24, 120, 130,
  ])
})

describe('the validators', () => {
  /** All active ones, with the node's own stake and delegations. */
  const active = [
    ...others.map(([avax, uptime]) => ({ avax: Number(avax), uptime })),
    { avax: 4_250, uptime: 89 },
  ]
  const stakeBounds = [2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000]
  const uptimeBounds = [0, 50, 80, 90, 95, 98, 99, 99.5, 99.9, 101]

  test('stand in the bin of their stake, with their shares of the validators and of the stake', async () => {
    const picture = await svg('/validators/stake.svg')
    const axis = leftAxis(picture)
    const bins = stakeBounds.slice(0, -1).map((from, index) => {
      const inside = active.filter(({ avax }) => avax >= from && avax < (stakeBounds[index + 1] ?? 0))
      return { count: inside.length, avax: inside.reduce((all, one) => all + one.avax, 0) }
    })
    const total = active.reduce((all, one) => all + one.avax, 0)
    const values = (colour: string) =>
      barsOf(picture, colour).map(({ top, base }) => {
        expect(axis.valueAt(base)).toBeCloseTo(0, 0)
        return axis.valueAt(top)
      })
    const within = (value: number) =>
      expect.toSatisfy((drawn: number) => Math.abs(drawn - value) < 0.6, `about ${value}`)
    expect(values(blue)).toEqual(bins.map(({ count }) => within((count / active.length) * 100)))
    expect(values(orange)).toEqual(bins.map(({ avax }) => within((avax / total) * 100)))
    expect(text(picture)).toMatch(/2k\n/)
    expect(picture.title).toBe('Validators by stake · Test network')
  })

  test('stand in the bin of their uptime; who was never sampled is named', async () => {
    const picture = await svg('/validators/uptime.svg?theme=light')
    const axis = leftAxis(picture)
    const counts = uptimeBounds
      .slice(0, -1)
      .map(
        (from, index) =>
          active.filter(
            ({ uptime }) => uptime !== null && uptime >= from && uptime < (uptimeBounds[index + 1] ?? 0),
          ).length,
      )
    expect(barsOf(picture, blue).map(({ top }) => Math.round(axis.valueAt(top) * 10) / 10)).toEqual(
      counts.map((count) => expect.closeTo(count, 0)),
    )
    expect(text(picture)).toContain('5 validators, 1 not sampled')
  })

  test('are a PNG too', async () => {
    const response = await get('/validators/stake.png?theme=dark&width=400&height=220&density=2')
    const png = await readPng(response.rawPayload)
    expect([png.width, png.height, png.colourAt(3, 3)]).toEqual([800, 440, '#12151c'])
    expect(png.colours).toBeGreaterThan(20)
  })
})

describe('the answer', () => {
  const path = `/validators/${nodeText('node')}/stake.svg?${whole}`

  test('has another tag in every form and for other data, and is a 304 for the same', async () => {
    const tag = async (of: string): Promise<unknown> => (await get(of)).headers['etag']
    const forms = ['', '&scale=zero', '&theme=dark', '&width=801', '&height=421', `&from=${start + day}`]
    const tags = await Promise.all(forms.map((form) => tag(path + form)))
    expect(new Set([...tags, await tag(path.replace('/stake', '/delegations'))]).size).toBe(forms.length + 1)
    const kept = { 'if-none-match': String(tags[0]) }
    const url = `/embed/networks/fuji${path}`
    expect((await network.service.app.inject({ url, headers: kept })).statusCode).toBe(304)
    await insertPrimary(store.database, 'stakers', [
      {
        chain,
        height: 500,
        tx_id: idBytes('late'),
        is_delegator: true,
        node: shortBytes('node'),
        weight: 77n * AVAX,
        start_ts: now - 60,
        end_ts: now + 9,
        ended_ts: null,
        outcome: null,
      },
    ])
    const changed = await network.service.app.inject({ url, headers: kept })
    expect([changed.statusCode, changed.headers['etag']]).not.toContain(tags[0])
    expect(changed.statusCode).toBe(200)
  })

  test.each([
    [`/validators/${'NodeID-x'}/stake.svg`, 400],
    [`/validators/${nodeText('node')}/weight.svg`, 400],
    [`/validators/${nodeText('node')}/stake.gif`, 400],
    ['/validators/size.svg', 400],
    [`${path}&scale=log`, 400],
    [`${path.replace(whole, 'from=5')}`, 400],
    ['/p-chain/blocks.svg', 404],
  ])('of %s is a %s', async (url, status) => {
    const response = await get(url)
    expect([response.statusCode, response.json().statusCode]).toEqual([status, status])
  })
})
