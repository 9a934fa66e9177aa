// The command `ridgeline`, which `npm start` is too: its commands, its help, and the completion of shells. Programs beside
// the service read their own flags and explain them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tab from '@bomb.sh/tab/commander'
import { Command, CommanderError, Option } from 'commander'
import { root } from './bootstrap.mjs'
import { launch, networks } from './launch.mjs'

/** The programs beside the service, by the command that starts them: the file in dist/node, and what it does. */
const programs = {
  verify: ['verify.js', 'check a database against itself and its nodes'],
  config: ['config.js', 'check a configuration file, or print its JSON Schema'],
  backup: ['backup.js', 'back up the home, while the service runs or not'],
  restore: ['restore.js', 'restore a backup into the home'],
  upgrade: ['upgrade.js', 'bring the schema of the database up to date'],
  database: ['database.js', 'distribute the tables over a Citus cluster'],
  compilers: ['compilers.js', 'show or add the compilers that check sources of contracts'],
  contracts: ['contracts.js', 'export or import verified contracts in the layout of Sourcify'],
  lake: ['lake.js', 'keep sealed history as Parquet files'],
  forecast: ['forecast.js', 'say what indexing takes before it begins'],
  mcp: ['mcp.js', 'let an assistant ask a service, over standard input and output'],
}

/** The code for a setting or a flag that can't be used. */
const wrongUse = 2

const exitCodes = `
Exit codes: 0 when it was ended or all is well, 1 when something failed or was found, ${wrongUse} for a flag or a
setting that can't be used. docs/command-line.md has more.`

/**
 * Runs the command of `argv`, the words behind the name of the program. `folder` holds data and logs unless RIDGELINE_HOME
 * is set; `began` is when the command was given, in milliseconds.
 */
export async function runCommand(argv, { folder, began }) {
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const ridgeline = new Command('ridgeline')
    .description(description)
    .version(version)
    .helpCommand(false)
    .enablePositionalOptions()
    .option('--config <file>', 'index the chains of this configuration, without the sample network')
    .addOption(new Option('--network <name>', 'the network; by default the sample').choices(networks))
    .option('--node <url>', 'the base URL of a node of mainnet or fuji')
    .option('--network-config <file>', 'chains and settings in addition to mainnet or fuji')
    .addOption(new Option('--role <role>', 'what this process does').choices(['all', 'api', 'indexer']))
    .action((flags) => launch({ flags, folder, began }))
    .addHelpText('after', exitCodes)
    .showHelpAfterError('Run "ridgeline --help" for the flags and commands.')
    .exitOverride()
  for (const [name, [file, about]] of Object.entries(programs))
    ridgeline
      .command(name)
      .description(about)
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .passThroughOptions()
      .action((_, command) => runProgram(file, command.args))
  ridgeline
    .command('help')
    .argument('[command]')
    .description('explain a command')
    .action(async (name) => {
      if (name === undefined) return ridgeline.outputHelp()
      if (!(name in programs)) return ridgeline.error(`error: unknown command '${name}'`)
      await runProgram(programs[name][0], ['--help'])
    })
  tab(ridgeline)
  try {
    await ridgeline.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode === 0 ? 0 : wrongUse
  }
}

/** Runs a built program in this process, which reads its flags from the command line. */
async function runProgram(file, args) {
  process.argv.splice(2, Infinity, ...args)
  await import(`../../dist/node/${file}`)
}
