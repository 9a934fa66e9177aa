import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { openEngine } from './engine.ts'
import { lakeTableNames, type LakeTable } from './tables.ts'
import { killAtRandom, killSettings, startWriter } from './testing/kills.ts'
import { livelyChainId, startLivelyChain, type LivelyChain } from './testing/lively-chain.ts'
import { contentOf, runLake } from './testing/run-lake.ts'
import { verifyLake } from './verify-lake.ts'

const settings = killSettings({ kills: 3, seed: 20 })
const last = 23
const size = 4

let folder: string
let chain: LivelyChain
/** What one worker writes without interruption. */
let expected: Record<string, string>

const sourceOf = (root: string) => [
  'extract',
  '--root',
  root,
  '--chain',
  `${livelyChainId}`,
  '--rpc',
  chain.url,
]
const argsFor = (root: string, workers: number) => [
  ...sourceOf(root),
  ...`--from 0 --to ${last} --range-size ${size} --confirmations 0 --workers ${workers}`.split(' '),
]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-lake-'))
  chain = await startLivelyChain(last + 1)
  const run = await runLake(argsFor(join(folder, 'whole'), 1))
  expect(run.output).toContain(`${(last + 1) / size} ranges written`)
  expected = await contentOf(join(folder, 'whole'))
})

afterAll(async () => {
  await chain?.stop()
  await rm(folder, { recursive: true, force: true })
})

type Json = Record<string, unknown>

/** All rows of a table in order, each value as text. */
async function rowsOf(table: LakeTable): Promise<Record<string, string | null>[]> {
  const engine = await openEngine(folder)
  const connection = await engine.connect()
  const files = join(folder, 'whole', `${livelyChainId}`, table, '*.parquet')
  const reader = await connection.runAndReadAll(`select columns(*)::varchar from read_parquet('${files}')`)
  connection.closeSync()
  engine.close()
  return reader.getRowObjects() as Record<string, string | null>[]
}

const decimal = (value: unknown) => BigInt(value as string).toString()

describe('the rows are what the node answers', () => {
  const blocks: Json[] = []
  const receipts: Json[] = []
  beforeAll(async () => {
    for (let number = 0; number <= last; number += 1) {
      const at = `0x${number.toString(16)}`
      blocks.push((await chain.ask('eth_getBlockByNumber', [at, true])) as Json)
      receipts.push(...((await chain.ask('eth_getBlockReceipts', [at])) as Json[]))
    }
  })

  test('blocks', async () => {
    const rows = await rowsOf('blocks')
    expect(rows).toHaveLength(last + 1)
    expect(
      rows.map(({ number, hash, parent_hash, ts, base_fee, tx_count }) => [
        number,
        hash,
        parent_hash,
        ts,
        base_fee,
        tx_count,
      ]),
    ).toEqual(
      blocks.map((block) => [
        decimal(block['number']),
        block['hash'],
        block['parentHash'],
        decimal(block['timestamp']),
        decimal(block['baseFeePerGas']),
        `${(block['transactions'] as Json[]).length}`,
      ]),
    )
  })

  test('transactions and receipts', async () => {
    const rows = await rowsOf('transactions')
    const asked = blocks.flatMap((block) => block['transactions'] as Json[])
    const wanted = asked.map((transaction, index) => {
      const receipt = receipts[index] ?? {}
      return {
        hash: transaction['hash'],
        sender: transaction['from'],
        recipient: transaction['to'],
        created: receipt['contractAddress'],
        value: decimal(transaction['value']),
        nonce: decimal(transaction['nonce']),
        status: decimal(receipt['status']),
        gas_used: decimal(receipt['gasUsed']),
        gas_price: decimal(receipt['effectiveGasPrice']),
        log_count: `${(receipt['logs'] as Json[]).length}`,
        input: transaction['input'],
        type: decimal(transaction['type']),
      }
    })
    const byHash = (one: { hash?: unknown }, other: { hash?: unknown }) =>
      String(one.hash) < String(other.hash) ? -1 : 1
    expect(
      rows
        .map((row) => Object.fromEntries(Object.keys(wanted[0] ?? {}).map((name) => [name, row[name]])))
        .toSorted(byHash),
    ).toEqual(wanted.toSorted(byHash))
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['0', '1']))
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['0', '1', '2', '4']))
  })

  test('logs and the transfers in them', async () => {
    const asked = receipts.flatMap((receipt) => receipt['logs'] as Json[])
    const rows = await rowsOf('logs')
    const key = (parts: unknown[]) => parts.join(' ')
    expect(
      rows
        .map((row) => key([row['number'], row['index'], row['address'], row['topic0'], row['data']]))
        .toSorted(),
    ).toEqual(
      asked
        .map((log) =>
          key([
            decimal(log['blockNumber']),
            decimal(log['logIndex']),
            log['address'],
            (log['topics'] as string[])[0],
            log['data'],
          ]),
        )
        .toSorted(),
    )
    const transfers = await rowsOf('token_transfers')
    // Of the batch that was minted: ids 1, 2 and 2 again.
    expect(
      transfers
        .filter(({ kind }) => kind === '1155')
        .slice(0, 3)
        .map(({ position, token_id, amount, sender }) => [position, token_id, amount, sender]),
    ).toEqual(
      [
        ['0', '1', '50'],
        ['1', '2', '60'],
        ['2', '2', '7'],
      ].map((item) => [...item, `0x${'0'.repeat(40)}`]),
    )
    // The word of data of an ERC-20 transfer is the amount, and its last two topics are the parties.
    const coins = asked.filter((log) => (log['topics'] as string[]).length === 3 && log['data'] !== '0x')
    const moved = (log: Json) => (log['topics'] as string[])[0]?.startsWith('0xddf252ad')
    const party = (topic: string | undefined) => `0x${topic?.slice(26)}`
    expect(
      transfers
        .filter(({ kind }) => kind === '20')
        .map((row) =>
          key([
            row['number'],
            row['log_index'],
            row['token'],
            row['sender'],
            row['recipient'],
            row['amount'],
          ]),
        ),
    ).toEqual(
      coins.filter(moved).map((log) => {
        const [, from, to] = log['topics'] as string[]
        return key([
          decimal(log['blockNumber']),
          decimal(log['logIndex']),
          log['address'],
          party(from),
          party(to),
          decimal(log['data']),
        ])
      }),
    )
    expect(transfers.filter(({ kind }) => kind === '721').length).toBeGreaterThan(0)
  })

  test('calls and contracts', async () => {
    const traces = []
    for (const { number } of blocks) traces.push(...((await chain.ask('trace_block', [number])) as Json[]))
    const inner = traces.filter((trace) => (trace['traceAddress'] as number[]).length > 0)
    const calls = await rowsOf('calls')
    expect(calls).toHaveLength(inner.length)
    expect(calls.length).toBeGreaterThan(0)
    const created = new Set(receipts.flatMap((receipt) => receipt['contractAddress'] ?? []))
    const contracts = await rowsOf('contracts')
    const byTransaction = contracts.filter(({ ordinal }) => ordinal === '-1')
    expect(new Set(byTransaction.map(({ address }) => address))).toEqual(created)
    for (const { address } of contracts)
      expect(await chain.ask('eth_getCode', [address, 'latest'])).not.toBe('0x')
    expect(contracts.length).toBeGreaterThan(created.size)
  })
})

