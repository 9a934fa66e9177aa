// npm start: everything a person needs, in one process tree. With a configuration of one's own the
// sample network stays out of it.
import { join, resolve } from 'node:path'
import { ensureBuilt, ensureInstalled, root, say } from './bootstrap.mjs'
import { end, endOnSignals, start } from './children.mjs'

const began = Date.now()
ensureInstalled()
await ensureBuilt()
endOnSignals()

const { sampleReady, startSample } = await import('./sample.mjs')
const { followProgress } = await import('./progress.mjs')
const home = resolve(process.env.RIDGELINE_HOME ?? join(root, '.ridgeline'))
const args = process.argv.slice(2)
const own =
  args.some((arg) => arg === '--config' || arg.startsWith('--config=')) || process.env.RIDGELINE_CONFIG
const env = own ? {} : { RIDGELINE_CONFIG: await startSample(home, [join(root, 'dist/node/sample.js')]) }

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
      void followProgress(message.url, began, own ? Promise.resolve() : sampleReady)
    }
  },
})
