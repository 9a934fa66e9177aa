import { parseArgs } from 'node:util'
import { z } from 'zod'
import { configFile, loadConfig, problemOf, SettingsError } from '../kernel/settings/config.ts'

const help = `ridgeline config --check FILE
ridgeline config --schema

Checks a configuration file without starting anything, or prints the JSON Schema of such files, which
editors complete and check by. Exit code 0 when the file can be used, 2 otherwise.

  --check FILE  say what is wrong, where, and what is allowed
  --schema      print the schema
`

/** The program behind `ridgeline config`; see docs/configuration.md. */
function main(): number {
  const { check, schema, help: isHelp } = readFlags()
  if (isHelp || (check === undefined && !schema)) process.stdout.write(help)
  if (schema) process.stdout.write(`${JSON.stringify(schemaOfConfig(), null, 2)}\n`)
  if (check === undefined) return 0
  const { chains, networks } = loadConfig(['--config', check], {})
  const names = [...networks, ...chains].map(({ name }) => name)
  process.stdout.write(`${check} can be used: ${names.join(', ')}\n`)
  return 0
}

function readFlags() {
  try {
    return parseArgs({
      options: {
        check: { type: 'string' },
        schema: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new SettingsError([`${problemOf(error)}; allowed: --check FILE, --schema, --help`])
  }
}

/** The JSON Schema of a configuration file, as it is written: with what defaults and transformations take. */
function schemaOfConfig(): object {
  const title = 'The configuration of a Ridgeline service (docs/configuration.md)'
  return { ...z.toJSONSchema(configFile, { io: 'input', unrepresentable: 'any' }), title }
}

try {
  process.exitCode = main()
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
