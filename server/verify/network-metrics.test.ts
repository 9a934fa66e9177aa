import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import recorded from '../../protocol/fixtures/recorded.json' with { type: 'json' }
import { fromCheckedHex } from '../../protocol/ids/text.ts'
import { runPrimaryIndexers } from '../indexer/primary/networks.ts'
import { localNetwork } from '../indexer/primary/testing/local-network.ts'
import { RecordedNode } from '../indexer/primary/testing/recorded-node.ts'
import { testPace, until } from '../indexer/testing/harness.ts'
import type { NetworkConfig } from '../kernel/settings/config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { Findings } from './findings.ts'
import { compareNetworkMetrics } from './network-metrics.ts'
import { PrimaryNodeReader } from './primary-node.ts'

let store: TestDatabase
let node: RecordedNode
let network: NetworkConfig
let folder: string

/** A recorded local network, indexed to its head; its C-Chain is not. */
beforeAll(async () => {
  store = await createTestDatabase()
  node = new RecordedNode()
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-recount-'))
  const genesisFile = join(folder, 'genesis.bin')
  await writeFile(genesisFile, fromCheckedHex(recorded.genesis.hex))
  const { networks, chains } = localNetwork(await node.start())
  const [first] = networks
  if (!first) throw new Error('no network')
  network = { ...first, genesisFile }
  const stop = new AbortController()
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const indexing = runPrimaryIndexers({
    database: store.database,
    networks: [network],
    chains,
    logger: quiet,
    signal: stop.signal,
    pace: testPace,
  })
  await until('both chains are indexed', async () => {
    const rows = await store.database<{ chain: number; height: bigint }[]>`
      select chain, max(height) as height from primary_blocks group by chain order by chain`
    return (
      rows.map(({ chain, height }) => `${chain} ${height}`).join() ===
      `11 ${node.behaviour.pHeight},12 ${node.behaviour.xHeight}`
    )
  })
  stop.abort()
  await indexing
})
afterAll(async () => {
  await node.stop()
  await store.drop()
  await rm(folder, { recursive: true })
})

async function compare(): Promise<{ metrics: Set<string>; values: number; leftOut: readonly string[] }> {
  const findings = new Findings()
  const reader = new PrimaryNodeReader(network.nodeUrl, network.prefix)
  const { values, leftOut } = await compareNetworkMetrics(store.database, reader, network, findings)
  const metrics = new Set(findings.problems('I6').map((problem) => problem.split(' ')[0] ?? ''))
  return { metrics, values, leftOut }
}

test('finds nothing to complain about in an indexed network', async () => {
  const { metrics, values, leftOut } = await compare()
  expect([...metrics]).toEqual([])
  expect(values).toBeGreaterThan(45 * 4)
  expect(leftOut).toEqual(['network metrics of UTXOs: the C-Chain is not indexed'])
})

test('needs the genesis', async () => {
  const { genesisFile: _, ...without } = network
  const reader = new PrimaryNodeReader(network.nodeUrl, network.prefix)
  const { values, leftOut } = await compareNetworkMetrics(store.database, reader, without, new Findings())
  expect(values).toBe(0)
  expect(leftOut).toEqual(['network metrics: the configuration has no genesisFile to count from'])
})

describe('a broken value is found', () => {
  test.each([
    [
      'ownStake',
      `update stakers set weight = weight + $1 where not is_delegator and height = 0 and index = 0`,
    ],
    [
      'rewardsPending',
      `update stakers set potential_reward = potential_reward + $1 where height = 0 and index = 0`,
    ],
    ['currentSupply', `update primary_blocks set supply = supply + $1 where chain = 11 and height = 11`],
    [
      'pTransactions',
      `update primary_transactions set ts = ts + 100000000 * $1 where chain = 11 and height = 2`,
    ],
    [
      'pBurnedFees',
      `update utxos set amount = amount + $1 where chain = 11 and height > 0 and spent_height is null and reward_type is null and staked_from is null`,
    ],
    [
      'xBurnedFees',
      `update utxos set amount = amount + $1 where chain = 12 and height = 1 and output_index = 0`,
    ],
    ['messages', `update primary_transactions set ts = ts + 100000000 * $1 where chain = 11 and type = 35`],
    [
      'blockchains',
      `update blockchains set ts = ts + 100000000 * $1 where height = 0 and index = (select max(index) from blockchains)`,
    ],
  ])('%s', async (metric, statement) => {
    const broken = async (by: number): Promise<number> =>
      (await store.database.unsafe(statement.replaceAll('$1', `(${by})`))).count
    expect(await broken(1)).toBeGreaterThan(0)
    const { metrics } = await compare()
    await broken(-1)
    expect([...metrics]).toContain(metric)
    expect([...(await compare()).metrics]).toEqual([])
  })
})
