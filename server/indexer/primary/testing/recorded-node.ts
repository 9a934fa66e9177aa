import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { cb58, fromCheckedHex, hexText } from '../../../../protocol/ids/text.ts'
import recorded from '../../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { decodePGenesis } from '../../../../protocol/primary/genesis.ts'
import { sha256, withVersion } from '../../../../protocol/native/hashes.ts'
import cContainers from '../fixtures/c-containers.json' with { type: 'json' }

type Params = { readonly [name: string]: unknown }
type Json = unknown
type IndexEntry = { readonly id: string; readonly hex: string }

/** The deviations from the recording that a test may set. */
type Behaviour = {
  /** Whether it has the index API. */
  hasIndex: boolean
  /** The height that the node reports for P and X. */
  pHeight: number
  xHeight: number
  /** Blocks that replace the recorded ones, by P-Chain height. */
  readonly otherPBlocks: Map<number, string>
  /** Number of X-Chain blocks in its index. */
  xContainers: number
  /** The containers of its P-Chain index, if not the recorded ones. */
  pContainers: readonly IndexEntry[] | undefined
  /** Milliseconds before each answer. */
  latency: number
  /** The containers of its C-Chain index; undefined if it has no such index. */
  cContainers: readonly IndexEntry[] | undefined
  /** The HTTP status of every answer, if not 200. */
  status: number | undefined
  /** The network that it says it serves. */
  networkId: string
  /** Whether its first validators have not ended. */
  hasValidators: boolean
  /** Number of requests that fail with a 503 first. */
  failures: number
  /** Whether it serves P-Chain blocks; without, each request for one fails with a 503. */
  servesBlocks: boolean
  /** Activation time of Helicon as reported by the node; undefined on a node that does not know it. */
  heliconTime: string | undefined
  /** Called when the height of X's index is requested. */
  onLook: () => void
}

const pBlocks = recorded.pBlocks.slice(0, 12).map(({ hex }) => hex)
const xBlocks = recorded.xBlocks.map(({ hex }) => hex)
const containers = {
  '/ext/index/P/block': recorded.wrappers.slice(0, 10),
  '/ext/index/X/block': recorded.wrappers.slice(10, 14),
} as const

/** A node that serves answers recorded from a real one: a local network with all upgrades. */
export class RecordedNode {
  readonly behaviour: Behaviour = {
    hasIndex: false,
    pHeight: pBlocks.length - 1,
    xHeight: xBlocks.length - 1,
    otherPBlocks: new Map(),
    xContainers: Infinity,
    pContainers: undefined,
    latency: 0,
    cContainers: cContainers.alone,
    status: undefined,
    networkId: '12345',
    hasValidators: true,
    failures: 0,
    servesBlocks: true,
    heliconTime: undefined,
    onLook: () => undefined,
  }
  /** The P-Chain's blocks as the node returns them; a test may add some. */
  readonly blocks: string[] = [...pBlocks]
  /** The X-Chain's blocks as the node returns them; a test may add some. */
  readonly xBlocks: string[] = [...xBlocks]
  /** The vertices in its index; a test may add some. */
  readonly vertices: IndexEntry[] = []
  /** The payments at the end of staking, by staking transaction. */
  readonly rewards = new Map<string, readonly string[]>()
  readonly #server: Server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })

