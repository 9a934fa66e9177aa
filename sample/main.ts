import { sendNotice } from './launcher.ts'
import { type Network, startNetwork } from './network.ts'
import { OptionError, readOptions } from './options.ts'

function fail(error: unknown): never {
  const words = error instanceof Error ? error.message : String(error)
  const exitCode = error instanceof OptionError ? 2 : 1
  sendNotice({ type: 'failed', message: words, exitCode })
  process.exit(exitCode)
}

function describe(error: unknown, port: number): unknown {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  if (!isTaken) return error
  return new OptionError(`port ${port} is in use: choose another with SAMPLE_PORT=${port + 10} or --port`)
}

/**
 * Resolves on the first signal, or when the launcher has exited. Called first, so that neither is missed during the
 * start.
 */
function untilEnded(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
    process.on('disconnect', () => resolve())
    if (process.send !== undefined && !process.connected) resolve()
  })
}

// A launcher that has exited reads nothing.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

async function main(): Promise<void> {
  const ended = untilEnded()
  const options = readOptions(process.argv.slice(2), process.env)
  const parts = options.testControls ? (await import('./controls/parts.ts')).createTestParts() : undefined
  let network: Network
  try {
    network = await startNetwork(options, sendNotice, parts)
  } catch (error) {
    fail(describe(error, options.port))
  }

  let stopping: Promise<void> | undefined
  const stop = (code: number): void => {
    stopping ??= network.stop().then(
      () => process.exit(code),
      (error: unknown) => fail(error),
    )
  }
  void ended.then(() => stop(0))
  network.ready.catch((error: unknown) => {
    if (stopping !== undefined) return
    sendNotice({
      type: 'failed',
      message: error instanceof Error ? error.message : String(error),
      exitCode: 1,
    })
    stop(1)
  })
  void network.broken.then((words) => {
    sendNotice({ type: 'failed', message: words, exitCode: 1 })
    stop(1)
  })
}

main().catch(fail)
