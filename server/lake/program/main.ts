import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { FatalError, RetryableError } from '../../kernel/errors.ts'
import { SettingsError } from '../../kernel/settings/config.ts'
import { readGenesisFile } from '../../primary/genesis-file.ts'
import { openDatabase, type Database } from '../../store/database.ts'
import { migrate } from '../../store/migrate.ts'
import { startEmbeddedPostgres } from '../../store/embedded-postgres.ts'
import {
  readCommand,
  type LakeCommand,
  type PrimaryFlags,
  type StoreFlags,
  type VerifyFlags,
} from './command-line.ts'
import { openEngine, type LakeEngine } from '../engine.ts'
import { extract, type ExtractReports } from '../extract.ts'
import { help } from './help.ts'
import { bulkLoad } from '../bulk/load.ts'
import { runSealer } from './sealer.ts'
import { rangeName, type BlockRange } from '../manifest.ts'
import { loadLake, type LoadedRange } from '../load.ts'
import { extractPrimary, type PrimaryExtractOptions } from '../primary/extract.ts'
import { loadPrimary } from '../primary/load.ts'
import { sealPrimary } from '../primary/seal.ts'
import { verifyPrimary } from '../primary/verify.ts'
import { storedChains, storedPrimary } from '../ranges.ts'
import { pullLake, readOnFolder, writeOnFolder, type Published } from '../s3/on-folder.ts'
import { seal } from '../seal.ts'
import { linesOfReport, verifyLake } from '../verify-lake.ts'
import { runWorker } from '../worker.ts'

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** Aborts with the first signal. */
function endOfSignals(): AbortSignal {
  const ended = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => ended.abort())
  return ended.signal
}

/** The program behind `npm run lake`; see docs/lake.md. Returns the exit code. */
async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2), process.env)
  if (command.name === 'help') {
    say(help)
    return 0
  }
  const signal = endOfSignals()
  const place = { env: process.env, signal, say }
  switch (command.name) {
    case 'extract':
      return writeOnFolder({ ...command.options, ...place }, (root, ended, published) =>
        runExtract({ ...command.options, root }, ended, published),
      )
    case 'extractPrimary':
      return writeOnFolder({ ...command.options, ...place }, (root, ended, published) =>
        runExtractPrimary({ ...command.options, root }, ended, published),
      )
    case 'sealPrimary':
      return writeOnFolder({ ...command.options, ...place }, (root, ended, published) =>
        runSealPrimary({ ...command.options, root }, ended, published),
      )
    case 'seal':
      return writeOnFolder({ ...command.options, ...place }, (root, ended, published) =>
        runSeal({ ...command.options, root }, ended, published),
      )
    case 'load':
      return readOnFolder({ ...command.options, ...place }, (root) =>
        withStore(command.options, (more) =>
          (command.options.bulk ? bulkLoad : loadLake)({ ...command.options, ...more, root, signal }),
        ),
      )
    case 'loadPrimary':
      return readOnFolder({ ...command.options, ...place }, (root) =>
        withStore(command.options, (more) => loadPrimary({ ...command.options, ...more, root, signal })),
      )
    case 'verify':
      return readOnFolder({ ...command.options, ...place }, (root) =>
        runVerify({ ...command.options, root }, signal),
      )
    case 'pull':
      await pullLake({ ...command.options, ...place }, command.options.into)
      return 0
  }
}

async function runVerify({ root, chain, filesOnly }: VerifyFlags, signal: AbortSignal): Promise<number> {
  const engine = await openEngine(tmpdir())
  const chains =
    chain === undefined ? [...(await storedPrimary(root)), ...(await storedChains(root))] : [chain]
  if (chains.length === 0) throw new FatalError(`${root}: holds no lake`)
  let clean = true
  for (const id of chains) {
    const options = { root, engine, filesOnly, signal }
    const report =
      typeof id === 'number'
        ? await verifyLake({ ...options, chain: id })
        : await verifyPrimary({ ...options, chain: id })
    for (const line of linesOfReport(id, report)) say(line)
    clean &&= report.problems.length === 0 && report.ranges > 0
  }
  engine.close()
  return clean && !signal.aborted ? 0 : 1
}

const program = fileURLToPath(import.meta.url)

/** What extraction and sealing print. */
const reportsTo = (published: Published): ExtractReports => ({
  program,
  onStarted: ({ pid }) => say(`worker ${pid} started`),
  onWritten: ({ manifest: { chain, from, to, files }, milliseconds, cpuMilliseconds }) => {
    const counts = `${files.transactions.rows} transactions, ${files.logs.rows} logs`
    const took = `${(milliseconds / 1000).toFixed(1)} s, ${(cpuMilliseconds / 1000).toFixed(1)} s of CPU`
    say(`blocks ${from} to ${to}: ${counts}; ${took}`)
    published({ chain, name: rangeName({ from, to }) })
  },
  onRetry: ({ range, reason }) => say(`blocks ${range.from} to ${range.to}: again: ${reason}`),
})

