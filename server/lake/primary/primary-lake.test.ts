import { namesIn } from '../../kernel/durable-files.ts'
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import recorded from '../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { hexText } from '../../../protocol/ids/text.ts'
import { RecordedNode } from '../../indexer/primary/testing/recorded-node.ts'
import { openEngine, type LakeEngine } from '../engine.ts'
import { manifestFile, tableFile, type BlockRange } from '../manifest.ts'
import { contentOf, runLake } from '../testing/run-lake.ts'
import { extractPrimary, type PrimaryExtractOptions } from './extract.ts'
import type { PrimaryManifest } from './manifest.ts'
import type { PrimaryLakeChain } from './tables.ts'
import { addVertices, endedStake, recordedGenesis, reward, rewardedNode } from './testing/rewarded-node.ts'
import { verifyPrimary } from './verify.ts'

let folder: string
let root: string
let node: RecordedNode
let url: string
let engine: LakeEngine

const extract = (options: Partial<PrimaryExtractOptions> = {}) =>
  extractPrimary({
    chain: 'P',
    nodeUrl: url,
    root,
    genesis: recordedGenesis,
    to: undefined,
    size: 5,
    concurrency: 4,
    engine,
    signal: new AbortController().signal,
    onWritten: () => undefined,
    ...options,
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-primary-lake-'))
  root = join(folder, 'lake')
  node = rewardedNode()
  url = await node.start()
  engine = await openEngine(folder)
  await extract({ size: 7 })
  await extract({ chain: 'X' })
})
afterAll(async () => {
  engine?.close()
  await node?.stop()
  await rm(folder, { recursive: true, force: true })
})

const verify = (lake: string, chain: PrimaryLakeChain = 'P', filesOnly = false) =>
  verifyPrimary({ root: lake, chain, engine, filesOnly, signal: new AbortController().signal })

async function rowsOf(table: string, chain: PrimaryLakeChain = 'P', order = 'number'): Promise<unknown[]> {
  const connection = await engine.connect()
  const result = await connection.runAndReadAll(
    `select * from read_parquet('${join(root, chain, table)}/*.parquet') order by ${order}`,
  )
  connection.closeSync()
  return result.getRowObjectsJson()
}

/** Rewrites a table with other rows, and its manifest to match: only a recount can notice. */
async function forge(
  lake: string,
  range: BlockRange,
  table: string,
  select: string,
  chain: PrimaryLakeChain = 'P',
): Promise<void> {
  const path = tableFile(lake, chain, table, range)
  const connection = await engine.connect()
  const { rowsChanged: rows } = await connection.run(
    `copy (${select.replace('%', `read_parquet('${path}')`)}) to '${path}.draft' (format parquet)`,
  )
  connection.closeSync()
  await rename(`${path}.draft`, path)
  const manifestPath = manifestFile(lake, chain, range)
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as PrimaryManifest
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  const files = { ...manifest.files, [table]: { rows, bytes: (await stat(path)).size, sha256 } }
  await writeFile(manifestPath, JSON.stringify({ ...manifest, files }))
}

describe('the P-Chain', () => {
  test('has the blocks and transactions of the node by their ids', async () => {
    const ids = recorded.pBlocks.slice(0, 12).map(({ json }) => json.id)
    const blocks = (await rowsOf('blocks')) as { id: string; supply: string }[]
    expect(blocks.slice(0, 12).map(({ id }) => id)).toEqual(ids)
    expect(blocks[11]?.supply).toBe(recorded.node.supply)
    const known = new Set(((await rowsOf('transactions')) as { id: string }[]).map(({ id }) => id))
    for (const { id } of recorded.node.txs) expect(known.has(id)).toBe(true)
  })

  test('has what is unspent, and for whom, as the node says', async () => {
    const spent = new Set(((await rowsOf('spends')) as { utxo_id: string }[]).map((row) => row.utxo_id))
    const utxos = (await rowsOf('utxos')) as Record<string, unknown>[]
    const unspent = utxos.filter(
      (row) =>
        (row['owners'] as string[]).includes(recorded.node.address.replace('P-', '')) &&
        row['home'] === 'P' &&
        row['reward_type'] === null &&
        row['staked_from'] === null &&
        !spent.has(String(row['utxo_id'])),
    )
    const balance = unspent.reduce((sum, row) => sum + BigInt(String(row['amount'])), 0n)
    expect(balance).toBe(BigInt(recorded.node.balance))
  })

  test('has the reward of a stake where the next range decides it, with its place in the store', async () => {
    // Block 14, with which a range begins, decides what block 13 proposed.
    expect(await rowsOf('rewards')).toEqual([
      expect.objectContaining({
        number: '14',
        height: '13',
        index: 0,
        staking_tx: endedStake,
        type: 1,
        amount: `${reward}`,
      }),
    ])
    expect(await rowsOf('stake_ends')).toEqual([
      expect.objectContaining({ number: '14', height: '13', tx_id: endedStake, outcome: 'rewarded' }),
    ])
    expect((await rowsOf('utxos')).at(-1)).toMatchObject({ number: '14', height: '13', reward_type: 1 })
  })

  test('is the same byte for byte when it is extracted in parts', async () => {
    const parts = join(folder, 'parts')
    await extract({ root: parts, size: 7, to: 13 })
    const report = await verify(parts)
    expect(report).toMatchObject({ ranges: 2, problems: [] })
    await extract({ root: parts, size: 7 })
    expect(await contentOf(join(parts, 'P'))).toEqual(await contentOf(join(root, 'P')))
  })

  test('is rid of what a killed process left, also when no range is missing', async () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    const unfinished = join(root, 'P', 'unfinished')
    await mkdir(join(unfinished, `${hostname()}.${pid}.left.0000000014-0000000020`), { recursive: true })
    expect(await extract({ size: 7 })).toMatchObject({ ranges: 0 })
    expect(await namesIn(unfinished)).toEqual([])
  })

  test('reports blocks that do not fill a range', async () => {
    const short = join(folder, 'short')
    expect(await extract({ root: short, size: 6, to: 13 })).toEqual({ ranges: 2, left: { from: 12, to: 13 } })
  })
})

