import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { graphColours } from '../../../charts/graph/marks.ts'
import { inTheme } from '../../../charts/palette.ts'
import { fromCheckedHex } from '../../../protocol/ids/text.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import recorded from '../../testing/fixtures/primary-recorded.json' with { type: 'json' }
import { fujiKeys, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import {
  idText,
  startPrimaryService,
  walletText,
  type PrimaryService,
} from '../../testing/primary-service.ts'
import { readPng, readSvg, type ReadSvg } from '../../testing/read-svg.ts'

const start = 1_700_000_000

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  await insertPrimary(
    database,
    'vertices',
    Array.from({ length: 40 }, (_, index) => ({
      chain: fujiKeys.x,
      index,
      ts: start - 1_000 + index,
      id: idBytes(`vertex ${index}`),
      height: Math.floor(index / 3),
      parents:
        index === 0 ? [] : [idBytes(`vertex ${index - 1}`), idBytes(`vertex ${Math.max(0, index - 2)}`)],
      // The ninth transaction is in two vertices.
      transactions: index === 20 ? [idBytes('x 20'), idBytes('x 9')] : [idBytes(`x ${index}`)],
      is_stop: index === 39,
    })),
  )
  await insertPrimary(database, 'utxos', [
    {
      chain: fujiKeys.x,
      height: -1,
      ts: start - 1_000,
      tx_id: idBytes('x 0'),
      utxo_id: idBytes('made in a vertex'),
      home: fujiKeys.x,
      amount: '7',
      owner: shortBytes('owner'),
      spent_chain: fujiKeys.x,
      spent_height: -1,
      spent_index: 1,
      spent_input: 0,
      spent_ts: start - 999,
      spent_tx: idBytes('x 1'),
    },
  ])
  const transaction = recorded.find(({ chain, hex }) => chain === 'x-chain' && hex.startsWith('00000000', 6))
  await insertPrimary(
    database,
    'primary_transactions',
    [0, 8, 9].map((index) => ({
      chain: fujiKeys.x,
      height: -1,
      index,
      ts: start - 1_000 + index,
      id: idBytes(`x ${index}`),
      type: 0,
      bytes: Buffer.from(fromCheckedHex(transaction?.hex ?? '')).subarray(2),
    })),
  )
  network = await startPrimaryService(
    database,
    {},
    { indexers: new Map([['fuji/x-chain', { blocksApplied: 5 }]]) },
  )
  await database`update primary_chains set node_height = 9, node_seen_ts = ${start} where chain = ${fujiKeys.x}`
  await insertPrimary(database, 'primary_blocks', [
    { chain: fujiKeys.x, height: 2, ts: start - 5, id: idBytes('block'), parent_id: idBytes('stop') },
  ])
  await database`insert into c_proposers (chain, from_height, to_height) values (${fujiKeys.c}, 3, 8)`
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

describe('vertices', () => {
  const indexes = (items: readonly Record<string, unknown>[]): number[] =>
    items.map(({ vertexIndex }) => Number(vertexIndex))
  const range = (from: number, before: number): number[] =>
    Array.from({ length: before - from }, (_, index) => from + index)

  test('are listed latest first, and at one height in both orders', async () => {
    const path = '/blockchains/x-chain/vertices'
    expect(indexes(await network.walk(`${path}?pageSize=9`, 'vertices'))).toEqual(range(0, 40).reverse())
    const at = `${path}:listByHeight?vertexHeight=5&pageSize=2`
    expect(indexes(await network.walk(`${at}&sortOrder=asc`, 'vertices'))).toEqual([15, 16, 17])
    expect(indexes(await network.walk(at, 'vertices'))).toEqual([17, 16, 15])
  })

  test('have their parents and transactions', async () => {
    const { body } = await network.get(`/blockchains/x-chain/vertices/${idText('vertex 8')}`)
    expect(body).toEqual({
      vertexHash: idText('vertex 8'),
      parentHashes: [idText('vertex 7'), idText('vertex 6')],
      vertexHeight: 2,
      vertexIndex: 8,
      vertexTimestamp: start - 992,
      txCount: 1,
      transactions: [idText('x 8')],
      vertexSizeBytes: 300,
    })
  })

  test('are returned for a graph from a height on, or the latest ones, lowest first', async () => {
    const graph = async (query: string) =>
      (await network.get(`/blockchains/x-chain/vertices:graph?${query}`)).body
    const from = await graph('startHeight=3&count=5')
    expect(indexes(from['vertices'] as Record<string, unknown>[])).toEqual(range(9, 14))
    expect([from['firstHeight'], from['lastHeight']]).toEqual([0, 13])
    const latest = await graph('count=4')
    expect(indexes(latest['vertices'] as Record<string, unknown>[])).toEqual(range(36, 40))
    expect((latest['vertices'] as { isStop: boolean }[]).map(({ isStop }) => isStop)).toEqual([
      false,
      false,
      false,
      true,
    ])
  })

  test.each([
    ['/blockchains/p-chain/vertices', 400],
    ['/blockchains/11111111111111111111111111111111LpoYY/vertices', 400],
    ['/blockchains/x-chain/vertices:graph?count=2001', 400],
    ['/blockchains/x-chain/vertices:listByHeight', 400],
  ])('%s is a %i', async (path, status) => {
    expect((await network.get(path)).status).toBe(status)
  })
})

describe('the picture of the graph', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    network.service.app.inject({ url: `/embed/networks/fuji/vertices${path}`, headers })
  const svg = async (query: string): Promise<ReadSvg> => {
    const response = await get(`.svg${query}`)
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/svg+xml'])
    return readSvg(response.body)
  }
  const data = ({ elements }: ReadSvg, key: 'fill' | 'stroke', colour: keyof typeof graphColours): string =>
    elements.find(({ attributes }) => attributes[key] === inTheme(graphColours[colour], 'light'))?.attributes[
      'd'
    ] ?? ''
  /** The middles of the circles. */
  const circles = (picture: ReadSvg): [number, number][] =>
    [...data(picture, 'fill', 'node').matchAll(/M([-\d.]+),([-\d.]+)A([\d.]+),/g)].map(
      ([, right, y, radius]) => [Number(right) - Number(radius), Number(y)],
    )
  const texts = ({ elements }: ReadSvg): string[] =>
    elements.flatMap(({ name, text }) => (name === 'text' ? [text] : []))
  /** The labels of the axis of heights, from the left. */
  const heights = ({ elements }: ReadSvg): number[] =>
    elements.flatMap(({ name, attributes, text }) =>
      name === 'text' && attributes['text-anchor'] === 'middle' ? [Number(text)] : [],
    )

  test('has a mark for each vertex, in layers by height, and a line to each parent', async () => {
    const picture = await svg('?width=1600&height=420')
    expect(picture.title).toBe('Vertices of the X-Chain · Test network')
    expect(texts(picture)).toContain(
      'edges lead to parents on the left · the chain has vertices at heights 0 to 13',
    )
    // Forty vertices, three at each height; the fortieth is the stop vertex, a square.
    const places = circles(picture)
    expect(places).toHaveLength(39)
    expect(new Set(places.map(([x]) => x)).size).toBe(13)
    expect(data(picture, 'fill', 'node')).not.toContain('h')
    expect(data(picture, 'fill', 'stop').match(/h[\d.]+v[\d.]+h-[\d.]+Z/g)).toHaveLength(1)
    // Each vertex but the first names two parents: the lines lead from its layer to theirs.
    const layers = [...new Set(places.map(([x]) => x))].toSorted((a, b) => a - b)
    const gap = (layers[1] ?? 0) - (layers[0] ?? 0)
    const layerOf = (x: string | undefined): number => Math.round((Number(x) - (layers[0] ?? 0)) / gap)
    const lines = [
      ...data(picture, 'stroke', 'edge').matchAll(/M([-\d.]+),[-\d.]+C[^M]*?,([-\d.]+),[-\d.]+(?=M|$)/g),
    ]
    expect(lines.map(([, from, to]) => `${layerOf(from)} to ${layerOf(to)}`).toSorted()).toEqual(
      Array.from({ length: 39 }, (_, index) => index + 1)
        .flatMap((index) => [index - 1, Math.max(0, index - 2)].map((parent) => [index, parent]))
        .map((pair) => pair.map((index) => Math.floor(index / 3)).join(' to '))
        .toSorted(),
    )
    expect(heights(picture)).toEqual(Array.from({ length: 14 }, (_, height) => height))
    expect(texts(picture)).toContain('stop vertex, the last one')
  })

  test('shows as much as can be told apart: the latest heights, or those from a height on', async () => {
    // At once, so that one would share the data of the other if they were taken for the same.
    const [latest, picture] = await Promise.all([svg('?width=400'), svg('?width=400&from=2')])
    expect(heights(latest).at(-1)).toBe(13)
    expect(heights(latest)[0]).toBeGreaterThan(3)
    expect(heights(picture)[0]).toBe(2)
    expect(heights(picture).at(-1)).toBeLessThan(13)
    const last = await svg('?from=13')
    expect([circles(last), heights(last)]).toEqual([[], [13]])
    expect(texts(await svg('?from=14'))).toContain('No vertex is at height 14 or above')
  })

  test('is a PNG too, and a 304 until a vertex is added', async () => {
    const { rawPayload } = await get('.png?theme=dark&width=400&height=220&density=2')
    const png = await readPng(rawPayload)
    expect([png.width, png.height, png.colourAt(3, 3)]).toEqual([800, 440, '#12151c'])
    expect(png.colours).toBeGreaterThan(20)

    const tag = String((await get('.svg')).headers['etag'])
    expect((await get('.svg', { 'if-none-match': tag })).statusCode).toBe(304)
    const one = { chain: fujiKeys.x, index: 40, ts: start, id: idBytes('vertex 40'), height: 14 }
    await insertPrimary(store.database, 'vertices', [
      { ...one, parents: [idBytes('vertex 39')], transactions: [], is_stop: false },
    ])
    try {
      expect((await get('.svg', { 'if-none-match': tag })).statusCode).toBe(200)
      expect(circles(await svg('?from=13&height=421'))).toHaveLength(1)
    } finally {
      await store.database`delete from vertices where index = 40`
    }
  })

  test('has a page for iframes that leads to the graph, and says what a query lacks', async () => {
    const { body } = await get('?from=2')
    expect(body).toContain('src="/embed/networks/fuji/vertices.svg?from=2&amp;theme=light')
    expect(body).toContain('href="/networks/fuji/vertices?from=2"')
    expect((await get('.svg?from=-1')).statusCode).toBe(400)
    expect((await network.service.app.inject('/embed/networks/nowhere/vertices.svg')).statusCode).toBe(400)
  })
})

