// npm start: everything a person needs, in one process tree. With a configuration of one's own the
// sample network stays out of it.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt, ensureInstalled, fail, root, say } from './bootstrap.mjs'
import { end, endOnSignals, start } from './children.mjs'
import { claimHome } from './home.mjs'

const began = Date.now()
ensureInstalled()
await ensureBuilt()
endOnSignals()

const { sampleReady, startSample } = await import('./sample.mjs')
const { followProgress } = await import('./progress.mjs')
const { tokenLine } = await import('./token-line.mjs')
const { network, args } = readFlags(process.argv.slice(2))
const base = resolve(process.env.RIDGELINE_HOME ?? join(root, '.ridgeline'))
// The sample and a local network have the same names: each has a store of its own.
const home = network === 'local' ? join(base, 'local') : base
const own = args.includes('--config') || process.env.RIDGELINE_CONFIG
if (own && network !== undefined) fail('give either --network or a configuration of your own', 2)
const isSample = !own && network !== 'local'
// With a database of one's own several processes may share a home.
if (!own || process.env.DATABASE_URL === undefined) await claimHome(home)
const env = own ? {} : { RIDGELINE_CONFIG: await startNetwork() }

/** The network, and the arguments of the service, which does not know `--network`. */
function readFlags(given) {
  let flags
  try {
    const text = { type: 'string' }
    flags = parseArgs({ args: given, options: { config: text, network: text, role: text } }).values
  } catch (error) {
    const allowed = '--config FILE, --network sample|local, --role all|api|indexer'
    fail(`${error.message.split('. ')[0]}; allowed: ${allowed}`, 2)
  }
  const { network, ...others } = flags
  if (network !== undefined && network !== 'sample' && network !== 'local')
    fail(`--network is "${network}"; allowed: sample, local`, 2)
  return { network, args: Object.entries(others).flatMap(([name, value]) => [`--${name}`, value]) }
}

async function startNetwork() {
  if (isSample) return startSample(home, [join(root, 'dist/node/sample.js')])
  const { startLocalNetwork } = await import('./local-network.mjs')
  return startLocalNetwork(home)
}

start('service', [join(root, 'dist/node/server.js'), ...args], {
  home,
  env: { ...env, RIDGELINE_HOME: home },
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
