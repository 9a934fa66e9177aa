import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { SettingsError, loadConfig } from './config.ts'
import { runIndexers } from './indexer/run.ts'
import { withPrimaryNetworks } from './indexer/primary/with-networks.ts'
import { startService } from './service.ts'
import { withTokenWorkers } from './tokens/workers.ts'

/**
 * How far the heap may grow past what a collection left, in percent. Left to itself it may grow threefold while
 * much is thrown away, as when a chain is indexed: a quarter more memory, and hardly less work.
 */
setFlagsFromString('--heap-growing-percent=80')

/**
 * The program: settings from the environment, the command line and the file; then the service until a
 * signal ends it. A parent process is told `{type: 'listening', url}` or `{type: 'failed', message,
 * exitCode}`. Exit codes: 0 after a signal, 1 after a failure, 2 for a setting that can't be used.
 */
async function main(): Promise<void> {
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
    runIndexers: withPrimaryNetworks(withTokenWorkers(runIndexers)),
    ...webFolder(),
  })
  let ending = false
  const end = (): void => {
    if (ending) return
    ending = true
    void service.stop().then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  process.on('disconnect', end)
  process.on('uncaughtException', (error) => service.fail(error))
  process.on('unhandledRejection', (reason) => service.fail(reason))
  void service.failure.then(({ message, exitCode }) => {
    if (ending) return
    ending = true
    return service.stop().then(() => fail(message, exitCode))
  })
  if (service.url !== undefined) process.send?.({ type: 'listening', url: service.url })
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`${message}\n`)
  const exit = (): never => process.exit(exitCode)
  if (process.send) process.send({ type: 'failed', message, exitCode }, exit)
  else exit()
}

const near = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The built dashboard, seen from the source or from the bundle in dist/node. */
function webFolder(): { webFolder?: string } {
  const found = [near('../web'), near('../dist/web')].find((folder) => existsSync(`${folder}/index.html`))
  return found === undefined ? {} : { webFolder: found }
}

function packageVersion(): string {
  const file = [near('../package.json'), near('../../package.json')].find((path) => existsSync(path))
  if (file === undefined) return '0.0.0'
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

main().catch((error: unknown) => {
  if (error instanceof SettingsError) return fail(error.message, 2)
  return fail(error instanceof Error ? (error.stack ?? error.message) : String(error), 1)
})
