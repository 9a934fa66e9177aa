// Builds the subnet EVM, the plugin with which a node runs EVM chains beside its own, into the cache folder.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, cacheFolder, missingTools } from './avalanchego.mjs'
import { root, say } from './bootstrap.mjs'

const source = join(root, 'real-node/subnet-evm')
/** Its VM id, which is the plugin's file name. */
const vmId = 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy'

/**
 * The folder for a node's `--plugin-dir`, built if it is not cached. Resolves with `{ path }`, or with `{
 * missing }`, a short reason.
 */
export async function findSubnetEvm() {
  const files = ['main.go', 'go.mod', 'go.sum'].map((name) => readFileSync(join(source, name)))
  const state = createHash('sha256').update(Buffer.concat(files)).digest('hex').slice(0, 12)
  const path = cacheFolder(`subnet-evm-${state}`)
  if (existsSync(join(path, vmId))) return { path }
  const missing = missingTools('the subnet EVM', ['mod', 'download'], source)
  if (missing !== undefined) return { missing }
  say('building the subnet EVM with Go, once; about three minutes on two cores …')
  const done = await build({
    folder: path,
    path: join(path, vmId),
    built: 'subnet-evm',
    source: '.',
    cwd: source,
  })
  return done.missing === undefined ? { path } : done
}
