import { parseArgs, type ParseArgsConfig } from 'node:util'
import { loadHome, problemOf, SettingsError } from '../kernel/settings/config.ts'
import { packageVersion } from '../kernel/package-version.ts'
import { endWhenConnectionIsLost, lostConnectionText } from '../store/lost-connection.ts'

/** What a program is given. */
export type Given = {
  readonly home: string
  /** A server of the operator's own. */
  readonly databaseUrl?: string
  /** The arguments that are not options. */
  readonly words: readonly string[]
  readonly values: Record<string, unknown>
  /** The version of Ridgeline. */
  readonly version: string
}

/** A program that works on the home or its database, without a configuration file. */
export type Program = {
  readonly help: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** False for a program whose arguments are options only. */
  readonly takesWords?: boolean
  run(given: Given): Promise<void>
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs the program with the process's arguments, and sets its exit code: 0, 1 after a failure, 2 for a setting. */
export function runProgram(program: Program): void {
  endWhenConnectionIsLost()
  main(program).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${lostConnectionText(error) ?? message}\n`)
    process.exitCode = error instanceof SettingsError ? 2 : 1
  })
}

async function main(program: Program): Promise<void> {
  const { values, positionals } = readFlags(program)
  if (values['help'] === true) return say(program.help)
  await program.run({ ...loadHome(process.env), words: positionals, values, version: packageVersion() })
}

/** The only argument: a backup's folder. Throws a SettingsError, also if the server is not the bundled one. */
export function backupFolder({ words, databaseUrl }: Given): string {
  const [folder] = words
  if (folder === undefined || words.length > 1)
    throw new SettingsError([`got ${words.length} folders; allowed: the folder of the backup`])
  if (databaseUrl !== undefined)
    throw new SettingsError([
      'DATABASE_URL: is set; allowed: nothing, because this is for the PostgreSQL that comes with Ridgeline. ' +
        "For a server of your own, use pgBackRest or another of PostgreSQL's own tools",
    ])
  return folder
}

function readFlags({ options, takesWords = true }: Program): {
  values: Record<string, unknown>
  positionals: string[]
} {
  try {
    return parseArgs({
      options: { ...options, help: { type: 'boolean', default: false } },
      allowPositionals: takesWords,
    })
  } catch (error) {
    const allowed = [...Object.keys(options).map((name) => `--${name}`), '--help'].join(', ')
    throw new SettingsError([`${problemOf(error)}; allowed: ${allowed}`])
  }
}
