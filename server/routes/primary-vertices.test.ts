import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { fujiKeys, idBytes, insertPrimary } from '../testing/primary-rows.ts'
import { idText, startPrimaryService, type PrimaryService } from '../testing/primary-service.ts'

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
      transactions: [idBytes(`x ${index}`)],
      is_stop: index === 39,
    })),
  )
  network = await startPrimaryService(database)
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

  test('come latest first, and at one height in both orders', async () => {
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

  test('are drawn from a height on, or the latest, lowest first', async () => {
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
