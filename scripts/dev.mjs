// npm run dev: the sample network, the service restarted when its sources change, and the dashboard with
// hot reload in front of it.
import { join, resolve } from 'node:path'
import { binary, ensureBuilt, ensureInstalled, root, say } from './support/bootstrap.mjs'
import { endOnSignals, start } from './support/children.mjs'
import { claimHome } from './support/home.mjs'

ensureInstalled()
await ensureBuilt(['node'])
endOnSignals()

const { startSample } = await import('./support/sample.mjs')
const home = resolve(process.env.RIDGELINE_HOME ?? join(root, '.ridgeline'))
await claimHome(home)
const own = process.env.RIDGELINE_CONFIG
const config = own ?? (await startSample(home, [join(root, 'dist/node/sample.js')]))
const env = { RIDGELINE_HOME: home, RIDGELINE_CONFIG: config }
const quiet = () => undefined
start('service', [binary('tsx', 'tsx'), 'watch', '--clear-screen=false', join(root, 'server/main.ts')], {
  home,
  env,
  onMessage: quiet,
})
start('dashboard', [binary('vite', 'vite'), '--config', 'vite.config.ts', '--port', '4402', '--strictPort'], {
  home,
  env,
  onMessage: quiet,
})
say(
  'the dashboard with hot reload is at http://127.0.0.1:4402, the service at its usual port; logs are in .ridgeline/logs',
)
say(`the local token, for administration on this machine, is in ${join(home, 'token')}`)
