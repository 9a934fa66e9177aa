// Finds the EVM nodes beside avalanchego that the tests of real-node/ run: geth, built with Go, and Hardhat, installed with npm.
import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, cacheFolder, missingTools } from './avalanchego.mjs'
import { onPath, root, say } from './bootstrap.mjs'

const gethVersion = 'v1.16.7'
const gethModule = 'github.com/ethereum/go-ethereum'

/**
 * The path of a geth program: GETH_PATH, the one on the PATH, or a build of its released module. Resolves
 * with `{ path }`, or with `{ missing }`, a short reason.
 */
export async function findGeth() {
  const named = process.env.GETH_PATH ?? onPath('geth')
  if (named !== undefined) return existsSync(named) ? { path: named } : { missing: `${named} does not exist` }
  const folder = cacheFolder(`geth-${gethVersion}`)
  const path = join(folder, 'geth')
  if (existsSync(path)) return { path }
  const missing = missingTools('geth', ['mod', 'download', `${gethModule}@${gethVersion}`])
  if (missing !== undefined) return { missing }
  say(`building geth ${gethVersion} with Go, once; about four minutes on two cores …`)
  return await build({
    folder,
    path,
    built: 'geth',
    source: `${gethModule}/cmd/geth@${gethVersion}`,
    // Its libraries in C are faster, and take longer to compile than the tests save by them.
    cgo: false,
  })
}

/**
 * The folder in which Hardhat is installed, as pinned by real-node/hardhat/package-lock.json. Returns `{ path
 * }`, or `{ missing }`, the reason.
 */
export function findHardhat() {
  const source = join(root, 'real-node/hardhat')
  const files = ['package.json', 'package-lock.json']
  const state = createHash('sha256')
  for (const name of files) state.update(readFileSync(join(source, name)))
  const path = cacheFolder(`hardhat-${state.digest('hex').slice(0, 12)}`)
  if (existsSync(path)) return { path }
  say('installing Hardhat with npm, once …')
  const scratch = `${path}-${process.pid}`
  mkdirSync(scratch, { recursive: true })
  try {
    for (const name of files) copyFileSync(join(source, name), join(scratch, name))
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const { status, stderr } = spawnSync('npm', args, { cwd: scratch, stdio: ['ignore', 'ignore', 'pipe'] })
    if (status !== 0) return { missing: `npm ci failed (${stderr.toString().trim().split('\n').at(-1)})` }
    // Of two concurrent installations, the first one is kept.
    if (!existsSync(path)) renameSync(scratch, path)
    return { path }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
