import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainConfig, chainRow, digest, startIndexer, storedHead, until } from '../indexer/testing/harness.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { Findings } from '../verify/findings.ts'
import { checkInvariants } from '../verify/invariants.ts'
import { bulkLoad } from './bulk/load.ts'
import { openEngine, type LakeEngine } from './engine.ts'
import { loadLake } from './load.ts'
import { killAtRandom, killSettings, startLoader, untilNoLoader } from './testing/kills.ts'
import { livelyChainId, startLivelyChain, type LivelyChain } from './testing/lively-chain.ts'
import { contentOf, runLake, startLake, writeRanges } from './testing/run-lake.ts'

const kills = killSettings({ kills: 3, seed: 20 })
const chainId = livelyChainId
/** The head, and the last block of the lake. */
const head = 23
const sealed = 19
const size = 5
/** So that the indexer regards exactly the blocks of the lake as final. */
const reorgLimit = head - sealed

let folder: string
let root: string
let chain: LivelyChain
let engine: LakeEngine
let ordinary: TestDatabase
/** The tables of the ordinary way: indexed from the node alone. */
let expected: Record<string, string>
const stores: TestDatabase[] = []

const settings = () => chainConfig({ evmChainId: chainId, rpcUrl: chain.url, reorgLimit })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-load-'))
  root = join(folder, 'lake')
  chain = await startLivelyChain(head + 1)
  engine = await openEngine(folder)
  const ranges = Array.from({ length: (sealed + 1) / size }, (_, at) => ({
    from: at * size,
    to: at * size + size - 1,
  }))
  await writeRanges({ root, rpcUrl: chain.url, chain: chainId }, ranges)
  ordinary = await store()
  await indexToHead(ordinary)
  expected = await digest(ordinary.database, chainId)
})

afterAll(async () => {
  engine?.close()
  await chain?.stop()
  for (const { drop } of stores) await drop()
  await rm(folder, { recursive: true, force: true })
})

async function store(): Promise<TestDatabase> {
  const created = await createTestDatabase()
  stores.push(created)
  return created
}

async function indexToHead({ database }: Pick<TestDatabase, 'database'>): Promise<void> {
  const indexer = startIndexer(database, settings())
  await until('the head is indexed', async () => (await storedHead(database, chainId))?.number === head)
  await indexer.stop()
}

const load = ({ database }: TestDatabase, from = root) =>
  loadLake({ database, root: from, chain: chainId, engine, signal: new AbortController().signal })

test('a bulk load has the tables of an ordinary one, authorizations too', async () => {
  const [bulk, loaded] = [await store(), await store()]
  const { signal } = new AbortController()
  await bulkLoad({
    database: bulk.database,
    root,
    chain: chainId,
    engine,
    home: join(folder, 'home'),
    signal,
  })
  await load(loaded)
  expect(await digest(bulk.database, chainId)).toEqual(await digest(loaded.database, chainId))
  expect((await bulk.database`select from authorizations`).length).toBeGreaterThan(1)
  const findings = new Findings()
  await checkInvariants(bulk.database, BigInt(chainId), findings)
  expect(findings.all()).toEqual([])
})

test('a chain that is loaded and then followed equals one that was only followed', async () => {
  const loaded = await store()
  expect(await load(loaded)).toEqual({ blocks: { from: 0, to: sealed }, lakeEnd: sealed })
  expect(await chainRow(loaded.database, chainId)).toMatchObject({
    state: 'waiting',
    reason: `loaded from a lake up to block ${sealed}`,
    finalized_block: BigInt(sealed),
  })
  // Loading again finds everything there.
  expect(await load(loaded)).toEqual({ blocks: undefined, lakeEnd: sealed })
  await indexToHead(loaded)
  expect(await digest(loaded.database, chainId)).toEqual(expected)
  expect(expected['calls']).not.toMatch(/^0 /)
  expect(expected['nfts']).not.toMatch(/^0 /)
})

