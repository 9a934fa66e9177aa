import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { rewindChain } from '../indexer/rewind.ts'
import { chainConfig, digest, startIndexer, storedHead, until } from '../indexer/testing/harness.ts'
import { Random } from '../indexer/testing/random.ts'
import { SimulatedChain } from '../indexer/testing/simulated-chain.ts'
import { SimulatedNode } from '../indexer/testing/simulated-node.ts'
import { exists } from '../store/embedded-place.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { migrate } from '../store/schema/migrate.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../store/embedded-postgres.ts'
import { lostConnectionText } from '../store/lost-connection.ts'
import { verifyChain } from '../verify/chain.ts'
import { backUp, incompleteName } from './backup.ts'
import { segmentsBetween } from './base-backup.ts'
import type { Manifest } from './manifest.ts'
import { checkBackup, restore } from './restore.ts'

/** Set a seed to replay a run: RIDGELINE_SEED=123 npx vitest run server/maintenance */
const seed = Number(process.env['RIDGELINE_SEED'] ?? 18)
/** RIDGELINE_KILL_ROUNDS=40 kills that many backups. */
const rounds = Number(process.env['RIDGELINE_KILL_ROUNDS'] ?? 5)

/** A folder whose homes PostgreSQL's user may enter. */
let folder = ''
let server: EmbeddedPostgres
let database: Database
let rpcUrl = ''
const chain = new SimulatedChain(seed)
const node = new SimulatedNode({ chain })
const home = (): string => join(folder, 'home')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-backup-'))
  await chmod(folder, 0o755)
  await mkdir(home())
  await writeFile(join(home(), 'token'), 'the-token-of-the-home-0123456789\n', { mode: 0o600 })
  server = await startEmbeddedPostgres({ home: home() })
  database = openDatabase(server.url, { max: 4 })
  await migrate(database)
  chain.mine(60)
  rpcUrl = await node.start()
})
afterAll(async () => {
  await database.end({ timeout: 1 })
  await server.stop()
  await node.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A pool on the server of a home, which is started for the test. */
async function open(at: string): Promise<Database> {
  const own = await startEmbeddedPostgres({ home: at })
  const pool = openDatabase(own.url, { max: 4 })
  cleanups.push(async () => {
    await pool.end({ timeout: 1 })
    await own.stop()
  })
  return pool
}

/** Mines and indexes until an action ends. */
async function whileIndexing<Result>(action: () => Promise<Result>): Promise<Result> {
  const indexer = startIndexer(database, chainConfig({ evmChainId: chain.id, rpcUrl }))
  const grown = async (): Promise<void> => {
    chain.mine(4)
    const height = chain.height
    await until(
      'the blocks are indexed',
      async () => (await storedHead(database, chain.id))?.number === height,
    )
  }
  try {
    await grown()
    const running = new Set([action()])
    const [result] = running
    result?.finally(() => running.clear()).catch(() => undefined)
    while (running.size > 0) await grown()
    return await (result as Promise<Result>)
  } finally {
    await indexer.stop()
  }
}

describe('a backup of a server that is written to', () => {
  let manifest: Manifest
  let before = 0
  const target = (): string => join(folder, 'backups', 'first')
  beforeAll(async () => {
    manifest = await whileIndexing(async () => {
      before = (await storedHead(database, chain.id))?.number ?? 0
      return backUp({ home: home(), target: target(), version: '1.2.3' })
    })
  })

  test('restores to another home with the tables as they were at its height', async () => {
    const other = join(folder, 'other')
    await restore({ source: target(), home: other })
    const restored = await open(other)
    const head = await storedHead(restored, chain.id)
    expect(head?.hash).toBe(chain.hash(head?.number ?? -1))
    expect(head?.number).toBeGreaterThan(before)
    expect(head?.number).toBeLessThan(chain.height)
    expect(head?.number).toBeGreaterThanOrEqual(manifest.chains[0]?.block ?? Infinity)

    const report = await verifyChain({ database: restored, chain: chain.id, rpcUrl })
    expect(report.findings.all()).toEqual([])
    expect(report.blocks).toBe((head?.number ?? 0) + 1)
    await rewindChain(database, chain.id, head?.number ?? 0)
    expect(await digest(restored, chain.id)).toEqual(await digest(database, chain.id))
    expect(await readFile(join(other, 'token'), 'utf8')).toBe('the-token-of-the-home-0123456789\n')
    expect((await stat(join(other, 'token'))).mode & 0o777).toBe(0o600)
  })

  test('lists every file in its manifest, and only its owner may read it', async () => {
    expect(manifest).toMatchObject({ ridgeline: '1.2.3', postgres: expect.stringMatching(/^18\./) })
    expect((await stat(target())).mode & 0o777).toBe(0o700)
    const all = await readdir(target(), { recursive: true, withFileTypes: true })
    const listed = manifest.files.map(({ path }) => path).sort()
    const found = all
      .filter((entry) => entry.isFile() && entry.name !== 'manifest.json')
      .map((entry) => join(entry.parentPath, entry.name).slice(target().length + 1))
    expect(found.sort()).toEqual(listed)
    expect(await checkBackup(target())).toEqual(manifest)
    // Without its label, a server would replay the log from the last checkpoint, not from the start of the copy.
    const label = await readFile(join(target(), 'data/backup_label'), 'utf8')
    expect(label).toContain(`START WAL LOCATION: ${manifest.startLsn} (`)
  })

  test('leaves nothing on the server', async () => {
    expect(await database`select slot_name from pg_replication_slots`).toEqual([])
    expect(await readdir(join(folder, 'backups'))).toEqual(['first'])
  })

  test('is refused into a folder that exists', async () => {
    await expect(backUp({ home: home(), target: target(), version: '1' })).rejects.toThrow('exists')
  })

  test('is refused where there is no data', async () => {
    const empty = join(folder, 'empty')
    await expect(backUp({ home: empty, target: join(folder, 'none'), version: '1' })).rejects.toThrow(
      'no data to back up',
    )
    expect(await exists(join(folder, 'none'))).toBe(false)
  })

  describe('is not restored', () => {
    test('into a home with data, unless told; a start finishes one that was killed', async () => {
      const taken = join(folder, 'taken')
      await mkdir(join(taken, 'postgres', 'data'), { recursive: true })
      await writeFile(join(taken, 'postgres', 'data', 'PG_VERSION'), '18\n')
      await expect(restore({ source: target(), home: taken })).rejects.toThrow('has data')
      await restore({ source: target(), home: taken, replace: true })
      expect(await readdir(join(taken, 'postgres'))).toEqual(['data', 'server.log'])
      // The state after a kill between the last two renames: the next start finishes the restore.
      const data = join(taken, 'postgres', 'data')
      await rename(data, `${data}.restored`)
      expect((await storedHead(await open(taken), chain.id))?.number).toBeGreaterThan(before)
    })

    test('into a home in use', async () => {
      await expect(restore({ source: target(), home: home(), replace: true })).rejects.toThrow(
        'stop the service first',
      )
    })

    test('when a byte of it is another, and the home stays as it was', async () => {
      const file = join(target(), 'data/global/pg_control')
      const content = await readFile(file)
      cleanups.push(() => writeFile(file, content))
      const changed = Buffer.from(content)
      changed[40] = (changed[40] ?? 0) ^ 1
      await writeFile(file, changed)
      const fresh = join(folder, 'fresh')
      const refused = 'damaged: 1 of'
      await expect(restore({ source: target(), home: fresh })).rejects.toThrow(refused)
      await expect(checkBackup(target())).rejects.toThrow('data/global/pg_control')
      expect(await readdir(fresh, { recursive: true })).toEqual(['postgres', 'postgres/server.log'])
    })

    test('when it has a file that its manifest does not list', async () => {
      const file = join(target(), 'data/global/pg_extra')
      await writeFile(file, 'x')
      cleanups.push(() => rm(file))
      await expect(checkBackup(target())).rejects.toThrow(
        'the backup has 1 file that its manifest does not list (data/global/pg_extra)',
      )
    })

    test('when it is of another major version of PostgreSQL', async () => {
      const path = join(target(), 'manifest.json')
      const text = await readFile(path, 'utf8')
      cleanups.push(() => writeFile(path, text))
      await writeFile(path, text.replace(/"postgres": "[^"]+"/, '"postgres": "17.6"'))
      await expect(restore({ source: target(), home: join(folder, 'older') })).rejects.toThrow(
        /made by PostgreSQL 17\.6, and this version of Ridgeline comes with 18\./,
      )
    })

    test('when it has no manifest, or one that leads out of it', async () => {
      await expect(restore({ source: folder, home: join(folder, 'older') })).rejects.toThrow(
        'not a complete backup',
      )
      const path = join(target(), 'manifest.json')
      const text = await readFile(path, 'utf8')
      cleanups.push(() => writeFile(path, text))
      await writeFile(path, text.replace('"path": "data/PG_VERSION"', '"path": "data/../../PG_VERSION"'))
      await expect(restore({ source: target(), home: join(folder, 'older') })).rejects.toThrow('damaged')
    })
  })
})

describe('kill -9', () => {
  test(`leaves a whole backup or none, ${rounds} times at random moments`, async () => {
    const random = new Random(seed)
    const program = fileURLToPath(new URL('testing/backup-process.ts', import.meta.url))
    const place = join(folder, 'killed')
    const partial = join(place, incompleteName('one'))
    // As a service has: idle connections of the pool end, and a server without any is taken for a left-over one.
    const held = await database.reserve()
    cleanups.push(async () => held.release())
    let midway = 0
    for (let round = 0; round < rounds; round += 1) {
      const child = fork(program, [home(), join(place, 'one')], {
        execArgv: ['--import', 'tsx'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      cleanups.push(async () => void child.kill('SIGKILL'))
      const ended = once(child, 'exit')
      await once(child, 'message')
      const isOver = (): boolean => child.exitCode !== null
      await until('the backup writes', async () => (await exists(partial)) || isOver(), 120_000)
      await sleep(random.between(0, 400))
      child.kill('SIGKILL')
      await ended
      if (await exists(join(place, 'one'))) {
        await checkBackup(join(place, 'one'))
        await rm(join(place, 'one'), { recursive: true })
      } else midway += 1
    }
    expect(midway, `kills in the midst, seed ${seed}`).toBeGreaterThan(0)
    await until('the server has noticed', async () => {
      const [row] = await database<{ slots: bigint }[]>`select count(*) as slots from pg_replication_slots`
      return row?.slots === 0n
    })
    await backUp({ home: home(), target: join(place, 'one'), version: '1' })
    await checkBackup(join(place, 'one'))
    expect(await readdir(place)).toEqual(['one'])
  })

  test('a connection that is lost meanwhile fails the backup and leaves nothing', async () => {
    const target = join(folder, 'ended')
    const partial = join(folder, incompleteName('ended'))
    const backup = backUp({ home: home(), target, version: '1' })
    backup.catch(() => undefined)
    const ended = async (): Promise<boolean> => {
      const rows = await database`
        select pg_terminate_backend(active_pid) from pg_replication_slots where active_pid is not null`
      return rows.length > 0
    }
    await until('the backup holds the log', ended)
    // As the command tells it: the driver and the system have several names for it.
    const told = await backup.catch((error: Error) => lostConnectionText(error) ?? error.message)
    expect(told).toContain('the connection to the database was lost')
    expect([await exists(target), await exists(partial)]).toEqual([false, false])
  })
})

test('names the log files between two, which carry after the last of each 4 GiB', () => {
  expect(segmentsBetween('0000000100000002000000FE', '000000010000000300000001', 16_777_216n)).toEqual([
    '0000000100000002000000FE',
    '0000000100000002000000FF',
    '000000010000000300000000',
    '000000010000000300000001',
  ])
})