test('a list of transactions contains the vertices of each', async () => {
  const { body } = await network.get('/blockchains/x-chain/transactions?sortOrder=asc')
  const [first, second, both] = body['transactions'] as Record<string, unknown>[]
  const vertex = (index: number, height: number) => ({
    hash: idText(`vertex ${index}`),
    height,
    timestamp: start - 1_000 + index,
  })
  expect(first).toMatchObject({ txHash: idText('x 0'), vertices: [vertex(0, 0)] })
  expect(second).toMatchObject({ txHash: idText('x 8'), vertices: [vertex(8, 2)] })
  expect(both).toMatchObject({ txHash: idText('x 9'), vertices: [vertex(9, 3), vertex(20, 6)] })
})

test('a UTXO created and spent in vertices has no blocks, but their times', async () => {
  const { body } = await network.get(
    `/blockchains/x-chain/utxos?addresses=${walletText('owner')}&includeSpent=true`,
  )
  const [utxo] = body['utxos'] as Record<string, unknown>[]
  expect(utxo).toMatchObject({
    txHash: idText('x 0'),
    blockTimestamp: start - 1_000,
    consumingTxHash: idText('x 1'),
    consumingBlockTimestamp: start - 999,
  })
  expect(utxo).not.toHaveProperty('blockNumber')
  expect(utxo).not.toHaveProperty('consumingBlockNumber')
})

test('/metrics has the figures of the chains, and what their indexers count', async () => {
  const { body } = await network.service.app.inject('/metrics')
  const lines = body.split('\n')
  const x = 'chain="fuji/x-chain"'
  for (const [kind, value] of Object.entries({
    indexed: 2,
    node: 9,
    lag: 7,
    indexed_seconds: start - 5,
    node_seen_seconds: start,
    vertices: 40,
    pending_imports: 0,
  }))
    expect(lines).toContain(`ridgeline_primary{${x},kind="${kind}"} ${value}`)
  expect(lines).toContain('ridgeline_primary{chain="fuji/c-chain",kind="proposers_from"} 3')
  expect(lines).toContain('ridgeline_primary{chain="fuji/c-chain",kind="proposers_to"} 8')
  expect(lines).toContain(`ridgeline_indexer{${x},name="blocksApplied"} 5`)
})
