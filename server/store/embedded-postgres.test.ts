import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  // Children of a killed server write for a moment after it has gone.
  cleanups.push(() => rm(outer, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  await chmod(outer, mode)
  return join(outer, 'with space')
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

test('a server that a killed process left behind is taken over', async () => {
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

test('a server that is killed comes back by itself', async () => {
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
  await expect
    .poll(() => ask(server).catch(() => 'down'), { timeout: 30_000 })
    .toBe(join(folder, 'postgres', 'data'))
})
