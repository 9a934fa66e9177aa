// Finds a real node's program, or builds the released module with Go into a cache folder that clones share.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { onPath, say } from './bootstrap.mjs'

const version = 'v1.14.0'
const module = 'github.com/ava-labs/avalanchego/main'
const timeoutMs = 30_000

/** A folder below the cache that all clones of the project share. It may not exist yet. */
export function cacheFolder(name) {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ridgeline', name)
}

/**
 * The path of an avalanchego program: AVALANCHEGO_PATH, the one on the PATH, or a build of its released
 * module. Resolves with `{ path }`, or with `{ missing }`, a short reason.
 */
export async function findAvalanchego() {
  const named = process.env.AVALANCHEGO_PATH ?? onPath('avalanchego')
  if (named !== undefined) return existsSync(named) ? { path: named } : { missing: `${named} does not exist` }
  const folder = cacheFolder(`avalanchego-${version}`)
  const path = join(folder, 'avalanchego')
  if (existsSync(path)) return { path }
  const missing = missingTools('avalanchego', [
    'mod',
    'download',
    `${module.replace('/main', '')}@${version}`,
  ])
  if (missing !== undefined) return { missing }
  say(`building avalanchego ${version} with Go, once; about four minutes on two cores …`)
  return await build({ folder, path, built: 'main', source: `${module}@${version}` })
}

/** The plugin protocol version of the program. */
export function pluginProtocolOf(path) {
  const { stdout } = spawnSync(path, ['--version-json'], { encoding: 'utf8', timeout: timeoutMs })
  return JSON.parse(stdout).rpcchainvm
}

/** Whether the program supports Helicon: 1.15 is the first release that does. */
export function knowsHelicon(path) {
  const { stdout, stderr } = spawnSync(path, ['--help'], { encoding: 'utf8', timeout: timeoutMs })
  return `${stdout}${stderr}`.includes('--helicon-')
}

/** A short reason why `what` cannot be built with Go; `download` are Go's arguments that fetch its source. */
export function missingTools(what, download, cwd) {
  if (onPath('go') === undefined) return `neither ${what} nor Go is installed`
  if (onPath('gcc') === undefined && onPath('clang') === undefined && process.env.CC === undefined)
    return `building ${what} needs a C compiler`
  const downloaded = spawnSync('go', download, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, GO111MODULE: 'on' },
  })
  if (downloaded.status === 0) return undefined
  return `the source of ${what} can't be downloaded (${lastLine(downloaded.stderr)})`
}

function lastLine(output) {
  return output.toString().trim().split('\n').at(-1) ?? ''
}

/**
 * The same for every program, so that Go compiles the packages that they share once. A profile of the released node
 * would be for it alone, and doubles its time.
 */
export const buildFlags = ['-trimpath', '-pgo=off', '-ldflags=-s -w']

/** The same for every program, as `buildFlags`. */
export const buildEnvironment = {
  CGO_ENABLED: '1',
  // Portable code, because the cache may be moved to a machine with an older processor.
  CGO_CFLAGS: '-O2 -D__BLST_PORTABLE__',
}

/**
 * Runs `go install` with a scratch folder as its target and moves what it `built` from `source` to `path`. Concurrent
 * builds have separate folders; the last one wins. Without `cgo` nothing is compiled from C.
 */
export async function build({ folder, path, built, source, cwd, cgo = true }) {
  const scratch = join(folder, `build-${process.pid}`)
  mkdirSync(scratch, { recursive: true })
  const child = spawn('go', ['install', ...buildFlags, source], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      ...buildEnvironment,
      ...(!cgo && { CGO_ENABLED: '0' }),
      GOBIN: scratch,
    },
  })
  const output = []
  child.stderr.on('data', (chunk) => output.push(chunk))
  const code = await new Promise((resolve) => child.once('exit', resolve))
  try {
    if (code !== 0) return { missing: `building it failed (${lastLine(Buffer.concat(output))})` }
    renameSync(join(scratch, built), path)
    return { path }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
