// Starts everything behind `npm start` and `npx ridgeline`, in one process tree. With a configuration of one's own the
// sample network stays out of it.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fail, root, say } from './bootstrap.mjs'
import { end, endOnSignals, start } from './children.mjs'
import { claimHome, requireWritable } from './home.mjs'
import { followProgress } from './progress.mjs'
import { sampleReady, startSample } from './sample.mjs'
import { tokenLine } from './token-line.mjs'

/** The networks that the service knows by themselves (server/kernel/settings/public-networks.ts). */
const publicNetworks = ['mainnet', 'fuji']

/**
 * Starts the built programs with the flags of the command line. `folder` holds data and logs unless
 * RIDGELINE_HOME is set; `began` is when the command started, in milliseconds.
 */
export async function launch({ folder, began }) {
  endOnSignals()
  const { network, args } = readFlags(process.argv.slice(2))
  const isPublic = publicNetworks.includes(network)
  const base = resolve(process.env.RIDGELINE_HOME ?? folder)
  // The networks use the same names, so each has its own store; the sample has that of the folder itself.
  const home = network === undefined || network === 'sample' ? base : join(base, network)
  const config = args.includes('--config') || process.env.RIDGELINE_CONFIG
  if (config && network !== undefined) fail('give either --network or a configuration of your own', 2)
  const own = config || isPublic
  const isSample = !own && network !== 'local'
  // With an external database, several processes may share a home.
  if (!own || process.env.DATABASE_URL === undefined) await claimHome(home)
  else requireWritable(home)
  const env = own ? {} : { RIDGELINE_CONFIG: await startNetwork(home, isSample) }
  start('service', [join(root, 'dist/node/server.js'), ...args], {
    home,
    // `--config` is relative to the folder where the command was given.
    cwd: process.cwd(),
    // React draws the first lines of pages (docs/performance.md), and checks itself as it does so without this.
    env: { NODE_ENV: process.env.NODE_ENV ?? 'production', ...env, RIDGELINE_HOME: home },
    onMessage(message) {
      if (message.type === 'failed') {
        console.error(`ridgeline  ${message.message}`)
        void end(message.exitCode ?? 1)
      }
      if (message.type === 'listening') {
        say(`the dashboard is at ${message.url} (after ${((Date.now() - began) / 1000).toFixed(1)} s)`)
        const isTerminal = process.stdout.isTTY === true
        say(tokenLine(message.url, home, { isTerminal, setting: process.env.RIDGELINE_TOKEN }))
        void followProgress(message.url, began, isSample ? sampleReady : Promise.resolve())
      }
    },
  })
}

/** The network, and the arguments for the service, which knows the public networks (docs/configuration.md) only. */
function readFlags(given) {
  let flags
  try {
    const text = { type: 'string' }
    const options = { config: text, network: text, node: text, 'network-config': text, role: text }
    flags = parseArgs({ args: given, options }).values
  } catch (error) {
    const allowed =
      '--config FILE, --network sample|local, --network mainnet|fuji --node URL [--network-config FILE], --role all|api|indexer'
    fail(`${error.message.split('. ')[0]}; allowed: ${allowed}`, 2)
  }
  const { network, ...others } = flags
  const networks = ['sample', 'local', ...publicNetworks]
  if (network !== undefined && !networks.includes(network))
    fail(`--network is "${network}"; allowed: ${networks.join(', ')}`, 2)
  const forwarded = publicNetworks.includes(network) ? flags : others
  return { network, args: Object.entries(forwarded).flatMap(([name, value]) => [`--${name}`, value]) }
}

async function startNetwork(home, isSample) {
  if (isSample) return startSample(home, [join(root, 'dist/node/sample.js')])
  const { startLocalNetwork } = await import('./local-network.mjs')
  return startLocalNetwork(home)
}
