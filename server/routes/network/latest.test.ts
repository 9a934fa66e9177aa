import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseLossless } from '../../../contract/base/json.ts'
import { addressOf, hashOf, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { fujiKeys, idBytes, insertPrimary } from '../../testing/primary-rows.ts'
import { startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'

const chains = [43113, 431301]
const start = 1_700_000_000
/** More nAVAX than a double holds to the last digit. */
const fees = 9_007_199_254_740_993n

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  for (const chain of chains)
    await seedChain(database, {
      chain,
      blocks: Array.from({ length: 6 }, (_, number) => ({
        number,
        ts: start + number,
        txs: [
          {
            hash: hashOf(`${chain} ${number}`),
            from: addressOf('alice'),
            to: addressOf('bob'),
            value: BigInt(number),
          },
        ],
      })),
    })
  for (const [alias, chain] of Object.entries({ p: fujiKeys.p, x: fujiKeys.x })) {
    await insertPrimary(
      database,
      'primary_blocks',
      Array.from({ length: 5 }, (_, height) => ({
        chain,
        height,
        ts: start + height,
        id: idBytes(`${alias} block ${height}`),
        parent_id: idBytes(`${alias} block ${height - 1}`),
        type: alias === 'p' ? 32 : 0,
        tx_count: 1,
        accrued_fees: alias === 'p' ? fees : null,
      })),
    )
    if (alias === 'x') continue
    await insertPrimary(
      database,
      'primary_transactions',
      Array.from({ length: 5 }, (_, height) => ({
        chain,
        height,
        index: 0,
        type: 99,
        ts: start + height,
        id: idBytes(`${alias} tx ${height}`),
        // A type of the P-Chain that no codec knows has nothing to decode except its type id.
        bytes: Buffer.concat([Buffer.from('00000063', 'hex'), Buffer.alloc(8)]),
        utxo_count: 0,
      })),
    )
  }
  network = await startPrimaryService(database, {
    chains: chains.map((id) => ({
      evmChainId: id,
      name: `Chain ${id}`,
      rpcUrl: 'http://127.0.0.1:9',
      isTestnet: true,
    })),
  })
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

/** The answer of a path with all its digits. */
async function ask(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const { statusCode, body } = await network.service.app.inject(path)
  return { status: statusCode, body: parseLossless(body) as Record<string, unknown> }
}

test('is what the lists of each chain answer, in the order asked for', async () => {
  const ids = chains.toReversed()
  const { status, body } = await ask(
    `/v1/latest?network=fuji&chainIds=${ids.join(',')}&blocks=3&transactions=2`,
  )
  expect(status).toBe(200)
  const expected = await Promise.all(
    ids.map(async (id) => {
      const { blocks } = (await ask(`/v1/chains/${id}/blocks?pageSize=3`)).body
      const { transactions } = (await ask(`/v1/chains/${id}/transactions?pageSize=2`)).body
      const { transactions: movements } = (
        await ask(`/v1/chains/${id}/transactions:listMovements?positions=5-0,4-0`)
      ).body
      return { chainId: String(id), blocks, transactions, movements }
    }),
  )
  expect(body['chains']).toEqual(expected)
  expect(expected.map(({ blocks }) => (blocks as unknown[]).length)).toEqual([3, 3])

  const primary = await Promise.all(
    ['p-chain', 'x-chain', 'c-chain'].map(async (chainName) => {
      const root = `/v1/networks/fuji/blockchains/${chainName}`
      // That of a chain without an indexed block is a 503.
      const { transactions = [] } = (await ask(`${root}/transactions?pageSize=2`)).body
      // The blocks of the C-Chain are listed once, as those of its EVM chain.
      const { blocks } =
        chainName === 'c-chain' ? { blocks: [] } : (await ask(`${root}/blocks?pageSize=3`)).body
      return { chainName, blocks, transactions }
    }),
  )
  expect(body['primary']).toEqual(primary)
  const [{ blocks: [newest] = [] } = {}] = body['primary'] as { blocks: Record<string, unknown>[] }[]
  expect(newest?.['l1ValidatorsAccruedFees']).toBe(fees)
})

test('takes the first chains of the network by itself, and refuses unknown and too many ones', async () => {
  const { body } = await ask('/v1/latest?network=fuji')
  expect((body['chains'] as { chainId: string }[]).map(({ chainId }) => chainId)).toEqual(chains.map(String))
  expect((await ask('/v1/latest?network=fuji&chainIds=7')).status).toBe(404)
  const many = Array.from({ length: 9 }, () => '43113').join(',')
  expect((await ask(`/v1/latest?network=fuji&chainIds=${many}`)).status).toBe(400)
})

test('has no primary network where none is served', async () => {
  const { status, body } = await ask('/v1/latest?network=mainnet')
  expect(status).toBe(200)
  expect(body).toEqual({ chains: [], primary: [] })
})
