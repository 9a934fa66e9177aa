// Starts the sample network and writes the configuration with which the service reads it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './bootstrap.mjs'
import { end, start } from './children.mjs'

let isReady
/** Resolves once the sample network has its complete history. */
export const sampleReady = new Promise((resolve) => {
  isReady = resolve
})

let nodeUrl
/** Where the sample's node listens, once it does. */
export const sampleUrl = () => nodeUrl

/** Resolves with the path of the configuration file once the sample node answers. */
export function startSample(home, program) {
  const port = process.env.SAMPLE_PORT ?? '4401'
  const folder = join(home, 'sample')
  return new Promise((resolve) => {
    const onMessage = (message) => {
      if (message.type === 'failed') {
        console.error(`ridgeline  ${message.message}`)
        void end(message.exitCode ?? 1)
      }
      if (message.type === 'note') say(`sample network: ${message.message}`)
      if (message.type === 'progress') showProgress(message)
      if (message.type === 'ready') isReady()
      if (message.type === 'listening') {
        nodeUrl = message.url
        resolve(writeConfig(folder, message))
      }
    }
    // Tests use it to enable the fault controls and to shorten the history.
    const extra = (process.env.RIDGELINE_SAMPLE_ARGS ?? '').split(' ').filter(Boolean)
    start('sample', [...program, ...extra, '--port', port, '--home', folder], { home, onMessage })
  })
}

const shown = new Map()
function showProgress({ chain, done, total }) {
  const quarter = Math.floor((4 * done) / Math.max(total, 1))
  if (quarter === 0) return
  if (shown.get(chain) === quarter) return
  shown.set(chain, quarter)
  say(`sample network: ${chain} has ${done.toLocaleString('en')} of ${total.toLocaleString('en')} blocks`)
}

/** Where channels of the watch may lead besides the internet: a receiver on this machine can be tried. */
export const thisMachine = ['127.0.0.1', 'localhost', '[::1]']

/** Writes the service's configuration for a sample network into a folder; returns the file's path. */
export function writeConfig(folder, { url, network, site, listedTokens, validatorNodes, pricesFile }) {
  const config = {
    networks: [
      {
        id: network.id,
        name: network.name,
        networkId: 5,
        prefix: 'fuji',
        nodeUrl: url,
        genesisFile: network.genesisFile,
        onNewGenesis: 'startOver',
      },
    ],
    chains: network.chains.map((chain) => ({
      ...chain,
      network: network.id,
      isTestnet: true,
      pollSeconds: 1,
      // A sample network whose state was lost is created again with the same names.
      onNewGenesis: 'startOver',
    })),
    // The sample's token URIs lead to the sample itself; nothing else on this machine is accessible.
    nftMetadata: { enabled: true, ipfsGateway: site.ipfsGateway, hosts: { [site.host]: site.url } },
    tokens: { listed: listedTokens },
    prices: { file: pricesFile },
    signatures: { validatorNodes },
    watch: { hosts: thisMachine },
    // Whoever opens the sample may ask; the rows are made up.
    sql: { public: true },
  }
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'config.json')
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`)
  return path
}
