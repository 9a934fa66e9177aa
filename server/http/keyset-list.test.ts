import { expect, test } from 'vitest'
import { listBlocks, listBlockTransactions } from '../../contract/evm/blocks.ts'
import { createPageTokens } from '../kernel/page-tokens.ts'
import type { StoreGate } from '../store/store-gate.ts'
import type { HeadCache } from './head-cache.ts'
import { cut, cutByWeight, fillPage, openList, type CursorShape } from './keyset-list.ts'

const pageTokens = createPageTokens(Buffer.from('secret'), () => 1_790_000_000)
const context = {
  store: { get: () => ({ pageTokens }) } as unknown as StoreGate,
  headCache: {} as HeadCache,
}

type Row = { readonly height: bigint; readonly id: Buffer; readonly name: string }
const shape = { height: 'bigint', id: 'bytes' } as const
const start: Pick<Row, 'height' | 'id'> = { height: -1n, id: Buffer.alloc(0) }

const rowsAfter = (rows: readonly Row[], after: typeof start): Row[] =>
  rows.filter(
    ({ height, id }) =>
      height > after.height || (height === after.height && Buffer.compare(id, after.id) > 0),
  )

async function walkAll(rows: readonly Row[], pageSize: number): Promise<string[][]> {
  const pages: string[][] = []
  let pageToken: string | undefined
  do {
    const list = openList(context, listBlocks, shape, { chainId: '1' }, { pageToken, pageSize })
    const page = await list.page(start, (after, limit) =>
      Promise.resolve(rowsAfter(rows, after).slice(0, limit)),
    )
    pages.push(page.rows.map(({ name }) => name))
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return pages
}

test('returns every row once and in order, in full pages except for the last', async () => {
  for (const count of [0, 1, 5, 6, 7]) {
    const rows = Array.from({ length: count }, (_, index) => ({
      // Larger than a number can hold exactly.
      height: 2n ** 60n + BigInt(index >> 1),
      id: Buffer.from([index & 1, 255]),
      name: `row ${index}`,
    }))
    for (const pageSize of [1, 3, 6]) {
      const pages = await walkAll(rows, pageSize)
      expect(pages.flat()).toEqual(rows.map(({ name }) => name))
      expect(pages).toHaveLength(Math.max(1, Math.ceil(count / pageSize)))
    }
  }
})

test('continues an empty page at its start', async () => {
  const rows = [{ height: 5n, id: Buffer.of(1), name: 'first' }]
  const open = (pageSize: number, pageToken?: string) =>
    openList(context, listBlocks, shape, {}, { pageToken, pageSize }).page(start, (after, limit) =>
      Promise.resolve(rowsAfter(rows, after).slice(0, limit)),
    )
  const none = await open(0)
  expect(none).toEqual({ rows: [], nextPageToken: expect.any(String) })
  expect(await open(1, none.nextPageToken)).toEqual({ rows, nextPageToken: undefined })
})

test('accepts a page token for its operation, filters and cursor columns only', async () => {
  const open = (
    operation: typeof listBlocks | typeof listBlockTransactions,
    cursor: CursorShape,
    filters: Record<string, unknown>,
    query: Record<string, unknown>,
    pageToken?: string,
  ) => openList(context, operation, cursor, filters, { ...query, pageToken, pageSize: 1 })
  const filters = { chainId: '1' }
  const query = { sortOrder: 'asc' }
  const { nextPageToken } = await open(listBlocks, shape, filters, query).walk(start, (after) =>
    Promise.resolve({ rows: [], next: after }),
  )
  expect(open(listBlocks, shape, filters, query, nextPageToken).after).toEqual(start)
  expect(open(listBlocks, shape, filters, { ...query, startBlock: undefined }, nextPageToken).after).toEqual(
    start,
  )
  const refused = expect.objectContaining({ status: 400 })
  for (const wrong of [
    () => open(listBlockTransactions, shape, filters, query, nextPageToken),
    () => open(listBlocks, { height: 'bigint', index: 'number' }, filters, query, nextPageToken),
    () => open(listBlocks, shape, { chainId: '2' }, query, nextPageToken),
    () => open(listBlocks, shape, filters, { sortOrder: 'desc' }, nextPageToken),
  ]) {
    expect(wrong).toThrow(refused)
  }
})

type Weighed = { readonly weight: number; readonly index: number }

test('ends a page early at its weight limit and continues after its last row', () => {
  const rows = [4, 4, 4, 9].map((weight, index) => ({ weight, index }))
  const weigh = (max: number, pageSize: number) => {
    const stretch = cutByWeight<Weighed, Weighed>(cut(rows, pageSize), max, ({ weight }) => weight)
    return [stretch.rows.map(({ index }) => index), stretch.next?.index]
  }
  expect(weigh(8, 4)).toEqual([[0, 1], 1])
  expect(weigh(3, 4)).toEqual([[0], 0])
  expect(weigh(21, 4)).toEqual([[0, 1, 2, 3], undefined])
  expect(weigh(21, 3)).toEqual([[0, 1, 2], 2])
})

test('reads past filtered rows up to a limit to fill a page', async () => {
  const fill = async (last: number, every: number) => {
    const lookedAt: number[] = []
    const { rows, next } = await fillPage(2, { place: 0 }, ({ place }, limit, lookAt) => {
      lookedAt.push(lookAt)
      const until = Math.min(place + lookAt, last)
      const found = Array.from({ length: until - place }, (_, index) => ({ place: place + index + 1 }))
        .filter((row) => row.place % every === 0)
        .slice(0, limit)
      return Promise.resolve({ rows: found, horizon: until === last ? undefined : { place: until } })
    })
    return { found: rows.map(({ place }) => place), next: next?.place, lookedAt }
  }
  expect(await fill(1_000, 10)).toEqual({ found: [10, 20], next: 20, lookedAt: [400] })
  expect(await fill(1_000, 300)).toEqual({ found: [300, 600], next: 600, lookedAt: [400, 5_000] })
  expect(await fill(1_000, 600)).toEqual({ found: [600], next: undefined, lookedAt: [400, 5_000] })
  expect(await fill(50_000, 40_000)).toEqual({
    found: [],
    next: 20_400,
    lookedAt: [400, 5_000, 5_000, 5_000, 5_000],
  })
})
