import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { FatalError } from '../kernel/errors.ts'
import { SettingsError } from '../kernel/config.ts'
import { readCommand, type LakeCommand, type VerifyFlags } from './command-line.ts'
import { openEngine } from './engine.ts'
import { extract } from './extract.ts'
import { help } from './help.ts'
import { storedChains } from './ranges.ts'
import { linesOfReport, verifyLake } from './verify-lake.ts'
import { runWorker } from './worker.ts'

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
  return command.name === 'verify' ? runVerify(command.options) : runExtract(command.options)
}

async function runVerify({ root, chain, filesOnly }: VerifyFlags): Promise<number> {
  const signal = endOfSignals()
  const engine = await openEngine(tmpdir())
  const chains = chain === undefined ? await storedChains(root) : [chain]
  if (chains.length === 0) throw new FatalError(`${root}: holds no lake`)
  let clean = true
  for (const id of chains) {
    const report = await verifyLake({ root, chain: id, engine, filesOnly, signal })
    for (const line of linesOfReport(id, report)) say(line)
    clean &&= report.problems.length === 0 && report.ranges > 0
  }
  engine.close()
  return clean && !signal.aborted ? 0 : 1
}

async function runExtract(options: Extract<LakeCommand, { name: 'extract' }>['options']): Promise<number> {
  const signal = endOfSignals()
  const { ranges, left } = await extract({
    ...options,
    signal,
    program: fileURLToPath(import.meta.url),
    onWritten: ({ manifest: { from, to, files }, milliseconds, cpuMilliseconds }) => {
      const counts = `${files.transactions.rows} transactions, ${files.logs.rows} logs`
      const took = `${(milliseconds / 1000).toFixed(1)} s, ${(cpuMilliseconds / 1000).toFixed(1)} s of CPU`
      say(`blocks ${from} to ${to}: ${counts}; ${took}`)
    },
    onStarted: ({ pid }) => say(`worker ${pid} started`),
    onRetry: ({ range, reason }) => say(`blocks ${range.from} to ${range.to}: again: ${reason}`),
  })
  say(`${ranges} ranges written`)
  if (left) say(`blocks ${left.from} to ${left.to} do not fill a range yet`)
  return signal.aborted ? 1 : 0
}

if (process.argv[2] === 'worker' && process.send) runWorker()
else
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      const known = error instanceof FatalError || error instanceof SettingsError
      process.stderr.write(
        `${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
      )
      process.exit(error instanceof SettingsError ? 2 : 1)
    },
  )