test('three workers write the same bytes as one', async () => {
  const root = join(folder, 'three')
  await runLake(argsFor(root, 3))
  expect(await contentOf(root)).toEqual(expected)
  // Nothing is left to do, and nothing is touched.
  expect((await runLake(argsFor(root, 3))).output).toContain('0 ranges written')
  expect(await contentOf(root)).toEqual(expected)
})

test(
  `killed at random moments, the lake ends up the same (seed ${settings.seed})`,
  async () => {
    const engine = await openEngine(folder)
    let targets = 0
    await killAtRandom(settings, async () => {
      const root = join(folder, `killed-${(targets += 1)}`)
      await mkdir(root)
      return {
        start: (event) => startWriter(root, argsFor(root, 2), event),
        // A worker, or all of it.
        victims: (run) => [...run.workers.slice(-2), run.process.pid],
        async afterKill(when) {
          const signal = new AbortController().signal
          const report = await verifyLake({ root, chain: livelyChainId, engine, filesOnly: true, signal })
          expect(report.problems, when).toEqual([])
        },
        async whenThrough(when) {
          expect(await contentOf(root), when).toEqual(expected)
          expect(await readdir(join(root, `${livelyChainId}`, 'unfinished')), when).toEqual([])
        },
      }
    })
    engine.close()
  },
  settings.timeout,
)

test('two programs share the ranges through leases', async () => {
  const store = await createTestDatabase()
  const root = join(folder, 'shared')
  const args = [...argsFor(root, 1), '--leases', 'test']
  const runs = await Promise.all([
    runLake(args, { DATABASE_URL: store.url }),
    runLake(args, { DATABASE_URL: store.url }),
  ])
  const written = runs.map(({ output }) => Number(/(\d+) ranges written/.exec(output)?.[1]))
  expect((written[0] ?? 0) + (written[1] ?? 0)).toBe((last + 1) / size)
  expect(await contentOf(root)).toEqual(expected)
  expect(await store.database`select from lake_leases`).toHaveLength(0)
  await store.drop()
})

test('only final blocks and whole ranges are written', async () => {
  const root = join(folder, 'final')
  const args = (to: number, confirmations: number) => [
    ...sourceOf(root),
    ...`--to ${to} --range-size 10 --confirmations ${confirmations}`.split(' '),
  ]
  const early = await runLake(args(last, 3))
  expect(early.output).toBe(`block ${last} is not final: the highest final block is ${last - 3}`)
  expect(early.code).toBe(1)
  const run = await runLake(args(last - 3, 3))
  expect(run.output).toContain(`blocks 20 to ${last - 3} do not fill a range yet`)
  expect(await readdir(join(root, `${livelyChainId}`, 'manifests'))).toEqual([
    '0000000000-0000000009.json',
    '0000000010-0000000019.json',
  ])
  const other = await runLake([...args(last, 0), '--range-size', '5'])
  expect(other.output).toBe('the lake has ranges of 10 blocks: give --range-size 10')
})

test('every table has a file in every range', () => {
  for (const table of lakeTableNames)
    expect(Object.keys(expected).filter((file) => file.includes(`/${table}/`))).toHaveLength(
      (last + 1) / size,
    )
})
