import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { SettingsError, loadConfig } from './kernel/settings/config.ts'
import { runContractWorkers } from './contracts/workers.ts'
import { runIndexers } from './indexer/run.ts'
import { runLakeSealer } from './lake/program/run-sealer.ts'
import { runPrimaryIndexers } from './indexer/primary/networks.ts'
import { isOfLostConnection } from './store/lost-connection.ts'
import { startService, type IndexersOptions } from './service.ts'
import { packageVersion } from './kernel/package-version.ts'
import { runDiskSamples } from './maintenance/disk-samples.ts'
import { runRetention } from './maintenance/retention.ts'
import { lakeFolderOf } from './kernel/settings/lake.ts'
import { readSealedBelow } from './sql/coverage.ts'
import { together } from './kernel/together.ts'
import { runTokenWorkers } from './tokens/workers.ts'
import { runWatch } from './watch/run.ts'

/**
 * How far the heap may grow past what a collection left, in percent. By default V8 lets the heap triple during
 * indexing; 80 % saves a quarter of the memory at little processor time.
 */
setFlagsFromString('--heap-growing-percent=80')

// What is said there may have no reader; see log-output.ts for standard output.
process.stderr.on('error', () => undefined)

/**
 * The program: settings from the environment, the command line and the file; then the service until a
 * signal or the end of its parent ends it. A parent process is told `{type: 'listening', url}`,
 * `{type: 'database', pid}` when the service starts a PostgreSQL of its own, or `{type: 'failed', message,
 * exitCode}`. Exit codes: 0 after a signal, 1 after a failure, 2 for a setting that can't be used.
 */
async function main(): Promise<void> {
  const ended = untilEnded()
  let config
  try {
    config = loadConfig(process.argv.slice(2), process.env)
  } catch (error) {
    if (error instanceof SettingsError) return fail(error.message, 2)
    throw error
  }
  const service = await startService({
    config,
    version: packageVersion(),
    runIndexers: together<IndexersOptions>(
      runIndexers,
      (indexing) => runPrimaryIndexers({ ...indexing, ...indexing.config }),
      runTokenWorkers,
      runContractWorkers,
      runWatch,
      runDiskSamples,
      (indexing) =>
        runRetention({
          ...indexing,
          sealedBelow: (chain) => readSealedBelow(indexing.database, lakeFolderOf(indexing.config), chain),
        }),
      runLakeSealer,
    ),
    onDatabaseProcess: (pid) => tell({ type: 'database', pid }),
    ...dashboard(),
  })
  let ending = false
  void ended.then(() => {
    if (ending) return
    ending = true
    return service.stop().then(() => process.exit(0))
  })
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (reason: unknown) => {
      if (!isOfLostConnection(reason)) service.fail(reason)
    })
  void service.failure.then(({ message, exitCode }) => {
    if (ending) return
    ending = true
    return service.stop().then(() => fail(message, exitCode))
  })
  if (service.url !== undefined) tell({ type: 'listening', url: service.url })
}

/**
 * Settles with the first signal, or when the program that started this one is gone. Called first of all, so that
 * neither is missed while the service starts.
 */
function untilEnded(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
    process.on('disconnect', () => resolve())
    if (process.send && !process.connected) resolve()
  })
}

/** Tells the parent, where there is one; it may be gone by now, which ends us anyway. */
function tell(notice: object, told: () => void = () => undefined): void {
  if (process.send && process.connected) process.send(notice, undefined, undefined, told)
  else told()
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`${message}\n`)
  tell({ type: 'failed', message, exitCode }, () => process.exit(exitCode))
}

const near = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const firstOf = (...files: readonly string[]): string | undefined =>
  files.map(near).find((file) => existsSync(file))

/** The built dashboard, and the module that draws its pages, seen from the source or from the bundle in dist/node. */
function dashboard(): { webFolder?: string; prerenderFile?: string } {
  const index = firstOf('../web/index.html', '../dist/web/index.html')
  const prerenderFile = firstOf('./prerender.js', '../dist/node/prerender.js')
  return {
    ...(index !== undefined && { webFolder: dirname(index) }),
    ...(prerenderFile !== undefined && { prerenderFile }),
  }
}

main().catch((error: unknown) => {
  if (error instanceof SettingsError) return fail(error.message, 2)
  return fail(error instanceof Error ? (error.stack ?? error.message) : String(error), 1)
})