test(
  `a loader that is killed loses and doubles nothing (seed ${kills.seed})`,
  async () => {
    const args = ['--root', root, '--chain', `${chainId}`]
    await killAtRandom(kills, async () => {
      const { url, database, drop } = await createTestDatabase()
      return {
        start: (event) => startLoader(url, args, event),
        async afterKill(when) {
          await untilNoLoader(database)
          // The first thing that a loader writes.
          if (!(await chainRow(database, chainId))) return
          const findings = new Findings()
          await checkInvariants(database, BigInt(chainId), findings)
          expect(findings.all(), when).toEqual([])
        },
        async whenThrough(when) {
          await indexToHead({ database })
          expect(await digest(database, chainId), when).toEqual(expected)
          await drop()
        },
      }
    })
  },
  kills.timeout,
)

test('a loader that loses its connection says so, and the next one completes the load', async () => {
  const args = ['--root', root, '--chain', `${chainId}`]
  // While the schema is looked at, and while rows are written.
  for (const message of [13, 130]) {
    const target = await store()
    let sent = 0
    const { run, end } = await startLoader(target.url, args, () => (sent += 1) !== message)
    const code = await run.ended
    await end()
    expect([code, run.output.at(-1)]).toEqual([
      1,
      expect.stringMatching(/^the connection to the database was lost/),
    ])
    await untilNoLoader(target.database)
    await load(target)
    await indexToHead(target)
    expect(await digest(target.database, chainId)).toEqual(expected)
  }
})

describe('the seam', () => {
  test('a store with another block is left as it is', async () => {
    const other = await store()
    await load(other)
    await other.database`delete from blocks where chain = ${chainId} and number > 12`
    await other.database`update blocks set hash = ${Buffer.alloc(32, 7)} where chain = ${chainId} and number = 12`
    await expect(load(other)).rejects.toThrow(
      'the store and the lake disagree: block 13 does not follow block 12',
    )
    expect((await storedHead(other.database, chainId))?.number).toBe(12)
    await other.database`delete from blocks where chain = ${chainId} and number > 9`
    await other.database`update blocks set hash = ${Buffer.alloc(32, 7)} where chain = ${chainId} and number = 9`
    await expect(load(other)).rejects.toThrow(/^block 9 of the store is 0x0707/)
  })

  test('nothing of a damaged range is loaded', async () => {
    const damaged = join(folder, 'damaged')
    await cp(root, damaged, { recursive: true })
    const file = join(damaged, `${chainId}`, 'logs', '0000000010-0000000014.parquet')
    const bytes = await readFile(file)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    await writeFile(file, bytes)
    const target = await store()
    await expect(load(target, damaged)).rejects.toThrow('blocks 10 to 14: logs: the file has another content')
    expect((await storedHead(target.database, chainId))?.number).toBe(9)
  })
})

describe('sealing beside the indexer', () => {
  const args = (to: string) => [
    ...`seal --root ${to} --chain ${chainId} --rpc ${chain.url} --range-size ${size} --confirmations 0`.split(
      ' ',
    ),
    '--traces',
    'trace',
  ]

  test('writes what the indexer regards as final, in the bytes of an extraction, and waits for more', async () => {
    const to = join(folder, 'sealed')
    const run = startLake(args(to), { DATABASE_URL: ordinary.url })
    await until('everything final is sealed', async () =>
      run.output.some((line) => line.startsWith('blocks 15 to 19:')),
    )
    expect(run.process.exitCode).toBeNull()
    run.process.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    expect(await contentOf(to)).toEqual(await contentOf(root))
  })

  test('refuses blocks that are not those of the store', async () => {
    const to = join(folder, 'refused')
    await ordinary.database`update blocks set hash = ${Buffer.alloc(32, 7)} where chain = ${chainId} and number = 9`
    const { code, output } = await runLake([...args(to), '--once'], { DATABASE_URL: ordinary.url })
    expect(code).toBe(1)
    expect(output).toMatch(/blocks 5 to 9: block 9 of the node is 0x\w+, that of the store 0x0707/)
    const files = Object.keys(await contentOf(to))
    expect(files.filter((file) => file.includes('0000000005-'))).toEqual([])
    expect(files).toContain(`${chainId}/manifests/0000000000-0000000004.json`)
  })
})
