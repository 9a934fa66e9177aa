// What every command of package.json does first, with nothing but Node's built-ins: install when the lock
// file changed, build when sources changed, find a browser. Each step says in one line what it does.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const lowest = [20, 19]
const mayInstall = process.env.RIDGELINE_INSTALL !== 'no'

/** Prints one line of progress. */
export function say(line) {
  console.log(`ridgeline  ${line}`)
}

/** Prints one line about a failure and ends the program. */
export function fail(line, code = 1) {
  console.error(`ridgeline  ${line}`)
  process.exit(code)
}

/** Ends the program if this Node version is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > lowest[0] || (major === lowest[0] && minor >= lowest[1])) return
  fail(`Node ${process.versions.node} is too old: ${lowest.join('.')} or newer is needed`, 2)
}

/** Runs `npm ci` if node_modules is missing or does not match the lock file. */
export function ensureInstalled() {
  requireNode()
  const lock = readFileSync(join(root, 'package-lock.json'))
  const wanted = createHash('sha256').update(lock).update(process.platform).update(process.arch).digest('hex')
  const stamp = join(root, 'node_modules', '.ridgeline-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  if (!mayInstall)
    fail(
      'node_modules is missing or older than package-lock.json, and RIDGELINE_INSTALL is "no": run npm ci',
      2,
    )
  say('installing packages into node_modules (npm ci); RIDGELINE_INSTALL=no prevents it …')
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  const result = spawnSync(
    command,
    [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: 'inherit',
      shell: command === 'npm' && process.platform === 'win32',
      // `npm start --omit=dev` and NODE_ENV=production must not omit the build tools.
      env: { ...process.env, NODE_ENV: 'development', npm_config_omit: '' },
    },
  )
  if (result.status !== 0)
    fail('npm ci failed: see above. Installing needs the npm registry once; later starts do not.')
  writeFileSync(stamp, wanted)
}

function* filesBelow(path) {
  const full = join(root, path)
  if (!existsSync(full)) return
  if (statSync(full).isFile()) return void (yield full)
  for (const entry of readdirSync(full, { withFileTypes: true })) {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) yield* filesBelow(inner)
    else if (!/\.test\.tsx?$/.test(entry.name)) yield join(root, inner)
  }
}

function stateOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of filesBelow(path)) {
      hash.update(file.slice(root.length)).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

const shared = ['contract', 'protocol', 'package-lock.json', 'package.json', 'tsconfig.base.json']
const targets = {
  web: { config: 'vite.config.ts', sources: ['src', 'public', 'index.html', 'vite.config.ts', ...shared] },
  node: {
    config: 'vite.node.config.ts',
    sources: ['server', 'sample', 'src', 'public/theme.js', 'vite.node.config.ts', ...shared],
  },
}

/** Builds the dashboard and the programs if their sources changed since the last build. */
export async function ensureBuilt(names = ['web', 'node']) {
  const stale = names.filter((name) => {
    const stamp = join(root, 'dist', `.${name}`)
    return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== stateOf(targets[name].sources)
  })
  if (stale.length === 0) return
  say(`building ${stale.map((name) => (name === 'web' ? 'the dashboard' : 'the service')).join(' and ')} …`)
  await Promise.all(stale.map(build))
}

async function build(name) {
  const { config, sources } = targets[name]
  const state = stateOf(sources)
  // Beside the last build, and in its place when it is whole: another build may run, or end this one.
  const unfinished = join(root, 'dist', `.${name}-${process.pid}`)
  const output = []
  const child = spawn(
    process.execPath,
    [binary('vite', 'vite'), 'build', '--config', config, '--outDir', unfinished, '--logLevel', 'warn'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    fail(`building ${name} failed:\n${Buffer.concat(output).toString()}`)
  }
  const built = join(root, 'dist', name)
  rmSync(built, { recursive: true, force: true })
  renameSync(unfinished, built)
  writeFileSync(join(root, 'dist', `.${name}`), state)
}

/** The path of a package's command. */
export function binary(pack, command) {
  const require = createRequire(join(root, 'package.json'))
  const folder = packageFolder(require, pack)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[command])
}

function packageFolder(require, pack) {
  const found = require.resolve
    .paths(pack)
    ?.map((path) => join(path, pack))
    .find((path) => existsSync(path))
  if (!found) fail(`${pack} is not installed: delete node_modules and start again`)
  return found
}

/** Runs a package's command with this process's output; resolves with its exit code. */
export function runBinary(pack, command, args, env = {}) {
  const child = spawn(process.execPath, [binary(pack, command), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

/** The path of a program on the PATH, if it exists. */
export function onPath(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Not in this folder: continue along the PATH.
    }
  }
  return undefined
}

/** Installs Debian's packages of a browser, if this process may, until `search` finds it. */
function installPackage(browser, variable, packages, search) {
  if (!mayInstall || process.getuid?.() !== 0 || !onPath('apt-get')) return
  say(
    `installing a system package of ${browser} (apt-get) for the browser tests; ${variable}=/path/of/a/browser or RIDGELINE_INSTALL=no prevents it …`,
  )
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  spawnSync('apt-get', ['update', '-qq'], options)
  for (const name of packages)
    if (!search()) spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options)
}

/**
 * Debian's packages of Chromium. The shell without a window takes half the CPU time of the whole browser; some
 * distributions have only the latter.
 */
const chromiumPackages = ['chromium-headless-shell', 'chromium']

/**
 * The path of a Chromium for browser tests: CHROMIUM_PATH, an installed one, Playwright's own, or else
 * Debian's package if this process may install it. Ends the program if there is none.
 */
export async function findChromium() {
  const names = [...chromiumPackages, 'chromium-browser', 'google-chrome-stable', 'google-chrome']
  const search = () => process.env.CHROMIUM_PATH ?? names.map(onPath).find(Boolean)
  const installed = search()
  if (installed) return installed
  const { chromium } = await import('@playwright/test')
  if (existsSync(chromium.executablePath())) return chromium.executablePath()
  installPackage('chromium', 'CHROMIUM_PATH', chromiumPackages, search)
  return (
    search() ??
    fail(
      'no Chromium found for the browser tests: install one, run "npx playwright install chromium", or set CHROMIUM_PATH',
      2,
    )
  )
}

/**
 * The path of a Firefox for the tests in it: FIREFOX_PATH, an installed one, or else Debian's package if this process may
 * install it. `missing` says why there is none.
 */
export function findFirefox() {
  const search = () => process.env.FIREFOX_PATH ?? ['firefox-esr', 'firefox'].map(onPath).find(Boolean)
  if (!search()) installPackage('firefox', 'FIREFOX_PATH', ['firefox-esr'], search)
  const path = search()
  return path ? { path } : { missing: 'no Firefox found; install one, or set FIREFOX_PATH' }
}
