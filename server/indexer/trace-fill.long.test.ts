import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { verifyChain } from '../verify/chain.ts'
import { sumTraces } from './evm/trace-sums.ts'
import { chainConfig, digest, digestOfFresh, startIndexer, storedHead, until } from './testing/harness.ts'
import { Random } from './testing/random.ts'
import { SimulatedChain } from './testing/simulated-chain.ts'
import { SimulatedNode } from './testing/simulated-node.ts'

/** Set a seed to replay a run: RIDGELINE_SEED=123 npx vitest run server/indexer/trace-fill.long.test.ts */
const seed = Number(process.env['RIDGELINE_SEED'] ?? 31)
const reorgLimit = 12

let testDatabase: TestDatabase
let node: SimulatedNode
let chain: SimulatedChain
let rpcUrl: string
const cleanups: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  chain = new SimulatedChain(seed)
  chain.mine(200)
  node = new SimulatedNode({ chain, traces: 'none' })
  rpcUrl = await node.start()
})

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
  await node.stop()
  await testDatabase.drop()
})

const config = () => chainConfig({ evmChainId: chain.id, rpcUrl, reorgLimit })
const isCaughtUp = async (database = testDatabase.database) =>
  (await storedHead(database, chain.id))?.hash === chain.hash(chain.height)

/** Indexes in this process until a condition is met. */
async function indexUntil(what: string, condition: () => Promise<boolean>): Promise<void> {
  const indexer = startIndexer(testDatabase.database, config())
  try {
    await until(what, condition, 60_000)
  } finally {
    await indexer.stop()
  }
}

/** The remaining work: blocks without calls, filled ranges, and the position of the sums. */
async function left(): Promise<string> {
  const [row] = await testDatabase.database<{ blocks: bigint | null; filled: bigint; sums: bigint | null }[]>`
    select (select sum(last_block - first_block + 1) from trace_gaps where not filled) as blocks,
      (select count(*) from trace_gaps where filled) as filled, trace_sums_from as sums
    from chains where chain = ${chain.id}`
  return `${row?.blocks ?? 0} ${row?.filled} ${row?.sums ?? 'done'}`
}
const isWhole = async () => (await isCaughtUp()) && (await left()) === '0 0 done'

async function expectSameAsUninterrupted(): Promise<void> {
  const report = await verifyChain({ database: testDatabase.database, chain: chain.id, rpcUrl })
  expect(report.findings.all(), `seed ${seed}`).toEqual([])
  const fresh = await digestOfFresh(chain.id, async (database) => {
    const indexer = startIndexer(database, config())
    await until('the quiet run ends', () => isCaughtUp(database), 60_000)
    await indexer.stop()
  })
  expect(await digest(testDatabase.database, chain.id), `seed ${seed}`).toEqual(fresh)
}

function startProcess(): ChildProcess {
  const program = fileURLToPath(new URL('testing/indexer-process.ts', import.meta.url))
  return fork(program, [testDatabase.url, rpcUrl, `${chain.id}`, `${reorgLimit}`], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

test('fills the gaps through kill -9 at random moments, while the chain grows and reorganizes', async () => {
  const random = new Random(seed)
  await indexUntil('the chain is stored without traces', isCaughtUp)
  node.traces = 'debug'
  let midway = 0
  for (let round = 0; round < 8; round += 1) {
    const before = await left()
    const child = startProcess()
    cleanups.push(() => kill(child))
    await once(child, 'message')
    await until('something was filled', async () => before === '0 0 done' || (await left()) !== before)
    await sleep(random.between(0, 30))
    await kill(child)
    if ((await left()) !== '0 0 done') midway += 1
    if (random.chance(0.5)) chain.mine(random.between(1, 4))
    else chain.reorg(random.between(1, 4), random.between(5, 8))
  }
  expect(midway, 'kills in the midst of the work').toBeGreaterThan(0)
  await indexUntil('everything is filled', isWhole)
  await expectSameAsUninterrupted()
})

test('resumes half-computed sums, through a reorg on either side of their position', async () => {
  node.traces = 'debug'
  await indexUntil('the chain is stored', isCaughtUp)
  const before = await digest(testDatabase.database, chain.id)
  // As after a fill of blocks 150 to 160: the rows exist, the sums from there on are too low.
  await testDatabase.database`
    update blocks set cum_contracts = cum_contracts - 1, cum_deployers = cum_deployers - 1,
      cum_day_deployers = cum_day_deployers - 1
    where chain = ${chain.id} and number >= 150`
  await testDatabase.database`insert into trace_gaps values (${chain.id}, 150, 160, true)`
  const abort = new AbortController()
  const summing = sumTraces(testDatabase.database, chain.id, abort.signal, 5)
  await until('some sums are computed', async () => (await left()) !== '0 1 done')
  abort.abort()
  await summing
  await sumTraces(testDatabase.database, chain.id, new AbortController().signal, 5)
  expect(await digest(testDatabase.database, chain.id)).toEqual(before)

  for (const standing of [chain.height - 8, chain.height - 2]) {
    await testDatabase.database`
      update blocks set cum_contracts = cum_contracts - 1, cum_deployers = cum_deployers - 1
      where chain = ${chain.id} and number >= ${standing}`
    await testDatabase.database`update chains set trace_sums_from = ${standing} where chain = ${chain.id}`
    chain.reorg(5, 7)
    await indexUntil('the sums are whole', isWhole)
  }
  await expectSameAsUninterrupted()
})
