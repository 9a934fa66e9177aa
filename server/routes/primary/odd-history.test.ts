import { afterAll, beforeAll, expect, test } from 'vitest'
import { oddKinds } from '../../../contract/primary/odd-history.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { fujiKeys, idBytes, insertPrimary } from '../../testing/primary-rows.ts'
import { idText, startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'

const start = 1_700_000_000
const kinds = Object.keys(oddKinds)

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  const chain = fujiKeys.p
  await insertPrimary(
    database,
    'primary_blocks',
    [1, 2].map((height) => ({
      chain,
      height,
      ts: start + height,
      id: idBytes(`block ${height}`),
      parent_id: idBytes(`block ${height - 1}`),
      type: 32,
      tx_count: 1,
    })),
  )
  await insertPrimary(
    database,
    'primary_transactions',
    [1, 2].map((height) => ({
      chain,
      height,
      index: 0,
      type: 99,
      ts: start + height,
      id: idBytes(`tx ${height}`),
      bytes: Buffer.concat([Buffer.from('00000063', 'hex'), Buffer.alloc(8)]),
      utxo_count: 0,
    })),
  )
  await insertPrimary(
    database,
    'odd_history',
    kinds.map((kind) => ({ chain, height: 2, index: 0, kind, detail: `because of ${kind}` })),
  )
  await insertPrimary(database, 'odd_history', [
    { chain, height: 2, index: -1, kind: 'olderThanParent', detail: 'by 10 seconds' },
  ])
  network = await startPrimaryService(database)
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

const root = '/blockchains/p-chain'
const ofTransaction = kinds.toSorted().map((kind) => ({ kind, detail: `because of ${kind}` }))

test('a transaction says what is odd about it, alone and in lists; an ordinary one says nothing', async () => {
  const { body } = await network.get(`${root}/transactions/${idText('tx 2')}`)
  expect(body['oddHistory']).toEqual(ofTransaction)
  const listed = await network.walk(`${root}/transactions`, 'transactions')
  expect(listed.map((tx) => tx['oddHistory'])).toEqual([ofTransaction, undefined])
})

test('a block says what is odd about itself, and not what is about its transactions', async () => {
  const listed = await network.walk(`${root}/blocks`, 'blocks')
  expect(listed.map((block) => block['oddHistory'])).toEqual([
    [{ kind: 'olderThanParent', detail: 'by 10 seconds' }],
    undefined,
  ])
})
