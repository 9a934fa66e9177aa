// npm run test:node: the indexer and the service against a real avalanchego; see docs/real-node.md.
import { ensureBuilt, ensureInstalled, runBinary, say } from './bootstrap.mjs'
import { findAvalanchego } from './avalanchego.mjs'

ensureInstalled()
const found = await findAvalanchego()
if (found.missing !== undefined) {
  say(`tests against a real node are skipped: ${found.missing}`)
  process.exit(0)
}
await ensureBuilt()
const args = ['run', '--config', 'vitest.real-node.config.ts', ...process.argv.slice(2)]
process.exit(await runBinary('vitest', 'vitest', args, { RIDGELINE_AVALANCHEGO: found.path }))