test('the X-Chain has its genesis, blocks, UTXOs and assets', async () => {
  const blocks = (await rowsOf('blocks', 'X')) as { id: string }[]
  expect(blocks.map(({ id }) => id)).toEqual(recorded.xBlocks.map(({ json }) => json.id))
  const assets = (await rowsOf('assets', 'X')) as { asset: string }[]
  expect(assets.map(({ asset }) => asset)).toContain(recorded.genesis.xAssets[0]?.[1])
  const spent = new Set(((await rowsOf('spends', 'X')) as { utxo_id: string }[]).map((row) => row.utxo_id))
  const unspent = ((await rowsOf('utxos', 'X')) as Record<string, unknown>[]).filter(
    (row) =>
      row['home'] === 'X' &&
      (row['owners'] as string[]).includes(recorded.node.address.replace('P-', '')) &&
      !spent.has(String(row['utxo_id'])),
  )
  const balance = unspent.reduce((sum, row) => sum + BigInt(String(row['amount'])), 0n)
  expect(balance).toBe(BigInt(recorded.node.xBalance))
})

test('what the X-Chain accepted in vertices is in its first range, each transaction once', async () => {
  const old = new RecordedNode()
  old.behaviour.hasIndex = true
  const [one, two] = addVertices(old)
  const nodeUrl = await old.start()
  const lake = join(folder, 'vertices')
  await extract({ chain: 'X', nodeUrl, root: lake })
  await old.stop()
  const rowsIn = async (table: string) => {
    const connection = await engine.connect()
    const path = tableFile(lake, 'X', table, { from: 0, to: 4 })
    const result = await connection.runAndReadAll(`select * from read_parquet('${path}') where number = -1`)
    connection.closeSync()
    return result.getRowObjectsJson()
  }
  expect((await rowsIn('vertices')).map(({ id, is_stop }) => [id, is_stop])).toEqual(
    old.vertices.map(({ id }, index) => [id, index === 2]),
  )
  expect(await rowsIn('transactions')).toMatchObject([
    { index: 0, id: one },
    { index: 1, id: two },
  ])
  expect((await rowsIn('assets')).map(({ name }) => name)).toEqual(['One', 'Two'])
  expect((await verify(lake, 'X')).problems).toEqual([])
  await forge(
    lake,
    { from: 0, to: 4 },
    'vertices',
    `select * replace (parents || parents as parents) from %`,
    'X',
  )
  expect((await verify(lake, 'X')).problems).toHaveLength(1)
})