  /** Listens on a free port and returns the base URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { hasIndex, cContainers: ofC } = this.behaviour
    const lacksC = path === '/ext/index/C/block' && !ofC
    if (path.startsWith('/ext/index/') && (!hasIndex || lacksC)) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n')
      return
    }
    if (this.behaviour.status !== undefined) {
      response.writeHead(this.behaviour.status, { 'content-type': 'text/plain' }).end('no')
      return
    }
    if (this.behaviour.failures > 0) {
      this.behaviour.failures -= 1
      response.writeHead(503, { 'content-type': 'text/plain' }).end('busy')
      return
    }
    if (this.behaviour.latency > 0) await delay(this.behaviour.latency)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
      id: number
      method: string
      // Nodes accept both.
      params: [Params] | Params
    }
    if (!this.behaviour.servesBlocks && method === 'platform.getBlockByHeight') {
      response.writeHead(503, { 'content-type': 'text/plain' }).end('busy')
      return
    }
    const body = this.#outcome(path, method, Array.isArray(params) ? (params[0] as Params) : params)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
  }

  #outcome(path: string, method: string, params: Params): { result: Json } | { error: Json } {
    const failed = (message: string) => ({ error: { code: -32000, message, data: null } })
    if (path === '/ext/index/C/block') return this.#index(this.behaviour.cContainers ?? [], method, params)
    if (path === '/ext/index/X/block') {
      if (method === 'index.getLastAccepted') this.behaviour.onLook()
      return this.#index(containers[path].slice(0, this.behaviour.xContainers), method, params)
    }
    if (path === '/ext/index/X/vtx') return this.#index(this.vertices, method, params)
    const { pContainers } = this.behaviour
    if (path === '/ext/index/P/block' && pContainers) return this.#index(pContainers, method, params)
    if (path in containers) return this.#index(containers[path as keyof typeof containers], method, params)
    const { pHeight, xHeight, otherPBlocks } = this.behaviour
    const height = Number(params['height'])
    switch (method) {
      case 'info.getNetworkID':
        return { result: { networkID: this.behaviour.networkId } }
      case 'info.getNodeVersion':
        return { result: { version: recorded.node.version } }
      case 'info.getBlockchainID':
        return { result: { blockchainID: recorded.genesis.chains[params['alias'] === 'X' ? 0 : 1] } }
      case 'info.upgrades':
        return { result: { ...recorded.node.upgrades, heliconTime: this.behaviour.heliconTime } }
      case 'platform.getHeight':
        return { result: { height: String(pHeight) } }
      case 'avm.getHeight':
        return { result: { height: String(xHeight) } }
      case 'platform.getStakingAssetID':
        return { result: { assetID: recorded.genesis.xAssets[0]?.[1] } }
      case 'platform.getValidatorFeeConfig':
        return { result: recorded.node.feeConfig }
      case 'platform.getCurrentValidators':
        return { result: { validators: this.behaviour.hasValidators ? recorded.node.validators : [] } }
      case 'platform.getBlockchains':
        return { result: { blockchains: recorded.node.blockchains } }
      case 'platform.getTx':
        return this.#tx(String(params['txID'])) ?? failed("couldn't get tx: not found")
      case 'platform.getUTXOs':
        return { result: { numFetched: '0', utxos: this.#genesisUtxos(params), encoding: 'hex' } }
      case 'platform.getRewardUTXOs':
        return {
          result: { numFetched: '0', utxos: this.rewards.get(String(params['txID'])) ?? [], encoding: 'hex' },
        }
      case 'platform.getBlockByHeight': {
        const block = otherPBlocks.get(height) ?? this.blocks[height]
        return block && height <= pHeight
          ? { result: { block, encoding: 'hex' } }
          : failed(`couldn't get block at height ${height}: not found`)
      }
      case 'avm.getBlockByHeight': {
        const block = this.xBlocks[height]
        return block && height <= xHeight
          ? { result: { block, encoding: 'hex' } }
          : failed(`couldn't get block at height ${height}: not found`)
      }
      default:
        return failed(`rpc: can't find method "${method}"`)
    }
  }

  #index(all: readonly IndexEntry[], method: string, params: Params): { result: Json } | { error: Json } {
    const shown = all.map(({ id, hex }, index) => ({
      id,
      bytes: hex,
      timestamp: '2026-11-21T07:26:39.047092233Z',
      encoding: 'hex',
      index: String(index),
    }))
    if (shown.length === 0) {
      return { error: { code: -32000, message: 'no containers have been accepted', data: null } }
    }
    if (method === 'index.getLastAccepted') return { result: shown.at(-1) }
    const start = Number(params['startIndex'])
    return { result: { containers: shown.slice(start, start + Number(params['numToFetch'])) } }
  }

  #tx(id: string): { result: Json } | undefined {
    const genesis = decodePGenesis(fromCheckedHex(recorded.genesis.hex))
    const found = [...genesis.validators, ...genesis.chains].find((tx) => cb58(tx.id) === id) ?? undefined
    const other = recorded.node.txs.find((each) => each.id === id)
    if (other) return { result: { tx: other.hex, encoding: 'hex' } }
    if (!found) return undefined
    const bytes = withVersion(found.bytes)
    return { result: { tx: hexText(Buffer.concat([bytes, sha256(bytes).subarray(-4)])), encoding: 'hex' } }
  }

  /** The UTXOs of the recorded key only, in the state before anything was spent. */
  #genesisUtxos(params: Params): readonly string[] {
    const asked = params['addresses']
    const isOurs = Array.isArray(asked) && asked.includes(recorded.node.address)
    return isOurs ? (recorded.utxos[0]?.hex ?? []) : []
  }
}
