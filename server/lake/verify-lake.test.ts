import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RecordedChain } from '../indexer/testing/recorded-chain.ts'
import { SimulatedNode } from '../indexer/testing/simulated-node.ts'
import { openEngine, type LakeEngine } from './engine.ts'
import { manifestFile, tableFile, type Manifest } from './manifest.ts'
import { lakeTableNames, type LakeTable } from './tables.ts'
import { livelyChainId, startLivelyChain, type LivelyChain } from './testing/lively-chain.ts'
import { writeRanges } from './testing/run-lake.ts'
import { verifyLake } from './verify-lake.ts'

const chainId = livelyChainId
const range = { from: 10, to: 19 }
const ranges = [{ from: 0, to: 9 }, range, { from: 20, to: 29 }]

let folder: string
let root: string
let chain: LivelyChain
let engine: LakeEngine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-verify-'))
  root = join(folder, 'lake')
  chain = await startLivelyChain(30)
  engine = await openEngine(folder)
  await writeRanges({ root, rpcUrl: chain.url, chain: chainId }, ranges)
})

afterAll(async () => {
  engine?.close()
  await chain?.stop()
  await rm(folder, { recursive: true, force: true })
})

const verify = (lake: string, id = chainId, filesOnly = false) =>
  verifyLake({ root: lake, chain: id, engine, filesOnly, signal: new AbortController().signal })

let copies = 0
async function copyOfLake(): Promise<string> {
  const copy = join(folder, `copy-${(copies += 1)}`)
  await cp(root, copy, { recursive: true })
  return copy
}

async function changeManifest(lake: string, change: (manifest: Manifest) => Manifest): Promise<void> {
  const path = manifestFile(lake, chainId, range)
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest
  await writeFile(path, JSON.stringify(change(manifest)))
}

/** Rewrites a table with other rows, and its manifest to match: only a recount can notice. */
async function forge(lake: string, table: LakeTable, select: string): Promise<void> {
  const path = tableFile(lake, chainId, table, range)
  const connection = await engine.connect()
  const draft = `${path}.draft`
  const { rowsChanged: rows } = await connection.run(
    `copy (${select.replace('%', `read_parquet('${path}')`)}) to '${draft}' (format parquet)`,
  )
  connection.closeSync()
  await rename(draft, path)
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  const { size: bytes } = await stat(path)
  await changeManifest(lake, (manifest) => ({
    ...manifest,
    files: { ...manifest.files, [table]: { rows, bytes, sha256 } },
  }))
}

test('a whole lake is clean, and its counts are those of the node', async () => {
  const report = await verify(root)
  expect(report).toMatchObject({ ranges: 3, problems: [], gaps: [], strays: [], unproven: [] })
  const counts = { transactions: 0, logs: 0 }
  for (let number = 0; number <= 29; number += 1) {
    const receipts = (await chain.ask('eth_getBlockReceipts', [`0x${number.toString(16)}`])) as {
      logs: unknown[]
    }[]
    counts.transactions += receipts.length
    for (const { logs } of receipts) counts.logs += logs.length
  }
  expect(report.rows).toMatchObject({ blocks: 30, ...counts })
  expect(report.rows.calls).toBeGreaterThan(0)
})

