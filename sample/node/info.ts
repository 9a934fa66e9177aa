import { createHash } from 'node:crypto'
import { cb58 } from './cb58.ts'
import type { Concern } from './front.ts'
import type { Params } from './json2.ts'
import { ArgumentError, ServiceError, json2Handler } from './json2.ts'

/** What `/ext/info` tells of the network. */
export interface InfoFacts {
  /** Blockchain ids by every name a chain goes by. */
  readonly blockchains: ReadonlyMap<string, string>
  /** False while the history is still being made. */
  isBootstrapped(): boolean
}

const NODE_ID = `NodeID-${cb58(createHash('sha256').update('ridgeline sample node').digest().subarray(0, 20))}`

function textOf(params: Params, name: string): string {
  const value = params[name]
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new ArgumentError()
  return value
}

/** The node's `info` service: network 5, the sample's chains, no peers. */
export function infoConcern(facts: InfoFacts): Concern {
  const methods = {
    getNetworkID: () => ({ networkID: '5' }),
    getNetworkName: () => ({ networkName: 'fuji' }),
    getNodeID: () => ({ nodeID: NODE_ID }),
    getNodeIP: () => ({ ip: '127.0.0.1:9651' }),
    getNodeVersion: () => ({
      version: 'ridgeline-sample/0.1.0',
      databaseVersion: 'v1.4.5',
      rpcProtocolVersion: '44',
      gitCommit: '',
      vmVersions: { evm: 'anvil' },
    }),
    getBlockchainID(params: Params) {
      const alias = textOf(params, 'alias')
      const blockchainID = facts.blockchains.get(alias)
      if (blockchainID === undefined) throw new ServiceError(`there is no ID with alias ${alias}`)
      return { blockchainID }
    },
    isBootstrapped(params: Params) {
      const chain = textOf(params, 'chain')
      if (chain === '') throw new ServiceError("argument 'chain' not given")
      const isKnown = facts.blockchains.has(chain) || [...facts.blockchains.values()].includes(chain)
      if (!isKnown) throw new ServiceError(`there is no chain with alias/ID '${chain}'`)
      return { isBootstrapped: facts.isBootstrapped() }
    },
    peers: () => ({ numPeers: '0', peers: [] }),
  }
  const handler = json2Handler({ name: 'info', methods })
  return { routes: new Map([['/ext/info', handler]]) }
}
