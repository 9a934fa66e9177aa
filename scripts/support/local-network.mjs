// npm start -- --network local: five real validators with a network of their own, and the configuration with
// which the service reads it and asks them for signatures.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findAvalanchego } from './avalanchego.mjs'
import { fail, say } from './bootstrap.mjs'
import { start } from './children.mjs'
import { thisMachine } from './sample.mjs'
import {
  addressPrefix,
  chainsFlag,
  evmChainId,
  networkId,
  prepareNetwork,
  testKey,
  upgradesFlag,
} from './staking-network.mjs'

const size = 5
// Helicon begins right behind the genesis, as its time has come on public networks: no node has to become
// another one while it runs. An epoch is as long as on other networks without a name.
const rules = upgradesFlag({ heliconTime: '2020-12-05T05:00:01Z', epochSeconds: 30 })

/** Resolves with the path of the configuration file once all nodes are ready. */
export async function startLocalNetwork(home) {
  const found = await findAvalanchego()
  if (found.missing !== undefined) fail(`--network local needs a real node: ${found.missing}`, 2)
  const folder = join(home, 'validators')
  mkdirSync(folder, { recursive: true })
  const nodes = await prepareNetwork({ program: found.path, folder, ports: portsOf() }).catch((error) =>
    fail(`the validators can't be set up: ${error.message}`),
  )
  for (const [index, { flags }] of nodes.entries())
    // A chain's profiles are written to the node's working directory.
    start(`avalanchego-${index + 1}`, [...flags, rules, chainsFlag()], {
      home,
      program: found.path,
      cwd: folder,
    })
  await Promise.all(nodes.map(({ url }) => untilReady(url)))
  say(`${size} validators are ready, the first at ${nodes[0].url}`)
  say(`the test key, on P, X and C alike, is ${testKey}`)
  return writeConfig(folder, nodes)
}

/** The API and peer ports of each node, consecutively. */
function portsOf() {
  const text = process.env.AVALANCHEGO_PORT ?? '9650'
  const first = Number(text)
  const highest = 65_536 - 2 * size
  if (!Number.isInteger(first) || first < 1 || first > highest)
    fail(`AVALANCHEGO_PORT is "${text}"; allowed: an integer from 1 to ${highest}`, 2)
  return Array.from({ length: size }, (_, index) => [first + 2 * index, first + 2 * index + 1])
}

async function untilReady(url) {
  for (;;) {
    const isReady = await fetch(`${url}/ext/health/readiness`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
    await delay(200)
  }
}

function writeConfig(folder, nodes) {
  const [{ url }] = nodes
  const config = {
    networks: [
      {
        id: 'fuji',
        name: 'Local network',
        networkId,
        prefix: addressPrefix,
        nodeUrl: url,
        onNewGenesis: 'startOver',
      },
    ],
    chains: [
      {
        name: 'C-Chain',
        description: 'The C-Chain of a local avalanchego',
        evmChainId,
        rpcUrl: `${url}/ext/bc/C/rpc`,
        wsUrl: `${url.replace(/^http/, 'ws')}/ext/bc/C/ws`,
        network: 'fuji',
        token: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
        isTestnet: true,
        pollSeconds: 1,
        onNewGenesis: 'startOver',
      },
    ],
    signatures: { validatorNodes: nodes.map(({ nodeId, url }) => ({ nodeId, url })) },
    // They are the user's own nodes on loopback, without anything of value.
    gateway: { namespaces: ['debug', 'txpool', 'personal'] },
    watch: { hosts: thisMachine },
  }
  const path = join(folder, 'ridgeline.json')
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`)
  return path
}
