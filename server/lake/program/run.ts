import { FatalError, RetryableError } from '../../kernel/errors.ts'
import { SettingsError } from '../../kernel/settings/config.ts'
import { endWhenConnectionIsLost, lostConnectionText } from '../../store/lost-connection.ts'
import { extract } from '../extract.ts'
import { writeOnFolder, type Published } from '../s3/on-folder.ts'
import { readCommand } from './command-line.ts'
import { help } from './help.ts'
import { reportsTo, say, sayExtracted, type OptionsOf } from './reports.ts'

/** Aborts with the first signal. */
function endOfSignals(): AbortSignal {
  const ended = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => ended.abort())
  return ended.signal
}

/** Runs the command of the program's arguments and ends the process. `program` is that of workers. */
export async function run(program: string): Promise<never> {
  endWhenConnectionIsLost()
  try {
    process.exit(await runArguments(program))
  } catch (error) {
    process.stderr.write(`${textOf(error)}\n`)
    process.exit(error instanceof SettingsError ? 2 : 1)
  }
}

/** Returns the exit code. */
async function runArguments(program: string): Promise<number> {
  const command = readCommand(process.argv.slice(2), process.env)
  if (command.name === 'help') {
    say(help)
    return 0
  }
  const signal = endOfSignals()
  if (command.name !== 'extract') return (await import('./commands.ts')).runCommand(command, program, signal)
  return writeOnFolder({ ...command.options, env: process.env, signal, say }, (root, ended, published) =>
    runExtract({ ...command.options, root }, program, ended, published),
  )
}

async function runExtract(
  options: OptionsOf<'extract'>,
  program: string,
  signal: AbortSignal,
  published: Published,
): Promise<number> {
  const { ranges, left } = await extract({ ...options, ...reportsTo(program, published), signal })
  sayExtracted(ranges, left)
  return signal.aborted ? 1 : 0
}

/** What the user is told: a known failure's message says everything; the stack helps with any other. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isKnown = [FatalError, RetryableError, SettingsError].some((kind) => error instanceof kind)
  return isKnown ? error.message : (lostConnectionText(error) ?? error.stack ?? error.message)
}
