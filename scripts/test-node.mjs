// npm run test:node: the service against real avalanchego nodes; see docs/real-node.md.
import { ensureBuilt, ensureInstalled, runBinary, say } from './bootstrap.mjs'
import { findAvalanchego } from './avalanchego.mjs'
import { findSubnetEvm } from './subnet-evm.mjs'

ensureInstalled()
const avalanchego = await findAvalanchego()
if (avalanchego.missing !== undefined) {
  say(`tests against real nodes are skipped: ${avalanchego.missing}`)
  process.exit(0)
}
const subnetEvm = await findSubnetEvm()
if (subnetEvm.missing !== undefined) say(`tests of an L1 are skipped: ${subnetEvm.missing}`)
await ensureBuilt()
const args = ['run', '--config', 'vitest.real-node.config.ts', ...process.argv.slice(2)]
process.exit(
  await runBinary('vitest', 'vitest', args, {
    RIDGELINE_AVALANCHEGO: avalanchego.path,
    RIDGELINE_SUBNET_EVM: subnetEvm.path ?? '',
  }),
)
