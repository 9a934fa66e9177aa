import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function home(mode: number): Promise<string> {
  const outer = await mkdtemp(join(tmpdir(), 'ridgeline place '))
  // Child processes of a killed server may write for a moment after it has ended.
  cleanups.push(() => rm(outer, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  await chmod(outer, mode)
  return join(outer, 'with space')
}

/** The user that runs the server of a data folder: root starts it as another user. */
async function ownerOf(folder: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const { uid, gid } = await stat(folder)
  return { uid, gid }
}

async function ask(server: EmbeddedPostgres): Promise<unknown> {
  const database = openDatabase(server.url, { max: 1 })
  try {
    const [row] = await database<{ folder: string }[]>`select current_setting('data_directory') as folder`
    return row?.folder
  } finally {
    await database.end()
  }
}

test('starts in a path with a space and keeps its data there', async () => {
  const folder = await home(0o755)
  const server = await startEmbeddedPostgres({ home: folder })
  cleanups.push(() => server.stop())
  expect(await ask(server)).toBe(join(folder, 'postgres', 'data'))
})

test('a second start shares the server that is in use, and does not stop it', async () => {
  const folder = await home(0o755)
  const first = await startEmbeddedPostgres({ home: folder })
  cleanups.push(() => first.stop())
  const user = openDatabase(first.url, { max: 1 })
  await user`select 1`
  const second = await startEmbeddedPostgres({ home: folder })
  expect(second).toMatchObject({ shared: true, url: first.url })
  await second.stop()
  expect(await user`select 1 as one`).toHaveLength(1)
  await user.end()
})

test('a server left by a killed process is taken over', async () => {
  const folder = await home(0o755)
  const script = fileURLToPath(new URL('../testing/start-postgres.ts', import.meta.url))
  const child = fork(script, [folder], { execArgv: ['--import', 'tsx'] })
  await once(child, 'message')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const server = await startEmbeddedPostgres({ home: folder })
  cleanups.push(() => server.stop())
  expect(server.shared).toBe(false)
  expect(await ask(server)).toBe(join(folder, 'postgres', 'data'))
})

test('data of an interrupted initialization are created again', async () => {
  const folder = await home(0o755)
  // The state that initdb leaves when it is killed early; the version file is written before most of the
  // rest.
  const half = join(folder, 'postgres', 'data.new')
  await mkdir(half, { recursive: true })
  await writeFile(join(half, 'PG_VERSION'), '18\n')
  const server = await startEmbeddedPostgres({ home: folder })
  cleanups.push(() => server.stop())
  expect(await ask(server)).toBe(join(folder, 'postgres', 'data'))
})

test('a cancelled start leaves no server, and the next start succeeds', async () => {
  const folder = await home(0o755)
  const giveUp = new AbortController()
  const pids: number[] = []
  const start = startEmbeddedPostgres({
    home: folder,
    signal: giveUp.signal,
    onProcess: (pid) => {
      pids.push(pid)
      giveUp.abort()
    },
  })
  await expect(start).rejects.toThrow('aborted')
  expect(pids).toHaveLength(1)
  expect(() => process.kill(pids[0] ?? 0, 0)).toThrow('ESRCH')
  const server = await startEmbeddedPostgres({ home: folder })
  cleanups.push(() => server.stop())
  expect(await ask(server)).toBe(join(folder, 'postgres', 'data'))
})

test("server processes that are still ending after a kill, and a pid file with another program's pid, do not prevent a start", async () => {
  const folder = await home(0o755)
  const script = fileURLToPath(new URL('../testing/start-postgres.ts', import.meta.url))
  const child = fork(script, [folder], { execArgv: ['--import', 'tsx'] })
  await once(child, 'message')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const pidFile = join(folder, 'postgres', 'data', 'postmaster.pid')
  const [pid, ...rest] = (await readFile(pidFile, 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  const first = await startEmbeddedPostgres({ home: folder })
  await first.stop()
  // The machine was restarted, and another program of the server's user has the pid.
  const other = spawn('sleep', ['600'], await ownerOf(dirname(pidFile)))
  cleanups.push(async () => void other.kill())
  await writeFile(pidFile, [other.pid, ...rest].join('\n'))
  const second = await startEmbeddedPostgres({ home: folder })
  cleanups.push(() => second.stop())
  expect(second.shared).toBe(false)
})

test.runIf(process.getuid?.() === 0)('finds another place for a home that only root may enter', async () => {
  const folder = await home(0o700)
  const news: string[] = []
  const server = await startEmbeddedPostgres({ home: folder, onNews: (line) => news.push(line) })
  const data = String(await ask(server))
  cleanups.push(async () => {
    await server.stop()
    await rm(join(data, '..', '..'), { recursive: true, force: true })
  })
  expect(data).toMatch(/^\/var\/lib\/ridgeline\/[0-9a-f]{12}\/postgres\/data$/)
  expect(news.join('\n')).toContain('may not enter')
})

test('a killed server restarts by itself', async () => {
  const folder = await home(0o755)
  let crashed: () => void = () => undefined
  const crash = new Promise<void>((resolve) => {
    crashed = resolve
  })
  const server = await startEmbeddedPostgres({ home: folder, onCrash: () => crashed() })
  cleanups.push(() => server.stop())
  const database = openDatabase(server.url, { max: 1 })
  const [row] = await database<{ pid: number }[]>`
    select substring(pg_read_file('postmaster.pid') from '^\\d+')::int as pid`
  await database.end()
  process.kill(Number(row?.pid), 'SIGKILL')
  await crash
  await expect.poll(() => ask(server).catch(() => 'down')).toBe(join(folder, 'postgres', 'data'))
})
