import { z } from 'zod'
import { configFile, loadConfig, SettingsError } from '../kernel/settings/config.ts'

const help = `ridgeline config check [--config FILE], or ridgeline config --check FILE
ridgeline config check --network mainnet|fuji --node URL [--network-config FILE]
ridgeline config schema

Checks settings without starting anything: the flags and the environment of a service, and the files that they
name. Or prints the JSON Schema of a configuration file, which editors complete and check by.
Exit code 0 when the settings can be used, 2 otherwise, with what is wrong, where, and what is allowed.

  --config FILE          the configuration; else RIDGELINE_CONFIG
  --network NAME         mainnet or fuji, whose settings are built in
  --node URL             its node
  --network-config FILE  what is added to the settings of mainnet or fuji
  --role ROLE            what the process would do: all, api or indexer
`

/** The program behind `ridgeline config`; see docs/configuration.md. */
function main([command, ...flags]: readonly string[]): string {
  if (command === undefined || command === '--help' || flags.includes('--help')) return help
  if (command === 'schema' && flags.length === 0) return `${JSON.stringify(schemaOfConfig(), null, 2)}\n`
  if (command === '--check' && flags.length === 1) return checked(['--config', ...flags])
  if (command !== 'check')
    throw new SettingsError([
      `got ${JSON.stringify([command, ...flags].join(' '))}; allowed: schema, or check with the flags of a service, such as: config check --config FILE`,
    ])
  return checked(flags)
}

function checked(flags: readonly string[]): string {
  const { chains, networks } = loadConfig(flags, process.env)
  return `The settings can be used: ${[...networks, ...chains].map(({ name }) => name).join(', ')}\n`
}

/** The JSON Schema of a configuration file, as it is written: with what defaults and transformations take. */
function schemaOfConfig(): object {
  const title = 'The configuration of a Ridgeline service (docs/configuration.md)'
  return { ...z.toJSONSchema(configFile, { io: 'input', unrepresentable: 'any' }), title }
}

try {
  process.stdout.write(main(process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