describe('finds', () => {
  const first = '(select min(number) from %)'
  /** A forged table, and what has to be said of it. */
  const forgeries: [what: string, table: LakeTable, select: string, problem: RegExp][] = [
    [
      'an amount',
      'transactions',
      'select * replace ((value::hugeint + 1)::varchar as value) from %',
      /transaction 0 does not hash to/,
    ],
    [
      'gas',
      'transactions',
      'select * replace (gas_used + 1 as gas_used) from %',
      /the gas of block 10 does not add up/,
    ],
    [
      'a missing log',
      'logs',
      'select * from % where index <> 0',
      /its header does not hash to|the receipts root differs/,
    ],
    [
      'the data of a log',
      'logs',
      "select * replace ('0x' || repeat('00', 32) as data) from %",
      /the receipts root differs/,
    ],
    ['a time', 'blocks', 'select * replace (ts + 1 as ts) from %', /its header does not hash to/],
    [
      'fees',
      'blocks',
      "select * replace ('1' as fees) from %",
      /blocks: the rows of block 10 are not those that follow/,
    ],
    [
      'a moved amount',
      'token_transfers',
      "select * replace ('1' as amount) from %",
      /token_transfers: the rows of block \d+ are not/,
    ],
    [
      'a deployer',
      'contracts',
      'select * replace (address as deployer) from %',
      /contracts: the rows of block \d+ are not/,
    ],
    [
      'another order',
      'transactions',
      'select * from % order by number desc',
      /block 10: |belongs to no block/,
    ],
    [
      'a doubled row',
      'logs',
      `select * from % union all by name select * from % where number = ${first} order by number, index`.replaceAll(
        '%',
        'files',
      ),
      /a block is missing|receipts root/,
    ],
  ]

  test.each(forgeries)('%s', async (_what, table, select, problem) => {
    const lake = await copyOfLake()
    const path = tableFile(lake, chainId, table, range)
    await forge(
      lake,
      table,
      select.replaceAll('files', `read_parquet('${path}')`).replaceAll('%', `read_parquet('${path}')`),
    )
    const { problems, gaps } = await verify(lake)
    expect(problems.join('\n')).toMatch(problem)
    expect(problems.filter((text) => !text.startsWith('blocks 10 to 19: '))).toEqual([])
    expect(gaps).toEqual([])
  })

  test('changed and missing files', async () => {
    const lake = await copyOfLake()
    const logs = tableFile(lake, chainId, 'logs', range)
    await writeFile(logs, Buffer.concat([await readFile(logs), Buffer.from([0])]))
    await rm(tableFile(lake, chainId, 'calls', range))
    const { problems } = await verify(lake, chainId, true)
    expect(problems).toEqual([
      'blocks 10 to 19: logs: the file has another content',
      'blocks 10 to 19: calls: the file is missing',
    ])
  })

  test('a range of another branch', async () => {
    const lake = await copyOfLake()
    const hash = `0x${'12'.repeat(32)}`
    await changeManifest(lake, (manifest) => ({ ...manifest, last: { ...manifest.last, hash } }))
    const { problems } = await verify(lake)
    expect(problems).toEqual([
      'blocks 10 to 19: the last block is not that of the manifest',
      `blocks 20 to 29: does not follow block 19, ${hash}`,
    ])
  })

  test('gaps, and files that an interrupted extraction left', async () => {
    const lake = await copyOfLake()
    await rm(manifestFile(lake, chainId, range))
    const report = await verify(lake)
    expect(report.problems).toEqual([])
    expect(report.gaps).toEqual([range])
    expect(report.strays).toEqual(lakeTableNames.map((table) => `${table}/0000000010-0000000019.parquet`))
  })
})

describe('blocks that were accepted before they were executed', () => {
  let recorded: RecordedChain
  let node: SimulatedNode
  let rpcUrl: string
  beforeAll(async () => {
    recorded = new RecordedChain()
    node = new SimulatedNode({ chain: recorded })
    rpcUrl = await node.start()
  })
  afterAll(() => node.stop())

  test('are proven by later blocks, beyond the end of the range', async () => {
    const lake = join(folder, 'settled')
    const source = { root: lake, rpcUrl, chain: recorded.id, traces: 'off' as const }
    // Block 8 settles up to block 7; nothing settles block 11 yet.
    await writeRanges(source, [
      { from: 0, to: 3 },
      { from: 4, to: 7 },
    ])
    const report = await verify(lake, recorded.id)
    expect(report).toMatchObject({ ranges: 2, problems: [], unproven: [] })
    const restore = recorded.lie(6, { status: '0x0' })
    const wrong = writeRanges(source, [{ from: 4, to: 7 }])
    await expect(wrong).rejects.toThrow(/block 8 settles the blocks 5 to 7/)
    restore()
  })
})
