import { metricWeekPicture } from '../../../contract/pictures/metrics.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { intervalsOf, metricNames } from '../../../contract/metrics/catalogue.ts'
import { seriesColours } from '../../../charts/palette.ts'
import { addressOf, insertBlocks, revertTo, seedChain, type SeedBlock } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { barsOf, leftAxis, lineOf, readPng, readSvg, type ReadSvg } from '../../testing/read-svg.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

const day = 86_400
/** Tuesday 1 September 2026, 0:00. */
const start = Date.UTC(2026, 8, 1) / 1000
const days = 20
/** Noon of the twentieth day. */
const now = start + 19 * day + day / 2

/** One block a day with so many transactions; a day without a block has none. */
const counts = (seed: number): number[] =>
  Array.from({ length: days }, (_, index) => (index === 7 ? 0 : ((index * seed) % 11) + 1))

const blocksOf = (list: readonly number[]): SeedBlock[] => [
  { number: 0, ts: 0, txs: [] },
  ...list.flatMap((count, index) =>
    count === 0
      ? []
      : {
          number: index + 1,
          ts: start + index * day + 3600,
          txs: Array.from({ length: count }, (_, place) => ({
            from: addressOf(`${index} ${place}`),
            to: addressOf('to'),
          })),
        },
  ),
]

const first = counts(7)
const second = counts(4)
const hostile = `<script>alert("1")</script>&'`

const configOf = (nameOf: (evmChainId: number) => string) =>
  testConfig({
    chains: [201, 202, 203, 204].map((evmChainId) => ({
      evmChainId,
      name: evmChainId === 204 ? hostile : nameOf(evmChainId),
      rpcUrl: 'http://127.0.0.1:9',
      blockchainId: `blockchain${evmChainId}`,
    })),
  })

let store: TestDatabase
let service: TestService
let disconnect: () => Promise<void>

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain: 201, blocks: blocksOf(first) })
  await seedChain(store.database, { chain: 202, blocks: blocksOf(second) })
  await seedChain(store.database, { chain: 203, traceSource: 'none', blocks: blocksOf([3]) })
  await seedChain(store.database, { chain: 204, blocks: [] })
  service = await startTestService(store.database, { config: configOf((id) => `Chain ${id}`) })
  service.now = now
  disconnect = await service.live.connect(store.database)
})
afterAll(async () => {
  await disconnect()
  await service.close()
  await store.drop()
})

const get = (path: string, headers: Record<string, string> = {}) => service.app.inject({ url: path, headers })

async function svg(path: string): Promise<ReadSvg> {
  const response = await get(path)
  expect(response.statusCode, response.body).toBe(200)
  expect(response.headers['content-type']).toBe('image/svg+xml')
  return readSvg(response.body)
}

const text = ({ elements }: ReadSvg): string =>
  elements.flatMap(({ name, text }) => (name === 'text' ? [text] : [])).join('\n')

/** The range of the twenty days, both ends whole. */
const whole = `from=${start}&to=${start + days * day}`
const [blue, orange] = seriesColours.light

describe('the hours of the week of a metric', () => {
  test('have the mean of each weekday at the hour of its blocks', async () => {
    const picture = await svg('/embed/chain/201/metrics/txCount/week.svg?width=1000')
    expect(picture.title).toBe('Transactions by hour of the week · Chain 201')
    const figures = picture.elements.filter(
      ({ name, attributes }) => name === 'text' && attributes['font-size'] === '10',
    )
    const columns = [...new Set(figures.map(({ attributes }) => Number(attributes['x'])))].toSorted(
      (a, b) => a - b,
    )
    expect(columns).toHaveLength(24)
    const atOne = figures
      .filter(({ attributes }) => Number(attributes['x']) === columns[1])
      .toSorted((a, b) => Number(a.attributes['y']) - Number(b.attributes['y']))
      .map((figure) => Number(figure.text))
    // The first day is a Tuesday.
    const means = Array.from({ length: 7 }, (_, weekday) => {
      const ofWeekday = first.filter((_count, index) => (index + 1) % 7 === weekday)
      return ofWeekday.reduce((sum, count) => sum + count, 0) / ofWeekday.length
    })
    expect(atOne).toEqual(means.map((mean) => expect.closeTo(mean, 1)))
    const others = figures.filter(({ attributes }) => Number(attributes['x']) !== columns[1])
    expect(new Set(others.map((figure) => figure.text))).toEqual(new Set(['0']))
  })

  test('have no figures where they do not fit, and are refused for a metric without hours', async () => {
    const narrow = await svg('/embed/chain/201/metrics/txCount/week.svg?width=400')
    expect(narrow.elements.filter(({ attributes }) => attributes['font-size'] === '10')).toEqual([])
    // Whatever the enumeration allows has a picture.
    const { metric } = metricWeekPicture.frame.params.shape
    for (const name of metric.options) {
      const { statusCode } = await get(`/embed/chain/201/metrics/${name}/week.svg`)
      expect(statusCode, name).toBe(200)
    }
    const daily = metricNames.find((name) => !intervalsOf(name).includes('hour'))
    expect((await get(`/embed/chain/201/metrics/${daily}/week.svg`)).statusCode).toBe(400)
  })
})

