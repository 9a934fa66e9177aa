import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { primaryChainKey } from '../../primary/chains.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { fujiKeys, fujiNetwork, idBytes, insertPrimary } from '../../testing/primary-rows.ts'
import { startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'

// Chains of the primary network are as ready, late or stopped as EVM chains, wherever a process tells it.

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  for (const [chain, height] of [
    [fujiKeys.p, 50],
    [fujiKeys.x, 20],
    [fujiKeys.c, 30],
  ] as const)
    await insertPrimary(store.database, 'primary_blocks', [
      { chain, height, ts: 1_790_000_000, id: idBytes(`${chain}`), parent_id: idBytes('parent') },
    ])
  network = await startPrimaryService(store.database, {
    networks: [{ ...fujiNetwork, lagLimit: 3 }],
    chains: [{ evmChainId: 43113, name: 'C', rpcUrl: 'http://127.0.0.1:9', network: 'fuji' }],
  })
  await store.database`
    insert into chains (chain, genesis_hash, start_block, state, node_block, node_seen_ts)
    values (43113, '\\x01', 0, 'live', 0, 0)`
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

beforeEach(async () => {
  const { now } = network.service
  await store.database`
    update primary_chains set state = 'live', reason = null, stopped_ts = null, node_seen_ts = ${now},
      node_height = (select max(height) from primary_blocks b where b.chain = primary_chains.chain)`
})

/** The reasons of /ready that are about the primary network. */
async function reasons(): Promise<string[]> {
  const { message } = (await network.service.app.inject('/ready')).json<{ message?: string | string[] }>()
  return [message ?? []].flat().filter((each) => each.startsWith('fuji/'))
}

const series = async (): Promise<string[]> =>
  (await network.service.app.inject('/metrics')).body.split('\n').filter((line) => !line.startsWith('#'))

describe.each([
  ['p-chain', fujiKeys.p],
  ['x-chain', fujiKeys.x],
  ['c-chain', fujiKeys.c],
] as const)('the %s', (name, chain) => {
  test('that follows its head is ready', async () => {
    expect(await reasons()).toEqual([])
    expect(await series()).toContain(`ridgeline_chain_stopped{chain="fuji/${name}"} 0`)
  })

  test('that has stopped is not, and its lag is not 0', async () => {
    const { now } = network.service
    await store.database`
      update primary_chains set state = 'stopped', reason = 'the node answered 401', stopped_ts = ${now},
        node_seen_ts = ${now - 5}
      where chain = ${chain}`
    expect(await reasons()).toEqual([`fuji/${name}: stopped: the node answered 401`])
    const lines = await series()
    expect(lines).toContain(`ridgeline_chain_stopped{chain="fuji/${name}"} 1`)
    const lag = `ridgeline_primary{chain="fuji/${name}",kind="lag"}`
    expect(lines.filter((line) => line.startsWith(lag))).toEqual([])
    // Once the node answers again, the lag is what it says.
    await store.database`
      update primary_chains set node_seen_ts = ${now}, node_height = node_height + 200 where chain = ${chain}`
    expect(await series()).toContain(`${lag} 200`)
  })

  test('that is behind, or whose node is silent, is not', async () => {
    const { now } = network.service
    await store.database`update primary_chains set node_height = node_height + 3 where chain = ${chain}`
    expect(await reasons()).toEqual([])
    await store.database`update primary_chains set node_height = node_height + 1 where chain = ${chain}`
    expect(await reasons()).toEqual([`fuji/${name}: 4 blocks behind the node; 3 are allowed`])
    expect(await series()).toContain(`ridgeline_chain_node_seconds{chain="fuji/${name}"} ${now}`)
    await store.database`update primary_chains set node_seen_ts = ${now - 61} where chain = ${chain}`
    expect(await series()).toContain(`ridgeline_chain_node_seconds{chain="fuji/${name}"} ${now - 61}`)
    expect(await reasons()).toEqual([`fuji/${name}: the node has not answered for 61 s`])
  })
})

test('a scrape reads the states of the chains once, and the next one again', async () => {
  const statements = vi.spyOn(store.database, 'unsafe')
  const states = () =>
    statements.mock.calls.filter(([text]) => / as state,.* left join primary_chains /s.test(text))
  await series()
  expect(states()).toHaveLength(1)
  await series()
  expect(states()).toHaveLength(2)
  statements.mockRestore()
})

test('a network that the configuration does not have has no series, whatever rows there are', async () => {
  const other = primaryChainKey('mainnet', 'p-chain')
  await store.database`
    insert into primary_chains (chain, blockchain_id, genesis_hash, avax_asset, state, node_height)
    values (${other}, '\\x01', '\\x01', '\\x01', 'live', 9)`
  const lines = await series()
  expect(lines.some((line) => line.includes('fuji/p-chain'))).toBe(true)
  expect(lines.filter((line) => line.includes('mainnet'))).toEqual([])
})
