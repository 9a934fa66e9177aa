import { afterEach, expect, test } from 'vitest'
import { LockedError, RetryableError } from '../kernel/errors.ts'
import { createTestDatabase } from '../testing/database.ts'
import { StoreSession } from './session.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function makeStore() {
  const store = await createTestDatabase()
  cleanups.push(() => store.drop())
  // A pool of its own, as another process has.
  const pool = store.open({ applicationName: 'ridgeline sessions' })
  const abort = new AbortController()
  cleanups.push(async () => abort.abort())
  const open = (chain: number, from = pool): StoreSession => {
    const session = new StoreSession(from, chain, abort.signal)
    cleanups.push(() => session.close())
    return session
  }
  const connections = async (): Promise<{ pid: number; locks: number }[]> => store.database<
    { pid: number; locks: number }[]
  >`
    select a.pid, count(l.pid)::int as locks
    from pg_stat_activity a
    left join pg_locks l on l.pid = a.pid and l.locktype = 'advisory' and l.classid = 7101
    where a.application_name = 'ridgeline sessions' and a.datname = current_database()
    group by a.pid`
  return { store, open, connections }
}

test('a hundred sessions write at the same time on nine connections, one of which holds all locks', async () => {
  const { store, open, connections } = await makeStore()
  await store.database`create table writes (chain int, n int)`
  const sessions = Array.from({ length: 100 }, (_, chain) => open(chain + 1))
  await Promise.all(
    sessions.flatMap((session, chain) =>
      [1, 2, 3].map((n) => session.transaction((sql) => sql`insert into writes values (${chain}, ${n})`)),
    ),
  )
  const [row] = await store.database<{ count: bigint }[]>`select count(distinct (chain, n)) from writes`
  expect(row?.count).toBe(300n)
  const found = await connections()
  expect(found.length).toBeLessThanOrEqual(9)
  expect(found.filter(({ locks }) => locks > 0).map(({ locks }) => locks)).toEqual([100])
})

test('a chain has one writer, in this process and in another', async () => {
  const { store, open } = await makeStore()
  const first = open(7)
  await first.open()
  await expect(open(7).open()).rejects.toThrow(LockedError)
  const other = open(7, store.open())
  await expect(other.open()).rejects.toThrow(LockedError)
  await first.close()
  await other.open()
})

test('who takes over a lost lock waits for the transaction that its former holder has open', async () => {
  const { store, open, connections } = await makeStore()
  await store.database`create table writes (n int)`
  const former = open(7)
  const steps: string[] = []
  let write: () => void = () => undefined
  const mayWrite = new Promise<void>((resolve) => (write = resolve))
  const began = new Promise<void>((resolve) => {
    former
      .transaction(async (sql) => {
        await sql`insert into writes values (1)`
        resolve()
        await mayWrite
        await sql`insert into writes values (2)`
      })
      .catch((error: unknown) => steps.push(error instanceof RetryableError ? 'lost' : String(error)))
  })
  await began
  const locking = (await connections()).find(({ locks }) => locks > 0)
  await store.database`select pg_terminate_backend(${locking?.pid ?? 0})`
  const next = open(7, store.open())
  await next.transaction((sql) => sql`insert into writes values (3)`)
  write()
  expect((await store.database`select n from writes order by n`).map(({ n }) => n as number)).toEqual([3])
  expect(steps).toEqual(['lost'])
  await next.close()
  await former.transaction((sql) => sql`insert into writes values (4)`)
  expect((await store.database`select n from writes order by n`).map(({ n }) => n as number)).toEqual([3, 4])
})

test('a failed statement ends its transaction and no other session', async () => {
  const { store, open } = await makeStore()
  await store.database`create table writes (chain int primary key)`
  const [one, two] = [open(1), open(2)]
  await one.transaction(async (sql) => {
    await sql`insert into writes values (1)`
    await expect(
      two.transaction(async (own) => {
        await own`insert into writes values (2)`
        await own`select broken`
      }),
    ).rejects.toThrow('broken')
  })
  await two.transaction((sql) => sql`insert into writes values (3)`)
  expect(
    (await store.database`select chain from writes order by chain`).map(({ chain }) => chain as number),
  ).toEqual([1, 3])
})
