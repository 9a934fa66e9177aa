import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { manifestFile, tableFile } from '../server/lake/manifest.ts'
import { lakeSchemaVersion, lakeTableNames, type lakeTables } from '../server/lake/tables.ts'
import { ensurePartitions } from '../server/store/partitions.ts'
import type { Database } from '../server/store/database.ts'
import { cacheFolder, say } from './support/paths.ts'
import { atLeast, atMost, type Figure, median, type Report } from './support/report.ts'
import { childrenOf, syntheticChainConfig, withRows, type Service } from './support/service.ts'
import { fillSyntheticRows, syntheticChain } from './rows/synthetic-rows.ts'

const port = 18_817
const chain = Number(syntheticChain)
const rounds = 3
const files = 20
const blocksPerFile = 10_000
const logsPerBlock = 50
const logs = files * blocksPerFile * logsPerBlock
const lastBlock = files * blocksPerFile - 1
const budget = atLeast(500_000)
const formats = ['csv', 'jsonl', 'parquet'] as const

/**
 * Measures the export of 10^7 logs from a generated lake by the built service, with the memory of the service and of the
 * engine's process. The anchor is the bare engine that writes the same rows as CSV to a file, with one thread as in an
 * export.
 */
export async function runExportBench(): Promise<Report> {
  const root = cacheFolder('exports-lake')
  await fillLake(root)
  const config = { chains: [syntheticChainConfig(chain)], lakeFolder: root }
  return withRows(
    { name: 'exports', port, config },
    ['exports', 'a chain without its sealed rows', fillStore],
    (service) => measure(service, root),
  )
}

async function measure(service: Service, root: string): Promise<Report> {
  const figures: Figure[] = []
  const cpu: string[] = []
  let engineMemory = 0
  const anchor = { name: 'bare engine', value: await repeat(() => writeBare(root)) }
  for (const format of formats) {
    say(`${format}, ${rounds} rounds …`)
    const lines = format === 'parquet' ? logs : await countLines(service, format)
    if (lines !== logs + (format === 'csv' ? 1 : 0))
      throw new Error(`${format} has ${lines} lines instead of ${logs}`)
    const { bytes: expected } = await readExport(service, format)
    const [serviceCpu, ownCpu] = [service.cpuSeconds(), process.cpuUsage()]
    let engineCpu = 0
    const value = await repeat(async () => {
      const began = performance.now()
      const { bytes, memory, cpuSeconds } = await readExport(service, format)
      engineCpu += cpuSeconds
      // Headers such as what is left of a limit may differ by a few bytes.
      if (Math.abs(bytes - expected) > 4_096)
        throw new Error(`${format} has ${bytes} bytes instead of ${expected}`)
      engineMemory = Math.max(engineMemory, memory)
      return logs / ((performance.now() - began) / 1_000)
    })
    const reader = process.cpuUsage(ownCpu)
    const each = [engineCpu, service.cpuSeconds() - serviceCpu, (reader.user + reader.system) / 1e6].map(
      (seconds) => (seconds / rounds).toFixed(1),
    )
    cpu.push(`${format} ${each.join(', ')}`)
    figures.push({ name: `10^7 logs as ${format}`, value, unit: 'rows/s', anchor, budget })
  }
  return {
    title: `Exports of ${logs.toLocaleString('en')} logs from a lake of ${files} files`,
    figures: [
      ...figures,
      {
        name: 'memory of the service, peak',
        value: service.peakMemory() / 1e6,
        unit: 'MB',
        budget: atMost(300),
      },
      { name: 'memory of an engine’s process, peak', value: engineMemory / 1e6, unit: 'MB' },
    ],
    notes: [
      `Medians of ${rounds} rounds; the reader shares the machine.`,
      `CPU seconds of one export, by engine, service and reader: ${cpu.join('; ')}.`,
    ],
  }
}

async function repeat(rate: () => Promise<number>): Promise<number> {
  const all: number[] = []
  while (all.length < rounds) all.push(await rate())
  return median(all)
}

type Read = {
  readonly bytes: number
  readonly memory: number
  readonly cpuSeconds: number
}

