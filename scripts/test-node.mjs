// npm run test:node: the service against real nodes; see docs/real-node.md.
import { ensureBuilt, ensureInstalled, runBinary, say } from './support/bootstrap.mjs'
import { findAvalanchego, knowsHelicon, pluginProtocolOf } from './support/avalanchego.mjs'
import { findGeth, findHardhat } from './support/evm-nodes.mjs'
import { keepTemporaryFilesInMemory } from './support/memory-folder.mjs'
import { findPublicNode, findSubnetEvm } from './support/go-programs.mjs'

/** The plugin protocol of the built Subnet-EVM: that of avalanchego 1.14.0 and 1.14.1. */
const builtProtocol = 44

ensureInstalled()
const avalanchego = await findAvalanchego()
if (avalanchego.missing !== undefined) {
  say(`tests against real nodes are skipped: ${avalanchego.missing}`)
  process.exit(0)
}
const isHelicon = knowsHelicon(avalanchego.path)
if (!isHelicon) say('tests of Helicon are skipped: this avalanchego is older than 1.15')
const subnetEvm = await subnetEvmFor(avalanchego.path)
if (subnetEvm.missing !== undefined) say(`tests of an L1 are skipped: ${subnetEvm.missing}`)
const publicNode = await findPublicNode()
if (publicNode.missing !== undefined) say(`tests of mainnet are skipped: ${publicNode.missing}`)
const geth = await findGeth()
if (geth.missing !== undefined) say(`tests of geth are skipped: ${geth.missing}`)
const hardhat = findHardhat()
if (hardhat.missing !== undefined) say(`tests of Hardhat are skipped: ${hardhat.missing}`)
await ensureBuilt()
keepTemporaryFilesInMemory()
const args = ['run', '--config', 'vitest.real-node.config.ts', ...process.argv.slice(2)]
process.exit(
  await runBinary('vitest', 'vitest', args, {
    RIDGELINE_AVALANCHEGO: avalanchego.path,
    RIDGELINE_KNOWS_HELICON: String(isHelicon),
    RIDGELINE_SUBNET_EVM: subnetEvm.path ?? '',
    RIDGELINE_PUBLIC_NODE: publicNode.path ?? '',
    RIDGELINE_GETH: geth.path ?? '',
    RIDGELINE_HARDHAT: hardhat.path ?? '',
  }),
)

/** The plugin for this program: a configured folder, or the built one. */
async function subnetEvmFor(program) {
  const own = process.env.SUBNET_EVM_PLUGIN_DIR
  if (own !== undefined) return { path: own }
  const protocol = pluginProtocolOf(program)
  if (protocol === builtProtocol) return await findSubnetEvm()
  return {
    missing: `the subnet EVM that is built here speaks protocol ${builtProtocol} and this avalanchego ${protocol}; name a folder with its own in SUBNET_EVM_PLUGIN_DIR`,
  }
}
