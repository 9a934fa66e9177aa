// Builds the Go programs of the tests against real nodes into the cache folder.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, cacheFolder, missingTools } from './avalanchego.mjs'
import { root, say } from './bootstrap.mjs'

/** The VM ID of the subnet EVM, which is the plugin's file name. */
const vmId = 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy'

/**
 * The folder for a node's `--plugin-dir`, built if it is not cached. Resolves with `{ path }`, or with `{
 * missing }`, a short reason.
 */
export async function findSubnetEvm() {
  const { folder, missing } = await findProgram('subnet-evm', vmId, 'the subnet EVM', 'three minutes')
  return missing === undefined ? { path: folder } : { missing }
}

/** The path of a node that serves a public network without peers, as `findSubnetEvm`. */
export async function findPublicNode() {
  const name = 'public-node'
  const { folder, missing } = await findProgram(name, name, 'a node of mainnet', 'a minute')
  return missing === undefined ? { path: join(folder, name) } : { missing }
}

/** The cache folder with the program of `real-node/<name>` as `file`; `time` is what two cores take for it. */
async function findProgram(name, file, what, time) {
  const source = join(root, 'real-node', name)
  const files = ['main.go', 'go.mod', 'go.sum'].map((each) => readFileSync(join(source, each)))
  const state = createHash('sha256').update(Buffer.concat(files)).digest('hex').slice(0, 12)
  const folder = cacheFolder(`${name}-${state}`)
  const path = join(folder, file)
  if (existsSync(path)) return { folder }
  const missing = missingTools(what, ['mod', 'download'], source)
  if (missing !== undefined) return { missing }
  say(`building ${what} with Go, once; about ${time} on two cores …`)
  return { folder, ...(await build({ folder, path, built: name, source: '.', cwd: source })) }
}
