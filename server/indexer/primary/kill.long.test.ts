import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { primaryTableNames } from '../../store/primary/columns.ts'
import type { Database } from '../../store/database.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { Findings } from '../../verify/findings.ts'
import { checkPrimaryTables } from '../../verify/primary-tables.ts'
import { until } from '../testing/harness.ts'
import { Random } from '../testing/random.ts'
import { RecordedNode } from './testing/recorded-node.ts'
import { storeRecordedBlocks } from './testing/stored-blocks.ts'

/** Set a seed to replay a run: RIDGELINE_SEED=123 npx vitest run server/indexer/primary/kill.long.test.ts */
const seed = Number(process.env['RIDGELINE_SEED'] ?? 5)
const keys = { P: 11, X: 12, C: 13 }

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function startProcess(databaseUrl: string, nodeUrl: string): ChildProcess {
  const program = fileURLToPath(new URL('testing/primary-process.ts', import.meta.url))
  const child = fork(program, [databaseUrl, nodeUrl], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  cleanups.push(() => kill(child))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function makeDatabase(): Promise<TestDatabase> {
  const test = await createTestDatabase()
  cleanups.push(() => test.drop())
  await storeRecordedBlocks(test.database)
  return test
}

async function heightOf(database: Database, chain: number): Promise<number> {
  const [row] = await database<{ height: bigint | null }[]>`
    select max(height) as height from primary_blocks where chain = ${chain}`
  return Number(row?.height ?? -1n)
}

/** The number of C-Chain blocks with a proposer. */
async function proposedOf(database: Database): Promise<number> {
  const [row] = await database<{ blocks: bigint }[]>`
    select count(proposer_id) as blocks from primary_blocks where chain = ${keys.C}`
  return Number(row?.blocks)
}

const digested = [...primaryTableNames, 'c_proposers'] as const

/** A digest of each table: equal digests mean equal rows. */
async function digest(database: Database): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const table of digested) {
    const [row] = await database<{ digest: string | null; rows: bigint }[]>`
      select md5(string_agg(t::text, '|' order by t::text)) as digest, count(*) as rows from ${database(table)} t`
    digests[table] = `${row?.rows} ${row?.digest}`
  }
  return digests
}

test('kill -9 at random moments loses nothing and counts nothing twice', async () => {
  const random = new Random(seed)
  const node = new RecordedNode()
  cleanups.push(() => node.stop())
  node.behaviour.hasIndex = true
  const allOfC = node.behaviour.cContainers ?? []
  const url = await node.start()
  const { database, url: databaseUrl } = await makeDatabase()
  for (let height = 0; height <= 11; height += random.between(1, 3)) {
    node.behaviour.pHeight = height
    node.behaviour.cContainers = allOfC.slice(0, 1 + Math.floor(height / 4))
    const child = startProcess(databaseUrl, url)
    await once(child, 'message')
    const waits = random.chance(0.5)
    await until('it wrote, or not', async () => !waits || (await heightOf(database, keys.P)) >= height)
    await sleep(random.between(0, 60))
    await kill(child)
    const findings = new Findings()
    for (const chain of Object.values(keys)) await checkPrimaryTables(database, chain, findings)
    expect(findings.all(), `seed ${seed}, round ${height}`).toEqual([])
  }
  node.behaviour.pHeight = 11
  node.behaviour.cContainers = allOfC
  const done = async (each: Database): Promise<boolean> =>
    (await heightOf(each, keys.P)) === 11 &&
    (await heightOf(each, keys.X)) === 4 &&
    (await proposedOf(each)) === allOfC.length
  const last = startProcess(databaseUrl, url)
  await until('the last run catches up', () => done(database))
  await kill(last)

  const other = await makeDatabase()
  const whole = startProcess(other.url, url)
  await until('the uninterrupted run is done', () => done(other.database))
  await kill(whole)
  expect(await digest(database)).toEqual(await digest(other.database))
})
