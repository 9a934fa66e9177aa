import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, insertBlocks, revertTo, seedChain, type SeedBlock } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

// Invariant I7: a listing returns each row once, regardless of changes to the chain between its pages.
const chain = 43113

function block(number: number, branch = 'main'): SeedBlock {
  const count = (number * 7 + (branch === 'main' ? 0 : 3)) % 5
  return {
    number,
    ts: 1_700_000_000 + number * 2,
    branch,
    txs: Array.from({ length: count }, (_, index) => ({ from: addressOf(`${index}`), to: addressOf('x') })),
  }
}

const range = (from: number, before: number, branch?: string): SeedBlock[] =>
  Array.from({ length: before - from }, (_, index) => block(from + index, branch))

let store: TestDatabase
let service: TestService
let head = 60

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: range(0, head) })
  service = await startTestService(store.database)
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

type Row = { blockNumber: string; blockIndex?: number; blockHash: string }

async function walk(
  list: 'blocks' | 'transactions',
  order: 'asc' | 'desc',
  between: (page: number) => Promise<void>,
): Promise<Row[]> {
  const rows: Row[] = []
  let token: string | undefined
  for (let page = 1; page < 200; page += 1) {
    const response = await service.app.inject(
      `/v1/chains/${chain}/${list}?pageSize=7&sortOrder=${order}${token === undefined ? '' : `&pageToken=${token}`}`,
    )
    expect(response.statusCode).toBe(200)
    const body = response.json() as Record<string, unknown>
    rows.push(...(body[list] as Row[]))
    token = body['nextPageToken'] as string | undefined
    if (token === undefined) return rows
    await between(page)
  }
  throw new Error('the walk does not end')
}

const place = (row: Row): number => Number(row.blockNumber) * 1000 + (row.blockIndex ?? 0)

function expectOnceInOrder(rows: readonly Row[], order: 'asc' | 'desc'): void {
  const places = rows.map(place)
  const sorted = [...new Set(places)].sort((left, right) => (order === 'asc' ? left - right : right - left))
  expect(places).toEqual(sorted)
}

async function grow(): Promise<void> {
  await insertBlocks(store.database, chain, range(head, head + 3))
  head += 3
}

/** Replaces the last blocks with another branch of the same length. */
async function reorg(depth: number, branch: string): Promise<void> {
  await revertTo(store.database, chain, head - depth - 1)
  await insertBlocks(store.database, chain, range(head - depth, head, branch))
}

async function expected(list: 'blocks' | 'transactions'): Promise<number> {
  const table = list === 'blocks' ? 'blocks' : 'transactions'
  const [row] = await store.database.unsafe<{ count: bigint }[]>(`select count(*) from ${table}`)
  return Number(row?.count)
}

test.each(['blocks', 'transactions'] as const)('%s: new blocks arrive during the walk', async (list) => {
  const before = await expected(list)
  const down = await walk(list, 'desc', grow)
  expectOnceInOrder(down, 'desc')
  // In descending order, blocks that arrive after the first page are not returned.
  expect(down).toHaveLength(before)
  const end = head
  const up = await walk(list, 'asc', async (page) => (page <= 3 ? grow() : undefined))
  expectOnceInOrder(up, 'asc')
  expect(head).toBe(end + 9)
  expect(up).toHaveLength(await expected(list))
})

test.each(['blocks', 'transactions'] as const)('%s: blocks are replaced during the walk', async (list) => {
  for (const order of ['asc', 'desc'] as const) {
    const rows = await walk(list, order, (page) => reorg(4 + (page % 9), `${list} ${order} ${page}`))
    expectOnceInOrder(rows, order)
    // No height is missing either, although half of the blocks were replaced.
    if (list === 'blocks') expect(rows).toHaveLength(head)
  }
})

test('a chain that became shorter ends the listing', async () => {
  const first = await service.app.inject(
    `/v1/chains/${chain}/blocks?pageSize=7&sortOrder=asc&startBlock=${head - 9}`,
  )
  const { nextPageToken } = first.json()
  await revertTo(store.database, chain, head - 8)
  const rest = await service.app.inject(
    `/v1/chains/${chain}/blocks?pageSize=7&sortOrder=asc&startBlock=${head - 9}&pageToken=${nextPageToken}`,
  )
  expect(rest.json()).toEqual({ blocks: [] })
})
