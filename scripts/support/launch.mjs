// Starts everything behind `npm start` and `npx ridgeline`, in one process tree. With a configuration of one's own the
// sample network stays out of it.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fail, root, say } from './bootstrap.mjs'
import { end, endOnSignals, start } from './children.mjs'
import { claimHome, requireWritable } from './home.mjs'
import { followProgress } from './progress.mjs'
import { sampleReady, sampleUrl, startSample } from './sample.mjs'
import { checkSampleSources } from './sample-sources.mjs'
import { tokenLine } from './token-line.mjs'

/** The networks that the service knows by itself (server/kernel/settings/public-networks.ts). */
const publicNetworks = ['mainnet', 'fuji']
export const networks = ['sample', 'local', ...publicNetworks]

/**
 * Starts the built programs. `flags` are those of the command line by their names in camel case; `folder` holds data
 * and logs unless RIDGELINE_HOME is set; `began` is when the command started, in milliseconds.
 */
export async function launch({ flags, folder, began }) {
  endOnSignals()
  const network = flags.network ?? networkOfEnvironment(flags)
  const isPublic = publicNetworks.includes(network)
  const base = resolve(process.env.RIDGELINE_HOME ?? folder)
  // The networks use the same names, so each has its own store; the sample has that of the folder itself.
  const home = network === undefined || network === 'sample' ? base : join(base, network)
  const config = flags.config ?? process.env.RIDGELINE_CONFIG
  if (config && network !== undefined) fail('give either --network or a configuration of your own', 2)
  const own = config || isPublic
  const isSample = !own && network !== 'local'
  // With an external database, several processes may share a home.
  if (!own || process.env.DATABASE_URL === undefined) await claimHome(home)
  else requireWritable(home)
  const env = own ? {} : { RIDGELINE_CONFIG: await startNetwork(home, isSample) }
  if (own && isNew(home)) foretell(argsOf({ ...flags, network, role: undefined }, isPublic))
  start('service', [join(root, 'dist/node/server.js'), ...argsOf({ ...flags, network }, isPublic)], {
    home,
    // `--config` is relative to the folder where the command was given.
    cwd: process.cwd(),
    // React draws pages into their documents (docs/performance.md), and checks itself as it does so without this.
    env: {
      NODE_ENV: process.env.NODE_ENV ?? 'production',
      ...env,
      RIDGELINE_HOME: home,
      // Given as a flag, or none of those that the service knows.
      RIDGELINE_NETWORK: '',
    },
    onMessage(message) {
      if (message.type === 'failed') {
        console.error(`ridgeline  ${message.message}`)
        void end(message.exitCode ?? 1)
      }
      if (message.type === 'listening') {
        say(`the dashboard is at ${message.url} (after ${((Date.now() - began) / 1000).toFixed(1)} s)`)
        const isTerminal = process.stdout.isTTY === true
        say(tokenLine(message.url, home, { isTerminal, setting: process.env.RIDGELINE_TOKEN }))
        const live = followProgress(message.url, began, isSample ? sampleReady : Promise.resolve())
        if (isSample)
          void live.then(() => checkSampleSources({ url: message.url, sampleUrl: sampleUrl(), home }))
      }
    },
  })
}

/** The network that the environment names, unless a flag says what is indexed. */
function networkOfEnvironment({ config }) {
  const name = process.env.RIDGELINE_NETWORK
  if (config !== undefined || name === undefined || name === '') return undefined
  if (!networks.includes(name)) fail(`RIDGELINE_NETWORK: got "${name}"; allowed: ${networks.join(', ')}`, 2)
  return name
}

/** Whether nothing is indexed below a home; unknown, so not said, with a database server of one's own. */
const isNew = (home) => process.env.DATABASE_URL === undefined && !existsSync(join(home, 'postgres'))

/** Prints what indexing will take, while the service starts. */
function foretell(args) {
  const program = join(root, 'dist/node/forecast.js')
  // A node that does not answer is told by the service.
  execFile(process.execPath, [program, ...args], { timeout: 60_000 }, (_error, output) => {
    for (const line of output.split('\n').filter((each) => each !== '' && !each.includes(': unknown: ')))
      say(line)
  })
}

/** The arguments for the service, which knows no other `--network` than the public ones. */
const argsOf = ({ config, network, node, networkConfig, role }, isPublic) =>
  Object.entries({
    config,
    network: isPublic ? network : undefined,
    node,
    'network-config': networkConfig,
    role,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))

async function startNetwork(home, isSample) {
  if (isSample) return startSample(home, [join(root, 'dist/node/sample.js')])
  const { startLocalNetwork } = await import('./local-network.mjs')
  return startLocalNetwork(home)
}