describe('extraction', () => {
  /** The rows of a table in one range of a lake of the P-Chain. */
  const rowsIn = async (lake: string, table: string, range: { from: number; to: number }) => {
    const connection = await engine.connect()
    const result = await connection.runAndReadAll(
      `select * from read_parquet('${tableFile(lake, 'P', table, range)}')`,
    )
    connection.closeSync()
    return result.getRowObjectsJson()
  }

  test('takes a reward that the rules do not give as it was paid', async () => {
    const odd = rewardedNode(reward + 1n)
    const nodeUrl = await odd.start()
    const lake = join(folder, 'odd')
    await extract({ nodeUrl, root: lake, size: 7 })
    await odd.stop()
    const from14 = { from: 14, to: 20 }
    expect(await rowsIn(lake, 'rewards', from14)).toMatchObject([{ amount: String(reward + 1n) }])
    expect((await verify(lake)).problems).toEqual([])
  })

  test('an input that spends what is not there spends nothing', async () => {
    // Block 9 twice: with another height, its transactions are the same.
    const twice = new RecordedNode()
    const bytes = Buffer.from(recorded.pBlocks[9]?.hex.slice(2, -8) ?? '', 'hex')
    const last = Buffer.from(recorded.pBlocks[11]?.hex.slice(2, -8) ?? '', 'hex')
    createHash('sha256').update(last).digest().copy(bytes, 14)
    last.copy(bytes, 6, 6, 14)
    bytes.writeBigUInt64BE(12n, 46)
    const checksum = createHash('sha256').update(bytes).digest().subarray(-4)
    twice.blocks.push(hexText(Buffer.concat([bytes, checksum])))
    twice.behaviour.pHeight = 12
    const nodeUrl = await twice.start()
    const lake = join(folder, 'twice')
    await extract({ nodeUrl, root: lake, size: 13 })
    await twice.stop()
    const spends = (await rowsIn(lake, 'spends', { from: 0, to: 12 })) as {
      utxo_id: string
      number: string
    }[]
    expect(new Set(spends.map(({ utxo_id: id }) => id)).size).toBe(spends.length)
    expect(spends.map(({ number }) => Number(number))).toContain(9)
    expect(spends.map(({ number }) => Number(number))).not.toContain(12)
    expect((await verify(lake)).problems).toEqual([])
  })

  test('needs the genesis, and that of the network', async () => {
    await expect(extract({ root: join(folder, 'none'), genesis: undefined })).rejects.toThrow('no genesis')
    const other = Buffer.from(recordedGenesis)
    other.writeUInt8((other.at(-1) ?? 0) ^ 1, other.length - 1)
    const lake = join(folder, 'other')
    for (const chain of ['P', 'X'] as const)
      await expect(extract({ root: lake, chain, genesis: other })).rejects.toThrow('another network')
    // It is not kept: the right one is taken after it.
    expect(await extract({ root: lake, size: 7, to: 6 })).toMatchObject({ ranges: 1 })
  })

  test('refuses a node without the index that the lake had', async () => {
    const indexed = rewardedNode()
    indexed.behaviour.hasIndex = true
    indexed.behaviour.pHeight = 9
    const nodeUrl = await indexed.start()
    const lake = join(folder, 'indexed')
    await extract({ nodeUrl, root: lake, size: 4 })
    await indexed.stop()
    await expect(extract({ root: lake, size: 4 })).rejects.toThrow('no index of them')
  })
})

describe('the recount', () => {
  let copies = 0
  const copyOfLake = async (): Promise<string> => {
    const copy = join(folder, `copy-${(copies += 1)}`)
    await cp(root, copy, { recursive: true })
    return copy
  }

  test('finds nothing in what was extracted', async () => {
    for (const chain of ['P', 'X'] as const) {
      const report = await verify(root, chain)
      expect(report).toMatchObject({ problems: [], strays: [] })
      expect(report.rows['blocks']).toBe(chain === 'P' ? 21 : 5)
    }
  })

  test.each([
    ['blocks', 7, 'supply + 1 as supply', 'blocks: the rows of block 7'],
    ['blocks', 7, 'ts + 1 as ts', 'blocks: the rows of block 7'],
    ['utxos', 7, 'amount + 1 as amount', 'utxos: the rows of block'],
    ['utxos', 14, 'amount + 1 as amount', 'stake_ends: the rows of block 14'],
    ['stakes', 7, 'weight + 1 as weight', 'stakes: the rows of block'],
    ['rewards', 14, 'amount + 1 as amount', 'rewards: the rows of block 14'],
    ['stake_ends', 14, `'unrewarded' as outcome`, 'stake_ends: the rows of block 14'],
    ['transactions', 7, `id || 'x' as id`, 'transactions: the rows of block'],
    ['spends', 7, `'X' as source`, 'spends: the rows of block'],
  ])('finds other rows of %s from block %i on: %s', async (table, from, change, problem) => {
    const lake = await copyOfLake()
    await forge(lake, { from, to: from + 6 }, table, `select * replace (${change}) from %`)
    expect((await verify(lake)).problems.join()).toContain(problem)
    expect((await verify(lake, 'P', true)).problems).toEqual([])
  })

  test('finds rows that are missing', async () => {
    const lake = await copyOfLake()
    await forge(lake, { from: 7, to: 13 }, 'spends', 'select * from % where false')
    expect((await verify(lake)).problems.join()).toContain('spends: the rows of block')
  })

  test('finds a changed file, a missing genesis and a gap', async () => {
    const lake = await copyOfLake()
    const path = tableFile(lake, 'P', 'stakes', { from: 7, to: 13 })
    await writeFile(path, Buffer.concat([await readFile(path), Buffer.from('x')]))
    await rm(join(lake, 'P', 'genesis.bin'))
    expect((await verify(lake)).problems).toEqual([
      'genesis.bin: the file is missing',
      'blocks 7 to 13: stakes: the file has another content',
    ])
    await rm(manifestFile(lake, 'P', { from: 0, to: 6 }))
    expect((await verify(lake)).problems[0]).toMatch('2 ranges lie beyond a gap')
  })

  test('is what the program prints and ends with', async () => {
    const { code, output } = await runLake(['verify', '--root', root])
    expect(output).toMatch(/chain P: 3 ranges, [\d.]+ MB: 21 blocks, \d+ transactions/)
    expect(output).toMatch(/chain X: 1 ranges/)
    expect(code).toBe(0)
  })
})