/** The number of lines of an export, by the HTTP client of Node. */
async function countLines(service: Service, format: string): Promise<number> {
  const request = get(`${service.url}${pathOf(format)}`)
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  let lines = 0
  for await (const chunk of answer as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1
  return lines
}

const pathOf = (format: string): string => `/v1/exports/logs?chainId=${chain}&format=${format}`

/**
 * Reads an export to its end: the bytes on the wire, and the peak memory and CPU time of the engine's process. The client
 * of Node would take four times as long as the service: this one reads into a single buffer.
 */
async function readExport(service: Service, format: string): Promise<Read> {
  let bytes = 0
  let memory = 0
  let cpuSeconds = 0
  let start = ''
  const end = Buffer.alloc(5)
  const socket = connect({
    port,
    host: '127.0.0.1',
    onread: {
      buffer: Buffer.alloc(1_048_576),
      callback(count, buffer) {
        if (bytes === 0) start = Buffer.from(buffer.subarray(0, Math.min(count, 12))).toString()
        bytes += count
        if (count >= end.length) end.set(buffer.subarray(count - end.length, count))
        return true
      },
    },
  })
  const timer = setInterval(() => {
    for (const child of childrenOf(service.pid)) {
      memory = Math.max(memory, child.memory)
      cpuSeconds = Math.max(cpuSeconds, child.cpuSeconds)
    }
  }, 50)
  try {
    socket.write(`GET ${pathOf(format)} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`)
    await once(socket, 'close')
  } finally {
    clearInterval(timer)
  }
  if (start !== 'HTTP/1.1 200' || end.toString() !== '0\r\n\r\n')
    throw new Error(`${format} was cut off: ${start}`)
  return { bytes, memory, cpuSeconds }
}

async function writeBare(root: string): Promise<number> {
  const file = join(root, 'bare.csv')
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: '256MiB' })
  const connection = await instance.connect()
  await connection.run('set preserve_insertion_order = false')
  const began = performance.now()
  await connection.run(`copy (from read_parquet('${join(root, String(chain))}/logs/*.parquet')) to '${file}'`)
  const seconds = (performance.now() - began) / 1_000
  connection.closeSync()
  rmSync(file)
  return logs / seconds
}

const hashOf = (text: string): string => `sha256(${text}::varchar)`
const addressOf = (text: string): string => `'0x' || substr(${hashOf(text)}, 1, 40)`

/** Logs of 5,000 contracts and 100,000 parties as a lake has them; everything follows from a log's place. */
async function fillLake(root: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1GiB' })
  const connection = await instance.connect()
  const columns = {
    number: `(i // ${logsPerBlock})::bigint`,
    index: `(i % ${logsPerBlock})::int`,
    ts: `(1700000000 + i // ${logsPerBlock})::bigint`,
    tx_index: `(i % ${logsPerBlock} // 3)::int`,
    address: addressOf('(hash(i) % 5000)'),
    topic0: `'0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'`,
    topic1: `'0x' || repeat('0', 24) || substr(${hashOf('(hash(i + 1) % 100000)')}, 1, 40)`,
    topic2: `'0x' || repeat('0', 24) || substr(${hashOf('(hash(i + 2) % 100000)')}, 1, 40)`,
    topic3: 'null::varchar',
    data: `'0x' || lpad(lower(hex(hash(i + 3))), 64, '0')`,
  } satisfies Record<(typeof lakeTables.logs)[number][0], string>
  const list = Object.entries(columns).map(([name, value]) => `${value} as "${name}"`)
  for (let file = 0; file < files; file += 1) {
    const range = { from: file * blocksPerFile, to: (file + 1) * blocksPerFile - 1 }
    const manifest = manifestFile(root, chain, range)
    if (statSync(manifest, { throwIfNoEntry: false })) continue
    say(`generating the logs of blocks ${range.from} to ${range.to}, once …`)
    const path = tableFile(root, chain, 'logs', range)
    mkdirSync(dirname(path), { recursive: true })
    const [from, to] = [range.from * logsPerBlock, (range.to + 1) * logsPerBlock]
    await connection.run(`copy (select ${list.join(', ')} from range(${from}, ${to}) r(i)) to '${path}.new'
      (format parquet, compression zstd, compression_level 3, row_group_size 122880)`)
    renameSync(`${path}.new`, path)
    mkdirSync(dirname(manifest), { recursive: true })
    writeFileSync(manifest, JSON.stringify(manifestOf(range)))
  }
  connection.closeSync()
}

const lastHash = `0x${'5a'.repeat(32)}`
const genesisHash = `0x${'00'.repeat(32)}`

function manifestOf(range: { from: number; to: number }): unknown {
  const file = { rows: 0, bytes: 1, sha256: '0'.repeat(64) }
  return {
    schemaVersion: lakeSchemaVersion,
    engine: 'bench',
    chain,
    genesisHash,
    ...range,
    client: 'bench',
    traces: 'off',
    first: { hash: lastHash, parentHash: lastHash, ts: 0 },
    last: { hash: lastHash, ts: 0 },
    files: Object.fromEntries(lakeTableNames.map((table) => [table, file])),
  }
}

/** A store whose newest block ends the lake. */
async function fillStore(database: Database): Promise<void> {
  await fillSyntheticRows(database, 200)
  await ensurePartitions(database, syntheticChain, 0n, BigInt(lastBlock + 1))
  await database`update chains set genesis_hash = ${Buffer.from(genesisHash.slice(2), 'hex')}`
  const newest = { number: lastBlock, hash: `\\x${lastHash.slice(2)}`, ts: 1_700_000_000 + lastBlock }
  await database`insert into blocks
    select (jsonb_populate_record(b, ${database.json(newest)})).* from blocks b order by number desc limit 1`
}
