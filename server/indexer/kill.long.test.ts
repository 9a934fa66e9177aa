import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { migrate } from '../store/schema/migrate.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../store/embedded-postgres.ts'
import { verifyChain } from '../verify/chain.ts'
import { checkInvariants } from '../verify/invariants.ts'
import { Findings } from '../verify/findings.ts'
import { connectLike } from '../store/process-connections.ts'
import { chainConfig, digest, startIndexer, storedHead, until } from './testing/harness.ts'
import { Random } from './testing/random.ts'
import { SimulatedChain } from './testing/simulated-chain.ts'
import { SimulatedNode } from './testing/simulated-node.ts'

/** Set a seed to replay a run: RIDGELINE_SEED=123 npx vitest run server/indexer/kill.long.test.ts */
const seed = Number(process.env['RIDGELINE_SEED'] ?? 20)
const rounds = 20
const reorgLimit = 12

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function startProcess(databaseUrl: string, rpcUrl: string, chain: SimulatedChain): ChildProcess {
  const program = fileURLToPath(new URL('testing/indexer-process.ts', import.meta.url))
  return fork(program, [databaseUrl, rpcUrl, `${chain.id}`, `${reorgLimit}`], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** The test's connections to a server that may still be recovering from the last kill. */
async function backendsOf(database: Database): Promise<readonly { pid: number }[]> {
  const look = connectLike(database, () => undefined)
  try {
    let found: readonly { pid: number }[] = []
    await until('the server lists its backends', async () => {
      found = await look<{ pid: number }[]>`
        select pid from pg_stat_activity where application_name = 'ridgeline test' and pid <> pg_backend_pid()`.catch(
        (error: unknown) => {
          if (
            error instanceof Error &&
            /recovery mode|starting up|shutting down|CONNECTION/.test(error.message)
          )
            return []
          throw error
        },
      )
      return found.length > 0
    })
    return found
  } finally {
    await look.end({ timeout: 1 })
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function startNode(chain: SimulatedChain): Promise<string> {
  const node = new SimulatedNode({ chain })
  cleanups.push(() => node.stop())
  return node.start()
}

async function makeDatabase(): Promise<TestDatabase> {
  const test = await createTestDatabase()
  cleanups.push(() => test.drop())
  return test
}

/**
 * The highest block, read on a new connection: the driver's pools may keep a connection that broke during a
 * write and wait on it forever.
 */
async function headOf(pool: Database, chain: SimulatedChain): Promise<string | undefined> {
  const database = connectLike(pool, () => undefined)
  try {
    const late = sleep(1_000, undefined, { ref: false })
    return (await Promise.race([storedHead(database, chain.id), late]))?.hash
  } catch {
    return undefined
  } finally {
    await database.end({ timeout: 0 })
  }
}

/** Changes the chain while no indexer runs: it grows, or its last blocks are replaced. */
function move(chain: SimulatedChain, random: Random, highest: number): number {
  if (random.chance(0.4)) {
    const deepest = chain.height - Math.max(0, highest - reorgLimit)
    const depth = random.between(1, Math.max(1, deepest))
    chain.reorg(depth, random.between(1, depth + 10))
  } else chain.mine(random.between(5, 80))
  return Math.max(highest, chain.height)
}

describe('kill -9', () => {
  test(`leaves complete tables, ${rounds} times at random moments`, async () => {
    const random = new Random(seed)
    const chain = new SimulatedChain(seed, { asyncFrom: 60 })
    chain.mine(150)
    const rpcUrl = await startNode(chain)
    const { database, url } = await makeDatabase()
    let highest = chain.height
    let midway = 0
    for (let round = 0; round < rounds; round += 1) {
      const child = startProcess(url, rpcUrl, chain)
      cleanups.push(() => kill(child))
      await once(child, 'message')
      const target = random.between(0, 3)
      const before = (await storedHead(database, chain.id))?.number ?? -1
      await until('the indexer wrote', async () => {
        const head = await storedHead(database, chain.id)
        return target === 0 || (head?.number ?? -1) !== before || head?.hash === chain.hash(chain.height)
      })
      await sleep(random.between(0, 40))
      await kill(child)
      const head = await storedHead(database, chain.id)
      if (head && head.hash !== chain.hash(chain.height)) midway += 1
      const findings = new Findings()
      await checkInvariants(database, BigInt(chain.id), findings)
      if (head) expect(findings.all(), `seed ${seed}, round ${round}`).toEqual([])
      highest = move(chain, random, highest)
    }
    expect(midway, 'kills in the midst of the work').toBeGreaterThan(0)

    const config = chainConfig({ evmChainId: chain.id, rpcUrl, reorgLimit })
    const last = startIndexer(database, config)
    await until(
      'the last run catches up',
      async () => (await storedHead(database, chain.id))?.hash === chain.hash(chain.height),
    )
    await last.stop()
    expect((await verifyChain({ database, chain: chain.id, rpcUrl })).findings.all(), `seed ${seed}`).toEqual(
      [],
    )
    const fresh = await makeDatabase()
    const quiet = startIndexer(fresh.database, config)
    await until(
      'the quiet run ends',
      async () => (await storedHead(fresh.database, chain.id))?.number === chain.height,
    )
    await quiet.stop()
    expect(await digest(database, chain.id)).toEqual(await digest(fresh.database, chain.id))
  })
})

describe('the database server dies', () => {
  test('continues from the last commit, without losing a block', async () => {
    const random = new Random(seed)
    const home = await mkdtemp(join(tmpdir(), 'ridgeline-kill-'))
    await chmod(home, 0o755)
    cleanups.push(() => rm(home, { recursive: true, force: true }))
    const server: EmbeddedPostgres = await startEmbeddedPostgres({ home })
    cleanups.push(() => server.stop())
    const database = openDatabase(server.url, { max: 2, applicationName: 'ridgeline test' })
    cleanups.push(() => database.end({ timeout: 0 }))
    await migrate(database)
    const chain = new SimulatedChain(seed + 1)
    chain.mine(100)
    const rpcUrl = await startNode(chain)
    const indexer = startIndexer(database, chainConfig({ evmChainId: chain.id, rpcUrl, reorgLimit }))
    cleanups.push(() => indexer.stop())
    const caughtUp = () =>
      until('the indexer caught up', async () => (await headOf(database, chain)) === chain.hash(chain.height))
    let highest = chain.height
    for (let round = 0; round < 5; round += 1) {
      await caughtUp()
      highest = move(chain, random, highest)
      const backends = await backendsOf(database)
      await sleep(random.between(0, 60))
      // When one backend is killed, PostgreSQL ends all of them and recovers from its log.
      process.kill(random.pick(backends).pid, 'SIGKILL')
    }
    await caughtUp()
    await indexer.stop()
    const after = openDatabase(server.url, { max: 2 })
    cleanups.push(() => after.end({ timeout: 1 }))
    expect(
      (await verifyChain({ database: after, chain: chain.id, rpcUrl })).findings.all(),
      `seed ${seed}`,
    ).toEqual([])
  })
})
