import { parseArgs, type ParseArgsConfig } from 'node:util'
import { loadHome, problemOf, SettingsError } from '../kernel/config.ts'
import { packageVersion } from '../kernel/package-version.ts'

/** A program with one argument, a folder, that works on the home. */
export type Program = {
  readonly help: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  run(given: {
    readonly home: string
    readonly folder: string
    readonly version: string
    readonly values: Record<string, unknown>
  }): Promise<void>
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs the program with the process's arguments, and sets its exit code: 0, 1 after a failure, 2 for a setting. */
export function runProgram(program: Program): void {
  main(program).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = error instanceof SettingsError ? 2 : 1
  })
}

async function main({ help, options, run }: Program): Promise<void> {
  const { values, positionals } = readFlags(options)
  if (values['help'] === true) return say(help)
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1)
    throw new SettingsError([`got ${positionals.length} folders; allowed: the folder of the backup`])
  const { home, databaseUrl } = loadHome(process.env)
  if (databaseUrl !== undefined)
    throw new SettingsError([
      'DATABASE_URL: is set; allowed: nothing, because this is for the PostgreSQL that comes with Ridgeline. ' +
        "For a server of your own, use pgBackRest or another of PostgreSQL's own tools",
    ])
  await run({ home, folder, values, version: packageVersion() })
}

function readFlags(options: Program['options']): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({
      options: { ...options, help: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
  } catch (error) {
    const allowed = ['a folder', ...Object.keys(options).map((name) => `--${name}`), '--help'].join(', ')
    throw new SettingsError([`${problemOf(error)}; allowed: ${allowed}`])
  }
}
