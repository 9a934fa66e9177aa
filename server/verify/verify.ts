import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  loadConfig,
  problemOf,
  SettingsError,
  type ChainConfig,
  type Config,
  type NetworkConfig,
} from '../kernel/settings/config.ts'
import { publicNetworkNames } from '../kernel/settings/public-networks.ts'
import { rewindChain } from '../indexer/rewind.ts'
import { openDatabase, type Database } from '../store/database.ts'
import { endWhenConnectionIsLost, lostConnectionText } from '../store/lost-connection.ts'
import { migrate } from '../store/schema/migrate.ts'
import { startEmbeddedPostgres } from '../store/embedded-postgres.ts'
import type { BalanceAnswers } from './balances.ts'
import { verifyChain, type VerifyReport } from './chain.ts'
import { invariants, type Invariant } from './findings.ts'
import type { UnprovenTraces } from './traces.ts'
import { verifyPrimary, type PrimaryReport } from './primary.ts'

const help = `ridgeline verify [--chain ID]... [--tables] [--rewind HEIGHT] [--network NAME] [--config FILE]

Checks a database: heights, links and counts of its tables, and all balances and totals
of tokens against their logs; then every row and every metric against a recount from the
node by JSON-RPC, and random balances against balanceOf. Of primary networks every block
is compared with the node, and UTXOs, validators and supply with the node's state.
Exit code 0 when clean, 1 when something was found, 2 for a setting that can't be used.

  --chain ID             only this EVM chain; may be given several times
  --tables               only the tables against each other, without asking a node
  --rewind HEIGHT        take the chain back to this block; the indexer continues from there
  --network NAME         sample, local, mainnet or fuji: the database and settings of that network
  --node URL             the node of mainnet or fuji
  --network-config FILE  what was added to the settings of mainnet or fuji
  --config FILE          the configuration; else RIDGELINE_CONFIG, else the sample network's
`

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** The program behind `npm run verify`; see docs/indexer.md. */
async function main(): Promise<number> {
  const values = readFlags()
  if (values.help) {
    say(help)
    return 0
  }
  const { flags, env } = whichConfig(values)
  const config = loadConfig([...flags, '--role', 'all'], env)
  const chains = choose(config, values.chain)
  const { database, close } = await open(config)
  try {
    if (values.rewind !== undefined) return await rewind(database, chains, values.rewind)
    let clean = true
    for (const chain of chains) {
      const report = await verifyChain({
        database,
        chain: chain.evmChainId,
        ...(!values.tables && { rpcUrl: chain.rpcUrl }),
        onProgress: showProgress(chain),
      })
      print(chain, report)
      clean &&= report.findings.clean
    }
    for (const network of values.chain === undefined ? config.networks : []) {
      const report = await verifyPrimary(database, network, !values.tables)
      printPrimary(network, report)
      clean &&= report.findings.clean
    }
    return clean ? 0 : 1
  } finally {
    await close()
  }
}

