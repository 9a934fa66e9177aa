import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SqlFormat } from '../../contract/sql/sql.ts'
import { runJob } from './engine.ts'
import type { JobFailure } from './failures.ts'
import type { Job, Setup } from './messages.ts'

let scratch: string
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'sql-engine-'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const noTables: Setup = { statements: [], limits: [], files: [], notKept: [] }
/** The limit of the statements that shall reach it; the others have time enough on a busy machine. */
const shortSeconds = 3

type Asked = Partial<Job> & {
  readonly sql: string
  /** Whether the reader takes nothing before the time limit is over. */
  readonly isHeld?: boolean
  readonly setup?: Setup
}

/** Runs a statement and collects what a caller gets. */
async function run({ isHeld = false, setup = noTables, ...asked }: Asked) {
  const started = performance.now()
  const chunks: Buffer[] = []
  const answer = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      const check = setInterval(() => {
        if (isHeld && performance.now() - started < (shortSeconds + 0.5) * 1_000) return
        clearInterval(check)
        done()
      }, 1)
    },
  })
  const job: Job = {
    format: 'json',
    rows: 100_000_000,
    seconds: 120,
    memoryMegabytes: 128,
    threads: 2,
    known: ['blocks'],
    scratch,
    ...asked,
  }
  let hasBegun = false
  const failure = await runJob(job, {
    setup: async () => setup,
    begin: () => {
      hasBegun = true
    },
    answer,
  }).then(
    () => undefined,
    (error: unknown) => error as JobFailure,
  )
  return { failure, hasBegun, isEnded: answer.writableEnded, text: Buffer.concat(chunks).toString() }
}

type Ended = { rows: unknown[]; rowCount: number; isTruncated: boolean; failure?: string }

/** Ways to end before the last row, and what the caller is told. */
const interruptions = {
  'its time': {
    asked: { seconds: shortSeconds, sql: 'select * from range(1000000000)', isHeld: true },
    message: 'the statement ran for more than 3 s: narrow it, for example to fewer blocks',
    kind: 'limit',
  },
  'a row that it cannot compute': {
    asked: {
      sql: "select case when range = 3000000 then error('broken at ' || range) else 1 end from range(4000000)",
    },
    message: 'Invalid Input Error: broken at 3000000',
    kind: 'statement',
  },
  'its memory': {
    asked: {
      sql: 'select list_sum(range(case when range = 300000 then 100000000 else 1 end)) from range(400000)',
    },
    message:
      'the statement needs more than 128 MB of memory: narrow it, for example to fewer blocks or columns',
    kind: 'limit',
  },
} as const

describe.each(Object.entries(interruptions))('an answer that ends early because of %s', (_name, each) => {
  test('says so in JSON, and that rows are lacking', async () => {
    const { failure, text, hasBegun } = await run(each.asked)
    const { rows, rowCount, isTruncated, failure: told } = JSON.parse(text) as Ended
    expect(hasBegun).toBe(true)
    expect(rowCount).toBeGreaterThan(0)
    expect([rows.length, isTruncated]).toEqual([rowCount, true])
    expect(told).toBe(each.message)
    expect([failure?.class, failure?.message]).toEqual([each.kind, told])
  })

  test.each(['csv', 'arrow'] as const)('fails in %s, without an end', async (format: SqlFormat) => {
    const { failure, isEnded, hasBegun } = await run({ ...each.asked, format })
    expect([hasBegun, isEnded, failure?.class]).toEqual([true, false, each.kind])
    expect(failure?.message).toBe(each.message)
  })

  test('has not begun in Parquet', async () => {
    // So many rows that even a fast machine does not write all of them in time.
    const rows = 1_000_000_000
    const { failure, hasBegun } = await run({ ...each.asked, format: 'parquet', rows })
    expect([hasBegun, failure?.class, failure?.message]).toEqual([false, each.kind, each.message])
  })
})

test('an answer of exactly as many rows as the limit is whole, one more is not', async () => {
  for (const [rows, isTruncated] of [
    [4_096, false],
    [4_095, true],
  ] as const) {
    const { text } = await run({ sql: 'select range from range(4096)', rows })
    const ended = JSON.parse(text) as Ended
    expect([ended.rowCount, ended.isTruncated, ended.failure]).toEqual([rows, isTruncated, undefined])
    expect(ended.rows.at(-1)).toEqual([String(rows - 1)])
  }
})

test('rows keep the order of the statement and its names, also those given twice', async () => {
  const { text } = await run({
    sql: 'select range as a, -range as a from range(50000) order by hash(range), range',
  })
  const { rows, columns } = JSON.parse(text) as { rows: [string, string][]; columns: unknown[] }
  expect(columns).toEqual([
    { name: 'a', type: 'BIGINT' },
    { name: 'a', type: 'BIGINT' },
  ])
  expect(new Set(rows.map(([a]) => a)).size).toBe(50_000)
  const again = await run({
    sql: 'select list(range order by hash(range), range)::json as l from range(50000)',
  })
  const [[list = '']] = (JSON.parse(again.text) as { rows: [[string]] }).rows
  expect(rows.map(([a]) => Number(a))).toEqual(JSON.parse(list))
})

test('what fails while the tables are made tells nothing of their files', async () => {
  const missing = join(scratch, 'missing.csv')
  const setup = { ...noTables, statements: [`create table blocks as select * from read_csv('${missing}')`] }
  const { failure, text } = await run({ sql: 'select * from blocks', setup })
  expect([failure?.class, text]).toEqual(['internal', ''])
})