describe('the SVG of a metric', () => {
  test('has a bar for each day as high as the transactions counted from its blocks', async () => {
    const picture = await svg(`/embed/chain/201/metrics/txCount.svg?${whole}`)
    expect([picture.width, picture.height]).toEqual([800, 420])
    const axis = leftAxis(picture)
    const closed = barsOf(picture, blue)
    expect(closed.map(({ top }) => Math.round(axis.valueAt(top) * 100) / 100)).toEqual(
      first.slice(0, -1).map((count) => expect.closeTo(count, 1)),
    )
    for (const { base } of closed) expect(axis.valueAt(base)).toBeCloseTo(0, 1)
    // Days are equally wide, and the range ends with the last of them.
    const step = ((closed.at(-1)?.x ?? 0) - (closed[0]?.x ?? 0)) / (days - 2)
    for (const [index, { x }] of closed.entries())
      expect(x).toBeCloseTo((closed[0]?.x ?? 0) + index * step, 0)
    const [open, ...more] = barsOf(picture, blue, true)
    expect(more).toEqual([])
    expect(axis.valueAt(open?.top ?? 0)).toBeCloseTo(first.at(-1) ?? 0, 1)
    expect((open?.x ?? 0) - (closed.at(-1)?.x ?? 0)).toBeCloseTo(step, 0)
    expect(picture.title).toBe('Transactions · Chain 201')
    expect(text(picture)).toContain('1 Sep 2026 – 20 Sep 2026 UTC · tx · by day · axis from 0')
    expect(text(picture)).toContain('dashed: today so far')
  })

  test('is dashed only until the period has ended', async () => {
    service.now = start + days * day
    const picture = await svg(`/embed/chain/201/metrics/txCount.svg?${whole}`)
    service.now = now
    expect(barsOf(picture, blue, true)).toEqual([])
    expect(barsOf(picture, blue)).toHaveLength(days)
    expect(text(picture)).not.toContain('dashed')
  })

  test('lays compared chains beside each other, in the order and colours of the list', async () => {
    const path = '/embed/chain/202/metrics/txCount.svg'
    const picture = await svg(`${path}?${whole}&compare=201`)
    const axis = leftAxis(picture)
    const values = (colour: string) =>
      lineOf(picture, colour).map(({ y }) => expect.closeTo(axis.valueAt(y), 0))
    expect(first.slice(0, -1)).toEqual(values(blue).slice(0, days - 1))
    expect(second.slice(0, -1)).toEqual(values(orange).slice(0, days - 1))
    expect(picture.title).toBe('Transactions · Chain 202, Chain 201')
    // A blockchain id names the same chain.
    expect(await svg(`${path}?${whole}&compare=blockchain201`)).toEqual(picture)
  })

  test('stacks compared chains: each line is the sum up to its chain', async () => {
    const picture = await svg(`/embed/chain/201/metrics/txCount.svg?${whole}&compare=202&mode=stacked`)
    const axis = leftAxis(picture)
    const sums = first.map((count, index) => count + (second[index] ?? 0)).slice(0, -1)
    const drawn = lineOf(picture, orange).slice(0, days - 1)
    expect(sums).toEqual(drawn.map(({ y }) => expect.closeTo(axis.valueAt(y), 0)))
    expect(text(picture)).toContain('stacked, axis from 0')
  })

  test('names several series at the line ends, and above the plot where there is no room', async () => {
    const path = `/embed/chain/201/metrics/txCount.svg?${whole}&compare=202`
    const xs = (picture: ReadSvg, label: string) =>
      picture.elements.flatMap(({ text, attributes }) => (text === label ? [Number(attributes['x'])] : []))
    expect(xs(await svg(path), 'Chain 202')[0]).toBeGreaterThan(600)
    expect(xs(await svg(`${path}&width=320`), 'Chain 202')[0]).toBeLessThan(200)
  })

  test('has series that pages derive, hours, other ranges and a second axis', async () => {
    // One transaction of each sender.
    const perSender = await svg(`/embed/chain/201/metrics/txPerSender.svg?${whole}`)
    expect(lineOf(perSender, blue).length).toBeGreaterThanOrEqual(days - 2)
    const axis = leftAxis(perSender)
    for (const { y } of lineOf(perSender, blue)) expect(axis.valueAt(y)).toBeCloseTo(1, 1)
    const hours = await svg('/embed/chain/201/metrics/txCount.svg?range=24h')
    expect(text(hours)).toContain('by hour')
    const beside = await svg(`/embed/chain/201/metrics/txCount.svg?${whole}&second=gasUsed`)
    expect(text(beside)).toContain('tx on the left · gas on the right')
    expect(text(beside)).toContain('Gas used')
  })

  test('says that there is no data', async () => {
    const picture = await svg('/embed/chain/201/metrics/txCount.svg?from=86400&to=864000')
    expect(text(picture)).toContain('No data in this range')
    expect(barsOf(picture, blue)).toEqual([])
  })

  test('has both themes, and none but hexadecimal colours', async () => {
    const { body } = await get(`/embed/chain/201/metrics/txCount.svg?${whole}&theme=dark`)
    expect(body).toContain(seriesColours.dark[0])
    expect(body).not.toContain(blue)
    expect(body).not.toContain('var(')
  })

  test('shows a name that looks like markup as text', async () => {
    const { body } = await get(`/embed/chain/204/metrics/txCount.svg?${whole}&compare=201`)
    expect(body).not.toContain('<script')
    expect(readSvg(body).title).toBe(`Transactions · ${hostile}, Chain 201`)
  })
})