function readFlags() {
  try {
    return parseArgs({
      options: {
        chain: { type: 'string', multiple: true },
        tables: { type: 'boolean', default: false },
        rewind: { type: 'string' },
        network: { type: 'string' },
        node: { type: 'string' },
        'network-config': { type: 'string' },
        config: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    const allowed =
      '--chain ID, --tables, --rewind HEIGHT, --network sample|local|mainnet|fuji, --node URL, --network-config FILE, --config FILE, --help'
    throw new SettingsError([`${problemOf(error)}; allowed: ${allowed}`])
  }
}

/**
 * The selected configuration, and the environment with its home. By default it is that of the sample network
 * below the home folder; a local network has its own home there (scripts/start.mjs).
 */
function whichConfig(
  values: Pick<ReturnType<typeof readFlags>, 'config' | 'network' | 'node' | 'network-config'>,
): {
  flags: string[]
  env: NodeJS.ProcessEnv
} {
  const { config, network, node, 'network-config': added } = values
  const env = process.env
  const isPublic = publicNetworkNames.some((name) => name === network)
  if (network !== undefined && network !== 'sample' && network !== 'local' && !isPublic)
    throw new SettingsError([
      `--network: got "${network}"; allowed: sample, local, ${publicNetworkNames.join(', ')}`,
    ])
  if (network !== undefined && config !== undefined)
    throw new SettingsError(['give either --network or --config'])
  if (config !== undefined) return { flags: ['--config', config], env }
  if (network === undefined && env['RIDGELINE_CONFIG'] !== undefined) return { flags: [], env }
  const base = env['RIDGELINE_HOME'] ?? '.ridgeline'
  if (network !== undefined && isPublic) {
    const given = Object.entries({ network, node, 'network-config': added }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, value],
    )
    return { flags: given, env: { ...env, RIDGELINE_HOME: join(base, network) } }
  }
  const isLocal = network === 'local'
  const home = isLocal ? join(base, 'local') : base
  const path = isLocal ? join(home, 'validators', 'ridgeline.json') : join(home, 'sample', 'config.json')
  if (network !== undefined && !existsSync(path))
    throw new SettingsError([`--network ${network}: ${path} is not there; npm start writes it`])
  return { flags: existsSync(path) ? ['--config', path] : [], env: { ...env, RIDGELINE_HOME: home } }
}

function choose(config: Config, ids: readonly string[] | undefined): ChainConfig[] {
  const unknown = ids?.find((id) => !config.chains.some((chain) => `${chain.evmChainId}` === id))
  if (unknown !== undefined) {
    const known = config.chains.map((chain) => chain.evmChainId).join(', ')
    throw new SettingsError([`--chain: got ${unknown}; allowed: ${known}`])
  }
  return config.chains.filter((chain) => ids === undefined || ids.includes(`${chain.evmChainId}`))
}

async function open(config: Config): Promise<{ database: Database; close: () => Promise<void> }> {
  const server =
    config.databaseUrl === undefined ? await startEmbeddedPostgres({ home: config.home }) : undefined
  const database = openDatabase(config.databaseUrl ?? server?.url ?? '', {
    max: 4,
    applicationName: 'ridgeline verify',
  })
  await migrate(database)
  return {
    database,
    async close() {
      await database.end({ timeout: 5 })
      await server?.stop()
    },
  }
}

async function rewind(database: Database, chains: readonly ChainConfig[], given: string): Promise<number> {
  const [chain] = chains
  if (!chain || chains.length > 1) throw new SettingsError(['--rewind: needs one --chain'])
  if (!/^-?\d{1,15}$/.test(given))
    throw new SettingsError([`--rewind: got ${given}; allowed: a block number`])
  const gone = await rewindChain(database, chain.evmChainId, Number(given))
  say(`${chain.name} (${chain.evmChainId}): rewound to block ${given}, ${gone} blocks taken back`)
  return 0
}

function showProgress(chain: ChainConfig): (done: number, total: number) => void {
  let shown = 0
  return (done, total) => {
    const tenth = Math.floor((10 * done) / total)
    if (tenth === shown || !process.stdout.isTTY) return
    shown = tenth
    say(`${chain.name}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} blocks recounted`)
  }
}

function print(chain: ChainConfig, report: VerifyReport): void {
  const { findings, blocks, values, head, transfers, balances, logsFrom } = report
  const scope = blocks > 0 ? `${blocks} blocks and ${values} metric values recounted` : 'tables only'
  say(`${chain.name} (${chain.evmChainId}), head ${head ?? 'none'}: ${scope}`)
  if (blocks > 0 || logsFrom === 0) say(`  ${transfers} token transfers added up to ${balances} balances`)
  if (logsFrom > 0)
    say(
      `  logs before block ${logsFrom} are not kept: ${blocks > 0 ? 'those of the node were added up' : 'tokens were not checked'}`,
    )
  printUnproven(report.unproven)
  if (report.answers) printAnswers(report.answers)
  for (const [name, text] of Object.entries(invariants) as [Invariant, string][]) {
    const count = findings.count(name)
    const unchecked =
      blocks > 0 ? undefined : logsFrom > 0 && name === 'I6' ? 'not checked' : withoutNode.get(name)
    say(`  ${name} ${count > 0 ? `FAILED, ${count} findings` : (unchecked ?? 'holds')}: ${text}`)
    for (const problem of findings.problems(name)) say(`     ${problem}`)
  }
}

function printPrimary(network: NetworkConfig, report: PrimaryReport): void {
  const { findings, blocks, checkpoints, utxos, stakers, values, leftOut, odd } = report
  const scope = blocks > 0 ? `${blocks} blocks compared with the node` : 'tables only'
  say(`${network.name} (P, X, C): ${scope}`)
  if (blocks > 0) say(`  ${utxos} UTXOs, ${stakers} validators compared with what the node says`)
  if (values > 0) say(`  ${values} values of network metrics recounted`)
  if (checkpoints > 0) say(`  ${checkpoints} blocks are checkpoints that avalanchego ships`)
  for (const what of leftOut) say(`  left out, ${what}`)
  if (odd.count > 0) say(`  accepted against today's rules, and counted as the chain did: ${odd.count}`)
  for (const what of odd.shown) say(`     ${what}`)
  for (const name of ['I1', 'I2', 'I3', 'I5', 'I6'] as const) {
    const count = findings.count(name)
    const unchecked = blocks === 0 && name === 'I5' ? 'not checked' : 'holds'
    say(`  ${name} ${count > 0 ? `FAILED, ${count} findings` : unchecked}: ${primaryInvariants[name]}`)
    for (const problem of findings.problems(name)) say(`     ${problem}`)
  }
}

/** Reports the inner calls that could not be compared with the node. */
function printUnproven({ untraced, stateGone, unsupported }: UnprovenTraces): void {
  const blocks = (count: number) => (count === 1 ? '1 block' : `${count} blocks`)
  if (stateGone > 0) say(`  state no longer kept: the inner calls of ${blocks(stateGone)} are unproven`)
  if (unsupported > 0) say(`  no trace method: the inner calls of ${blocks(unsupported)} are unproven`)
  if (untraced > 0) say(`  not traced: the inner calls of ${blocks(untraced)} are not stored`)
}

/** The meaning of the invariants for the primary network. */
const primaryInvariants = {
  I1: invariants.I1,
  I2: 'blocks and vertices have their transactions',
  I3: invariants.I3,
  I5: "the blocks and transactions are the node's",
  I6: 'UTXOs, stakes, rewards, balances of L1 validators and the supply add up',
}

/** The status of invariants that cannot be checked without a node. */
const withoutNode = new Map<Invariant, string>([
  ['I5', 'not checked'],
  ['I6', 'holds for tokens, metrics not checked'],
])

function printAnswers({ past, head, pastGone, disagreeing }: BalanceAnswers): void {
  const kept = pastGone ? ', where the node keeps no state' : ''
  say(`  the node was asked for ${past} balances at past blocks${kept} and for ${head} at the head`)
  for (const { token, kind, wrong, asked } of disagreeing) {
    say(`     ERC-${kind} ${token}: ${wrong} of ${asked} differ from what its logs come to`)
  }
}

endWhenConnectionIsLost()
main()
  .then((code) => {
    process.exitCode = code
  })
  .catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${lostConnectionText(error) ?? message}\n`)
    process.exitCode = error instanceof SettingsError ? 2 : 1
  })
