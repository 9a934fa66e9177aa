// Finds a real node's program, or builds the released module with Go into a cache folder that clones share.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { onPath, say } from './bootstrap.mjs'

const version = 'v1.14.0'
const module = 'github.com/ava-labs/avalanchego/main'

function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  return join(base, 'ridgeline', `avalanchego-${version}`)
}

/**
 * The path of an avalanchego program: AVALANCHEGO_PATH, the one on the path, or a build of its released
 * module. Resolves with `{ path }`, or with `{ missing }`: why there is none, in a few words.
 */
export async function findAvalanchego() {
  const named = process.env.AVALANCHEGO_PATH ?? onPath('avalanchego')
  if (named !== undefined) return existsSync(named) ? { path: named } : { missing: `${named} does not exist` }
  const folder = cacheFolder()
  const path = join(folder, 'avalanchego')
  if (existsSync(path)) return { path }
  if (onPath('go') === undefined) return { missing: 'neither avalanchego nor Go is installed' }
  if (onPath('gcc') === undefined && onPath('clang') === undefined && process.env.CC === undefined)
    return { missing: 'building avalanchego needs a C compiler' }
  const downloaded = spawnSync('go', ['mod', 'download', `github.com/ava-labs/avalanchego@${version}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, GO111MODULE: 'on' },
  })
  if (downloaded.status !== 0)
    return { missing: `the avalanchego module can't be downloaded (${lastLine(downloaded.stderr)})` }
  say(`building avalanchego ${version} with Go, once; about four minutes on two cores …`)
  return await build(folder, path)
}

function lastLine(output) {
  return output.toString().trim().split('\n').at(-1) ?? ''
}

// Two builds at the same time each have a folder of their own; the one that ends last wins.
async function build(folder, path) {
  const scratch = join(folder, `build-${process.pid}`)
  mkdirSync(scratch, { recursive: true })
  const child = spawn('go', ['install', `${module}@${version}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      CGO_ENABLED: '1',
      // Portable: the cache may be carried to a machine with an older processor.
      CGO_CFLAGS: '-O2 -D__BLST_PORTABLE__',
      GOBIN: scratch,
    },
  })
  const output = []
  child.stderr.on('data', (chunk) => output.push(chunk))
  const code = await new Promise((resolve) => child.once('exit', resolve))
  try {
    if (code !== 0) return { missing: `building it failed (${lastLine(Buffer.concat(output))})` }
    renameSync(join(scratch, 'main'), path)
    return { path }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
