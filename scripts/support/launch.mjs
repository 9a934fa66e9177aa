// Starts everything behind `npm start` and `npx ridgeline`, in one process tree. With a configuration of one's own the
// sample network stays out of it.
import { join, resolve } from 'node:path'
import { fail, root, say } from './bootstrap.mjs'
import { end, endOnSignals, start } from './children.mjs'
import { claimHome, requireWritable } from './home.mjs'
import { followProgress } from './progress.mjs'
import { sampleReady, startSample } from './sample.mjs'
import { tokenLine } from './token-line.mjs'

/** The networks that the service knows by itself (server/kernel/settings/public-networks.ts). */
const publicNetworks = ['mainnet', 'fuji']
export const networks = ['sample', 'local', ...publicNetworks]

/**
 * Starts the built programs. `flags` are those of the command line by their names in camel case; `folder` holds data and logs unless
 * RIDGELINE_HOME is set; `began` is when the command started, in milliseconds.
 */
export async function launch({ flags, folder, began }) {
  endOnSignals()
  const { network } = flags
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
  start('service', [join(root, 'dist/node/server.js'), ...argsOf(flags, isPublic)], {
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
