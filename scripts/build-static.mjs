// npm run build:static: the dashboard as a folder for any web server (docs/static-build.md).
import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled, fail, root, runBinary, say } from './support/bootstrap.mjs'

const usage = 'npm run build:static -- [--config FILE] [--out FOLDER]'

function readFlags() {
  try {
    return parseArgs({ options: { config: { type: 'string' }, out: { type: 'string' } } }).values
  } catch (error) {
    return fail(`${error.message}; ${usage}`, 2)
  }
}

const { config, out = resolve(root, 'dist/static') } = readFlags()
ensureInstalled()
process.env.NODE_ENV = 'production'
const folder = resolve(out)
const kept = resolve(folder, 'config.json')
// The folder is emptied: only a new one, or one that an earlier build has filled.
if (
  existsSync(folder) &&
  readdirSync(folder).length > 0 &&
  !(existsSync(kept) && existsSync(resolve(folder, 'assets')))
)
  fail(`${folder} holds something else than a static build; name an empty or a new folder`, 2)
// An operator may have changed the file since the last build.
const profiles = config === undefined ? (existsSync(kept) ? kept : undefined) : resolve(config)
if (profiles !== undefined) process.env.RIDGELINE_STATIC_CONFIG = profiles
say('building the dashboard for any web server …')
const code = await runBinary('vite', 'vite', [
  'build',
  '--mode',
  'static',
  '--outDir',
  folder,
  '--emptyOutDir',
  '--logLevel',
  'warn',
])
if (code !== 0) fail('the static build failed: see above', code)
say(`${folder} can be served as it is; its profiles are in config.json`)
