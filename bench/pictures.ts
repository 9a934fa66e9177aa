import { createCanvas } from '@napi-rs/canvas'
import type { Database } from '../server/store/database.ts'
import { latencyFigures } from './support/latency.ts'
import { say } from './support/paths.ts'
import { atMost, quantile, type Figure, type Report } from './support/report.ts'
import { syntheticChainConfig, withRows } from './support/service.ts'
import { fillSyntheticRows, syntheticChain } from './rows/synthetic-rows.ts'
import { timeEach } from './support/time-each.ts'
import { openTimer } from './support/time-http.ts'

const servicePort = 18_855

const transactions = 40_000
/** The key of the X-Chain of `fuji` (server/primary). */
const xChain = 12
const genesisTime = 1_700_000_000
const day = 86_400
/** The hours of the chart: one block each. */
const hours = 2_160

/** Pictures of each kind, after some to warm up. */
const samples = 40
const warming = 5

/** Budget of docs/performance.md for a new picture, in milliseconds at p50. */
const limit = 300

/** A chain with a block an hour, so that a chart of 90 days has 2,160 points. */
async function fillHours(sql: Database): Promise<void> {
  await fillSyntheticRows(sql, transactions)
  await sql`update blocks set ts = ${genesisTime}::bigint + number * 3600 where chain = ${syntheticChain}`
  await sql.unsafe(vertexRows)
}

/** Vertices in layers of one to seven, each with two parents in the layer before: the last 300 are drawn. */
const vertexRows = `
  with layers as (
    select height, 1 + height * 5 % 7 as width, sum(1 + height * 5 % 7) over (order by height) as before
    from generate_series(0, 2999) as height
  )
  insert into vertices (chain, index, ts, id, height, parents, transactions, size, is_stop)
  select ${xChain}, before - width + place, ${genesisTime} + height, sha256(int8send(height * 8 + place)), height,
    case when height = 0 then '{}' else array[
      sha256(int8send((height - 1) * 8 + place % (1 + (height - 1) * 5 % 7))),
      sha256(int8send((height - 1) * 8))] end,
    array[sha256(int8send(-height * 8 - place))], 500, height = 2999
  from layers cross join lateral generate_series(0, width - 1) as place`

/** Sizes of pictures in CSS pixels, with the density of a PNG. */
const sizes = [
  { name: 'usual, 800 × 420', width: 800, height: 420, density: 1 },
  { name: 'shared links, 600 × 315 at density 2', width: 600, height: 315, density: 2 },
  { name: 'largest, 1,600 × 1,000 at density 2', width: 1600, height: 1000, density: 2 },
] as const
type Size = (typeof sizes)[number]

/** Paths of pictures that differ by a pixel of width, so that none has been drawn before. */
function fresh(format: 'svg' | 'png', { width, height, density }: Size, count: number): string[] {
  const from = genesisTime + day
  return Array.from({ length: count }, (_, index) => {
    const query = `from=${from}&to=${from + hours * 3600}&interval=day&width=${width - index}&height=${height}`
    return `/embed/chain/${syntheticChain}/metrics/txCount.${format}?${query}&density=${density}`
  })
}

/** The median time to fill as many pixels with one colour and to encode them with the canvas's own encoder. */
async function barePng({ width, height, density }: Size): Promise<number> {
  const paint = async (): Promise<Buffer> => {
    const canvas = createCanvas(width * density, height * density)
    const context = canvas.getContext('2d')
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    return canvas.encode('png')
  }
  return quantile(await timeEach(Array.from({ length: 15 }, () => paint)), 0.5)
}

/** p50, which has the budget, and p99 of a new picture. */
function newFigures(name: string, times: readonly number[], anchor: Figure['anchor']): Figure[] {
  const shared = { unit: 'ms', ...(anchor && { anchor }) }
  return [
    { ...shared, name: `${name}, p50`, value: quantile(times, 0.5), budget: atMost(limit) },
    { ...shared, name: `${name}, p99`, value: quantile(times, 0.99) },
  ]
}

/** Measures pictures, one request at a time: new ones of several sizes, one that is kept, and a conditional request. */
export async function runPictureBench(): Promise<Report> {
  const config = {
    networks: [
      { id: 'fuji', name: 'Synthetic', networkId: 5, prefix: 'fuji', nodeUrl: 'http://127.0.0.1:9' },
    ],
    chains: [syntheticChainConfig(Number(syntheticChain))],
  }
  return withRows(
    { name: 'pictures', port: servicePort, config },
    ['picture_hours_and_vertices', 'a chain with a block an hour, and vertices', fillHours],
    async (service) => {
      const figures: Figure[] = []
      const timer = openTimer(service.url)
      const points = `/v2/chains/${syntheticChain}/metrics/txCount?timeInterval=day&pageSize=100`
      await timer.time(Array.from({ length: warming }, () => points))
      const answer = {
        name: 'points',
        value: quantile(await timer.time(Array.from({ length: samples }, () => points)), 0.5),
      }
      const svgSizes = sizes.filter(({ density, width }) => density === 1 || width > 1000)
      for (const size of svgSizes) {
        say(`a new SVG, ${size.name} …`)
        const paths = fresh('svg', size, warming + samples)
        await timer.time(paths.slice(0, warming))
        const name = `new SVG, ${size.name.split(' at ')[0] ?? ''}`
        figures.push(...newFigures(name, await timer.time(paths.slice(warming)), answer))
      }
      for (const size of sizes) {
        say(`a new PNG, ${size.name} …`)
        const paths = fresh('png', size, warming + samples)
        await timer.time(paths.slice(0, warming))
        const anchor = { name: 'bare canvas', value: await barePng(size) }
        const before = service.cpuSeconds()
        const times = await timer.time(paths.slice(warming))
        const cpu = ((service.cpuSeconds() - before) * 1_000) / samples
        figures.push(...newFigures(`new PNG, ${size.name}`, times, anchor))
        // Other programs on the machine hardly change it.
        figures.push({ name: `new PNG, ${size.name}, CPU time of the service`, value: cpu, unit: 'ms' })
      }
      say('a kept PNG, and a conditional request …')
      const [path = ''] = fresh('png', sizes[0], 1)
      await timer.text(path)
      figures.push(
        ...latencyFigures('kept PNG', await timer.time(Array.from({ length: samples }, () => path)), answer),
      )
      for (const format of ['svg', 'png'] as const) {
        say(`a new graph of vertices, ${format} …`)
        const paths = Array.from(
          { length: warming + samples },
          (_, index) => `/embed/networks/fuji/vertices.${format}?width=${800 - index}`,
        )
        await timer.time(paths.slice(0, warming))
        const name = `new ${format.toUpperCase()} of 300 vertices, 800 × 420`
        figures.push(...newFigures(name, await timer.time(paths.slice(warming)), answer))
      }
      timer.close()
      const tag = (await fetch(service.url + path)).headers.get('etag') ?? ''
      const asking = openTimer(service.url, { headers: { 'if-none-match': tag }, status: 304 })
      figures.push(
        ...latencyFigures('304', await asking.time(Array.from({ length: samples }, () => path)), answer),
      )
      asking.close()
      return {
        title: 'Pictures of a chart of 90 days, and of the graph of vertices',
        figures,
        notes: [
          'Anchors: the points of the chart as JSON, from the same service; and a canvas of as many pixels in one ' +
            'colour, encoded by the canvas itself in the process of the bench.',
        ],
      }
    },
  )
}