describe('the PNG of a metric', () => {
  test('has the size and the colours of the SVG', async () => {
    const path = `/embed/chain/201/metrics/txCount`
    const response = await get(`${path}.png?${whole}&width=600&height=315&density=2`)
    expect(response.headers['content-type']).toBe('image/png')
    const png = await readPng(response.rawPayload)
    expect([png.width, png.height]).toEqual([1200, 630])
    const picture = await svg(`${path}.svg?${whole}&width=600&height=315`)
    const group = picture.elements.findLast(({ attributes }) => attributes['transform'] !== undefined)
    const [left = 0, top = 0] = (group?.attributes['transform'] ?? '').match(/\d+/g)?.map(Number) ?? []
    // A bar is painted over the white surface with an opacity of 0.85, which painters round differently.
    const blended = [0x04, 0x62, 0xd3].map((part) => 0.85 * part + 0.15 * 255)
    const bar = barsOf(picture, blue)[9]
    if (bar === undefined) throw new Error('no bar')
    const inBar = png.colourAt(2 * (left + bar.x), 2 * (top + (bar.top + bar.base) / 2))
    for (const [index, part] of blended.entries())
      expect(Math.abs(Number.parseInt(inBar.slice(1 + 2 * index, 3 + 2 * index), 16) - part)).toBeLessThan(2)
    expect(png.colourAt(2 * (left + bar.x), 2 * (top + bar.top - 3))).toMatch(/^#(ffffff|e1e5eb)$/)
    // The heading is painted, not only the bars.
    const heading = Array.from({ length: 400 }, (_, x) => png.colourAt(2 * 16 + x, 2 * (16 + 10)))
    expect(heading.some((colour) => colour === '#14181f')).toBe(true)
    expect(png.colours).toBeGreaterThan(20)
  })

  test('is as large as asked for, in the theme asked for', async () => {
    const response = await get(
      `/embed/chain/201/metrics/txCount.png?${whole}&width=320&height=180&theme=dark`,
    )
    const png = await readPng(response.rawPayload)
    expect([png.width, png.height, png.colourAt(2, 2)]).toEqual([320, 180, '#12151c'])
  })
})

describe('the answer', () => {
  const path = `/embed/chain/201/metrics/txCount.svg?${whole}`

  test('may be shown by every site, runs nothing, and is checked before it is used again', async () => {
    for (const format of ['svg', 'png']) {
      const { headers } = await get(path.replace('.svg', `.${format}`))
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['cache-control']).toBe('public, no-cache')
      expect(headers['ratelimit-remaining']).toMatch(/^\d+$/)
      const etag = String(headers['etag'])
      const again = await get(path.replace('.svg', `.${format}`), { 'if-none-match': `"other", ${etag}` })
      expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag])
    }
  })

  test('has another tag in every form', async () => {
    const base = path.includes('?') ? `${path}&` : `${path}?`
    const forms = ['', 'theme=dark', 'width=801', 'height=421', 'scale=fit', 'interval=week', 'compare=202']
    const tags = await Promise.all(
      forms.flatMap((form) =>
        [base, base.replace('.svg', '.png')].map(async (url) => (await get(url + form)).headers['etag']),
      ),
    )
    expect(new Set(tags).size).toBe(forms.length * 2)
    expect(tags).not.toContain(undefined)
  })

  test('has another tag when a chain has another name, or the code is another', async () => {
    const tagOf = async (options: Parameters<typeof startTestService>[1]): Promise<unknown> => {
      const other = await startTestService(store.database, options)
      other.now = now
      const { headers } = await other.app.inject({ url: path })
      await other.close()
      return headers['etag']
    }
    const config = configOf((id) => `Chain ${id}`)
    const tags = [
      await tagOf({ config }),
      await tagOf({ config, version: '0.0.1' }),
      await tagOf({ config: configOf((id) => `Renamed ${id}`) }),
    ]
    expect(tags[0]).toBe((await get(path)).headers['etag'])
    expect(new Set(tags).size).toBe(3)
  })

  test('is the same until a block arrives, and then has it', async () => {
    const png = path.replace('.svg', '.png')
    const before = await Promise.all([get(path), get(png)])
    const tags = before.map(({ headers }) => headers['etag'])
    expect((await Promise.all([get(path), get(png)])).map(({ headers }) => headers['etag'])).toEqual(tags)
    const list = [...first.slice(0, -1), 10]
    await revertTo(store.database, 201, -1)
    await insertBlocks(store.database, 201, blocksOf(list))
    service.live.receive(
      JSON.stringify({ kind: 'head', chain: '201', number: '20', hash: '0x', ts: now, txs: 10 }),
    )
    const picture = await svg(path)
    const [open] = barsOf(picture, blue, true)
    expect(leftAxis(picture).valueAt(open?.top ?? 0)).toBeCloseTo(10, 1)
    const after = await Promise.all([get(path), get(png)])
    for (const [index, { headers }] of after.entries()) expect(headers['etag']).not.toBe(tags[index])
    expect((await get(png, { 'if-none-match': String(tags[1]) })).statusCode).toBe(200)
  })

  test.each([
    ['width=100', 'width:'],
    ['width=1601', 'width:'],
    ['height=1001', 'height:'],
    ['density=3', 'density:'],
    ['width=5e2', 'width:'],
    ['theme=sepia', 'theme:'],
    ['range=1y', 'range:'],
    ['from=5', 'to: is required'],
    ['to=5', 'from: is required'],
    ['from=9&to=9', 'to: must be after from'],
    ['from=0&to=1000000000000', 'to:'],
    [`from=0&to=${start}&interval=hour`, 'interval: more than 10,000 hours'],
    ['compare=1~2~3~4~5~6~7~8', 'compare: must be 1 to 7 chain IDs'],
    ['compare=../x', 'compare:'],
    ['second=nothing', 'second: there is no series nothing'],
    ['second=txCount', 'second: there is no series txCount'],
    ['mode=pie', 'mode:'],
  ])('of ?%s is a 400 that says why', async (query, reason) => {
    const response = await get(`/embed/chain/201/metrics/txCount.png?${query}`)
    expect(response.statusCode).toBe(400)
    expect([response.json().message].flat().join()).toContain(reason)
    expect(response.headers['content-type']).toContain('application/json')
  })

  test('is a failure of the usual form for what is not there', async () => {
    for (const [url, status] of [
      ['/embed/chain/999/metrics/txCount.svg', 404],
      ['/embed/chain/201/metrics/nothing.svg', 400],
      ['/embed/chain/201/metrics/txCount.gif', 400],
      ['/embed/chain/201/metrics/txCount.svg?compare=999', 404],
      ['/embed/networks/fuji/metrics/totalStake.svg', 404],
      ['/embed/chain/203/metrics/contracts.svg?range=all', 503],
    ] as const) {
      const response = await get(url)
      expect(response.statusCode, url).toBe(status)
      expect(response.json()).toMatchObject({ statusCode: status })
    }
    const method = await service.app.inject({ method: 'POST', url: path })
    expect([method.statusCode, method.headers['allow']]).toEqual([405, 'GET, HEAD'])
  })
})