type OptionsOf<Name> = Extract<LakeCommand, { name: Name; options: unknown }>['options']

async function runExtract(
  options: OptionsOf<'extract'>,
  signal: AbortSignal,
  published: Published,
): Promise<number> {
  const { ranges, left } = await extract({ ...options, ...reportsTo(published), signal })
  sayExtracted(ranges, left)
  return signal.aborted ? 1 : 0
}

/** What the extraction and sealing of the P- and the X-chain print, and the genesis that they begin with. */
async function withPrimary<Value>(
  { genesisFile, chain }: PrimaryFlags,
  published: Published,
  run: (more: Pick<PrimaryExtractOptions, 'engine' | 'genesis' | 'onWritten'>) => Promise<Value>,
): Promise<Value> {
  const engine = await openEngine(tmpdir())
  try {
    return await run({
      engine,
      genesis: genesisFile === undefined ? undefined : readGenesisFile(genesisFile),
      onWritten: ({ manifest: { from, to, files }, milliseconds }) => {
        const counts = `${files['transactions']?.rows} transactions, ${files['utxos']?.rows} UTXOs`
        say(`${chain} blocks ${from} to ${to}: ${counts}; ${(milliseconds / 1000).toFixed(1)} s`)
        published({ chain, name: rangeName({ from, to }) })
      },
    })
  } finally {
    engine.close()
  }
}

async function runExtractPrimary(
  options: OptionsOf<'extractPrimary'>,
  signal: AbortSignal,
  published: Published,
): Promise<number> {
  try {
    const { ranges, left } = await withPrimary(options, published, (more) =>
      extractPrimary({ ...options, ...more, signal }),
    )
    sayExtracted(ranges, left)
  } catch (error) {
    // What is not published is done again.
    if (!signal.aborted) throw error
  }
  return signal.aborted ? 1 : 0
}

function sayExtracted(ranges: number, left: BlockRange | undefined): void {
  say(`${ranges} ranges written`)
  if (left) say(`blocks ${left.from} to ${left.to} do not fill a range yet`)
}

async function runSealPrimary(
  { databaseUrl, network, ...options }: OptionsOf<'sealPrimary'>,
  signal: AbortSignal,
  published: Published,
): Promise<number> {
  const database = openStore(databaseUrl)
  try {
    await withPrimary(options, published, (more) =>
      sealPrimary({ ...options, ...more, store: database && { database, network }, signal, onFailure }),
    )
  } finally {
    await database?.end({ timeout: 5 })
  }
  return 0
}

const onFailure = (reason: string) => say(`trying again: ${reason}`)

const openStore = (databaseUrl: string | undefined): Database | undefined =>
  databaseUrl === undefined
    ? undefined
    : openDatabase(databaseUrl, { max: 2, applicationName: 'ridgeline lake' })

async function runSeal(
  { databaseUrl, ...options }: OptionsOf<'seal'>,
  signal: AbortSignal,
  published: Published,
): Promise<number> {
  const database = openStore(databaseUrl)
  try {
    await seal({ ...options, ...reportsTo(published), database, signal, onFailure })
  } finally {
    await database?.end({ timeout: 5 })
  }
  return 0
}

/** What loading prints, and the store and the engine that it needs. */
async function withStore(
  { databaseUrl, home }: StoreFlags,
  load: (more: {
    database: Database
    engine: LakeEngine
    onRange(loaded: LoadedRange): void
    onPart(loaded: { part: string; milliseconds: number }): void
  }) => Promise<{ blocks: BlockRange | undefined; lakeEnd: number }>,
): Promise<number> {
  const server = databaseUrl === undefined ? await startEmbeddedPostgres({ home }) : undefined
  const database = openDatabase(databaseUrl ?? server?.url ?? '', { applicationName: 'ridgeline lake' })
  const engine = await openEngine(tmpdir())
  try {
    await migrate(database)
    const sayPart = (part: string, milliseconds: number) =>
      say(`${part}: ${(milliseconds / 1000).toFixed(1)} s`)
    const { blocks, lakeEnd } = await load({
      database,
      engine,
      onRange: ({ range: { from, to }, milliseconds }) => sayPart(`blocks ${from} to ${to}`, milliseconds),
      onPart: ({ part, milliseconds }) => sayPart(part, milliseconds),
    })
    say(blocks ? `loaded blocks ${blocks.from} to ${blocks.to}` : `block ${lakeEnd} was there already`)
    return blocks && blocks.to < lakeEnd ? 1 : 0
  } finally {
    engine.close()
    await database.end({ timeout: 5 })
    await server?.stop()
  }
}

/** What the user is told: a known failure's message says everything; the stack helps with any other. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isKnown = [FatalError, RetryableError, SettingsError].some((kind) => error instanceof kind)
  return isKnown ? error.message : (error.stack ?? error.message)
}

if (process.argv[2] === 'worker' && process.send) runWorker()
else if (process.argv[2] === 'sealer' && process.send) runSealer(program)
else
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${textOf(error)}\n`)
      process.exit(error instanceof SettingsError ? 2 : 1)
    },
  )
