import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
