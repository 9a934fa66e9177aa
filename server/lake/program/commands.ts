import { tmpdir } from 'node:os'
import { FatalError } from '../../kernel/errors.ts'
import { readGenesisFile } from '../../primary/genesis-file.ts'
import { openDatabase, type Database } from '../../store/database.ts'
import { startEmbeddedPostgres } from '../../store/embedded-postgres.ts'
import { migrate } from '../../store/schema/migrate.ts'
import { bulkLoad } from '../bulk/load.ts'
import { openEngine, type LakeEngine } from '../engine.ts'
import { loadLake, type LoadedRange } from '../load.ts'
import { rangeName, type BlockRange } from '../manifest.ts'
import { extractPrimary, type PrimaryExtractOptions } from '../primary/extract.ts'
import { loadPrimary } from '../primary/load.ts'
import { sealPrimary } from '../primary/seal.ts'
import { verifyPrimary } from '../primary/verify.ts'
import { storedChains, storedPrimary } from '../ranges.ts'
import { pullLake, readOnFolder, writeOnFolder, type Published } from '../s3/on-folder.ts'
import { seal } from '../seal.ts'
import { linesOfReport, verifyLake } from '../verify-lake.ts'
import type { LakeCommand, PrimaryFlags, StoreFlags, VerifyFlags } from './command-line.ts'
import { reportsTo, say, sayExtracted, type OptionsOf } from './reports.ts'

/** Runs every command but the extraction of an EVM chain. `program` is that of workers. Returns the exit code. */
export async function runCommand(
  command: Exclude<LakeCommand, { name: 'help' | 'extract' }>,
  program: string,
  signal: AbortSignal,
): Promise<number> {
  const place = { env: process.env, signal, say }
  switch (command.name) {
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
        runSeal({ ...command.options, root }, program, ended, published),
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

/** What the extraction and sealing of the P- and the X-Chain print, and the genesis that they begin with. */
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
  return codeOf(options, signal)
}

/** One that should seal all once is cut by a signal; for one that waits for more, a signal is the end. */
const codeOf = ({ once }: { readonly once: boolean }, signal: AbortSignal): number =>
  once && signal.aborted ? 1 : 0

const onFailure = (reason: string) => say(`trying again: ${reason}`)

const openStore = (databaseUrl: string | undefined): Database | undefined =>
  databaseUrl === undefined
    ? undefined
    : openDatabase(databaseUrl, { max: 2, applicationName: 'ridgeline lake' })

async function runSeal(
  { databaseUrl, ...options }: OptionsOf<'seal'>,
  program: string,
  signal: AbortSignal,
  published: Published,
): Promise<number> {
  const database = openStore(databaseUrl)
  try {
    await seal({ ...options, ...reportsTo(program, published), database, signal, onFailure })
  } finally {
    await database?.end({ timeout: 5 })
  }
  return codeOf(options, signal)
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
