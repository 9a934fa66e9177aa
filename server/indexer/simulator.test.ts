import { afterEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { verifyChain } from '../verify/chain.ts'
import {
  chainConfig,
  digest,
  startIndexer,
  storedHead,
  until,
  type RunningIndexer,
} from './testing/harness.ts'
import { Random } from './testing/random.ts'
import { SimulatedChain } from './testing/simulated-chain.ts'
import { faults, SimulatedNode } from './testing/simulated-node.ts'

/** Set a seed to replay one run: RIDGELINE_SEED=123 npx vitest run server/indexer/simulator.test.ts */
const given = process.env['RIDGELINE_SEED']
const seeds = given === undefined ? [1, 2, 3, 4, 5, 6] : [Number(given)]
const steps = 40
const reorgLimit = 12
const hard = [...faults, ...Array.from({ length: 10 }, () => 'empty logs' as const)]

describe('random reorgs, faults and restarts', () => {
  const open: TestDatabase[] = []
  const nodes: SimulatedNode[] = []
  let indexer: RunningIndexer | undefined
  afterEach(async () => {
    await indexer?.stop()
    indexer = undefined
    for (const node of nodes.splice(0)) await node.stop()
    for (const database of open.splice(0)) await database.drop()
  })

  test.each(seeds)('seed %i ends with the tables of an uninterrupted run', async (seed) => {
    const random = new Random(seed)
    const chain = new SimulatedChain(seed, {
      genesisTs: seed % 2 === 0 ? 0 : 1_700_000_000,
      ...(seed % 3 === 0 && { asyncFrom: 20 }),
    })
    let share = 0
    const node = new SimulatedNode({
      chain,
      // Missing logs of unsettled blocks are not detected at once.
      fault: () => (random.chance(share) ? random.pick(seed % 3 === 0 ? hard : faults) : undefined),
      traces: random.pick(['debug', 'trace']),
    })
    nodes.push(node)
    const rpcUrl = await node.start()
    const test = await createTestDatabase()
    open.push(test)
    const { database } = test
    const config = chainConfig({
      evmChainId: chain.id,
      rpcUrl,
      reorgLimit,
      concurrency: random.between(1, 8),
    })
    const caughtUp = () =>
      until(
        `seed ${seed} reaches block ${chain.height}`,
        async () => (await storedHead(database, chain.id))?.hash === chain.hash(chain.height),
      )

    chain.mine(random.between(1, 120))
    let highest = chain.height
    let reorgs = 0
    indexer = startIndexer(database, config)
    for (let step = 0; step < steps; step += 1) {
      share = random.chance(0.3) ? 0.15 : 0
      const event = random.between(0, 9)
      if (event <= 3) chain.mine(random.between(1, event === 0 ? 40 : 3))
      else if (event <= 7) {
        const deepest = chain.height - Math.max(0, highest - reorgLimit)
        if (deepest > 0) {
          const depth = random.between(1, deepest)
          chain.reorg(depth, random.between(1, depth + 4))
          reorgs += 1
        }
      } else if (event === 8) {
        node.reportedHead = Math.max(0, chain.height - random.between(1, 5))
      } else {
        await indexer.stop()
        indexer = startIndexer(database, config)
      }
      highest = Math.max(highest, chain.height)
      if (random.chance(0.4)) {
        node.reportedHead = undefined
        await caughtUp()
      }
    }
    share = 0
    node.reportedHead = undefined
    chain.settle()
    await caughtUp()
    await indexer.stop()
    indexer = undefined
    expect(reorgs).toBeGreaterThan(5)

    const report = await verifyChain({ database, chain: chain.id, rpcUrl })
    expect(report.findings.all(), `seed ${seed}`).toEqual([])
    expect(report.blocks).toBe(chain.height + 1)
    expect(report.values).toBeGreaterThan(100)

    const fresh = await createTestDatabase()
    open.push(fresh)
    indexer = startIndexer(fresh.database, config)
    await until(
      'the uninterrupted run ends',
      async () => (await storedHead(fresh.database, chain.id))?.number === chain.height,
    )
    await indexer.stop()
    indexer = undefined
    expect(await digest(database, chain.id), `seed ${seed}`).toEqual(await digest(fresh.database, chain.id))
  })
})
