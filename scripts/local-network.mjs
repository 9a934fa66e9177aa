// npm start -- --network local: a real avalanchego with a network of its own, and the configuration with
// which the service reads it. Staking protection is off, so one node makes all the blocks.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findAvalanchego } from './avalanchego.mjs'
import { fail, say } from './bootstrap.mjs'
import { start } from './children.mjs'

/** The published test key that owns most of the local network's genesis, on P and X and as an EVM account. */
const testKey = '56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027'
const base64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64')
const cChain = {
  'admin-api-enabled': true,
  'pruning-enabled': false,
  'warp-api-enabled': true,
  'eth-apis': [
    'eth',
    'eth-filter',
    'net',
    'web3',
    'internal-eth',
    'internal-blockchain',
    'internal-transaction',
    'internal-tx-pool',
    'internal-debug',
    'debug',
    'debug-tracer',
  ],
}

/** Resolves with the path of the configuration file once the node is ready. */
export async function startLocalNetwork(home) {
  const found = await findAvalanchego()
  if (found.missing !== undefined) fail(`--network local needs a real node: ${found.missing}`, 2)
  const port = process.env.AVALANCHEGO_PORT ?? '9650'
  const folder = join(home, 'avalanchego')
  mkdirSync(folder, { recursive: true })
  const url = `http://127.0.0.1:${port}`
  start(
    'avalanchego',
    [
      '--network-id=local',
      `--data-dir=${folder}`,
      '--http-host=127.0.0.1',
      `--http-port=${port}`,
      '--staking-host=127.0.0.1',
      `--staking-port=${Number(port) + 1}`,
      '--public-ip=127.0.0.1',
      '--sybil-protection-enabled=false',
      '--bootstrap-ips=',
      '--bootstrap-ids=',
      '--min-stake-duration=15s',
      '--fd-limit=16384',
      '--health-check-frequency=1s',
      '--api-admin-enabled=true',
      '--index-enabled=true',
      `--chain-config-content=${base64({ C: { Config: base64(cChain), Upgrade: null } })}`,
    ],
    { home, program: found.path },
  )
  await untilReady(url)
  say(`avalanchego is ready at ${url}`)
  say(`its test key, on P, X and C alike, is ${testKey}`)
  return writeConfig(folder, url)
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

function writeConfig(folder, url) {
  const config = {
    networks: [{ id: 'fuji', name: 'Local network', networkId: 12345, prefix: 'local', nodeUrl: url }],
    chains: [
      {
        name: 'C-Chain',
        description: 'The C-chain of a local avalanchego',
        evmChainId: 43112,
        rpcUrl: `${url}/ext/bc/C/rpc`,
        wsUrl: `${url.replace(/^http/, 'ws')}/ext/bc/C/ws`,
        network: 'fuji',
        token: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
        isTestnet: true,
        pollSeconds: 1,
        onNewGenesis: 'startOver',
      },
    ],
  }
  const path = join(folder, 'ridgeline.json')
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`)
  return path
}
