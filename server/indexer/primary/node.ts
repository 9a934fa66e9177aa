import { cb58, fromCheckedHex, idOfText } from '../../../protocol/ids/text.ts'
import { TextFormError } from '../../../protocol/ids/text.ts'
import { RetryableError, RpcError } from '../../kernel/errors.ts'
import { list, object, refuse } from '../../kernel/json.ts'
import { RpcClient } from '../../node/rpc.ts'
import type { Pace } from '../../kernel/pause.ts'
import type { IndexerStats } from '../../kernel/indexer-stats.ts'
import { decodeUtxo, type Utxo } from '../../../protocol/primary/outputs.ts'
import { decodePTx } from '../../../protocol/primary/p-transactions.ts'
import type { PTx } from '../../../protocol/primary/p-transactions.ts'
import type { L1FeeRules } from '../../../protocol/primary/l1-fees.ts'
import type { Upgrades } from './p-state.ts'

/** The endpoints of a node, relative to its base URL. */
const paths = {
  P: '/ext/bc/P',
  X: '/ext/bc/X',
  info: '/ext/info',
  pBlocks: '/ext/index/P/block',
  xBlocks: '/ext/index/X/block',
  xVertices: '/ext/index/X/vtx',
  cBlocks: '/ext/index/C/block',
} as const
type Endpoint = keyof typeof paths
/** The names of a node's indexes. */
export type IndexName = 'pBlocks' | 'xBlocks' | 'xVertices' | 'cBlocks'

type PrimaryNodeOptions = {
  readonly url: string
  /** Timeout of one exchange in milliseconds, body included. */
  readonly timeout: number
  readonly concurrency: number
  readonly stats: IndexerStats
  readonly pace: Pace
  /** The largest answer in bytes; the default is the RPC client's. */
  readonly maxBytes?: number
}

/** A container of the index: a proposer's wrapper or a vertex, and the time when the node accepted it. */
export type Container = { readonly id: string; readonly bytes: Uint8Array; readonly ts: number }

/** A current validator of the node; `reward` is its potential reward in nAVAX. */
export type CurrentValidator = {
  readonly txId: Uint8Array
  readonly nodeId: string
  readonly uptime: number | undefined
  readonly connected: boolean
  readonly reward: bigint | undefined
}

/** A peer of the node, and the version that it says it runs. */
export type Peer = { readonly nodeId: string; readonly version: string }

/** The index returns at most this many containers at once. */
export const containersAtOnce = 1_024

/**
 * Client for the P-Chain, X-Chain, index and info endpoints of a node. It checks the form of answers; callers
 * check block contents against hashes. Throws RetryableError, FatalError and RpcError.
 */
export class PrimaryNode {
  readonly #options: PrimaryNodeOptions
  readonly #clients = new Map<Endpoint, RpcClient>()
  /** Number of containers of each index that fit into one answer. */
  readonly #atOnce = new Map<IndexName, number>()

  constructor(options: PrimaryNodeOptions) {
    this.#options = options
  }

  get host(): string {
    return new URL(this.#options.url).host
  }

  /** The retry delays. */
  get pace(): Pace {
    return this.#options.pace
  }

  /** The counters of its chain's indexer. */
  get stats(): IndexerStats {
    return this.#options.stats
  }

  close(): void {
    for (const client of this.#clients.values()) client.close()
  }

  async networkId(signal: AbortSignal): Promise<number> {
    const answer = await this.#ask('info', 'info.getNetworkID', {}, signal)
    return whole(answer['networkID'], 'the network id')
  }

  async version(signal: AbortSignal): Promise<string | undefined> {
    const version = (await this.#ask('info', 'info.getNodeVersion', {}, signal))['version']
    return typeof version === 'string' ? version.slice(0, 200).replaceAll('\0', '') : undefined
  }

  async blockchainId(alias: 'X' | 'C', signal: AbortSignal): Promise<Uint8Array> {
    return readId((await this.#ask('info', 'info.getBlockchainID', { alias }, signal))['blockchainID'])
  }

  /** The activation times of upgrades; undefined if the node does not report them. */
  async upgrades(signal: AbortSignal): Promise<Upgrades | undefined> {
    try {
      const answer = await this.#ask('info', 'info.upgrades', {}, signal)
      return {
        cortina: time(answer['cortinaTime']),
        durango: time(answer['durangoTime']),
        etna: time(answer['etnaTime']),
        // Nodes before 1.15 do not report it.
        helicon: answer['heliconTime'] === undefined ? Infinity : time(answer['heliconTime']),
      }
    } catch (error) {
      if (isMissingMethod(error)) return undefined
      throw error
    }
  }

  /** The fee rules of L1 validators; undefined if the node does not report them. */
  async l1FeeRules(signal: AbortSignal): Promise<L1FeeRules | undefined> {
    try {
      const answer = await this.#ask('P', 'platform.getValidatorFeeConfig', {}, signal)
      return {
        target: big(answer['target'], 'the target'),
        minPrice: big(answer['minPrice'], 'the lowest price'),
        conversion: big(answer['excessConversionConstant'], 'the conversion constant'),
      }
    } catch (error) {
      if (isMissingMethod(error)) return undefined
      throw error
    }
  }

  async stakingAsset(signal: AbortSignal): Promise<Uint8Array> {
    return readId((await this.#ask('P', 'platform.getStakingAssetID', {}, signal))['assetID'])
  }

  async height(chain: 'P' | 'X', signal: AbortSignal): Promise<number> {
    const method = chain === 'P' ? 'platform.getHeight' : 'avm.getHeight'
    return whole((await this.#ask(chain, method, {}, signal))['height'], 'the height')
  }

  /** The bytes of the block at a height. */
  async block(chain: 'P' | 'X', height: number, signal: AbortSignal): Promise<Uint8Array> {
    const method = chain === 'P' ? 'platform.getBlockByHeight' : 'avm.getBlockByHeight'
    const params = { height: String(height), encoding: 'hex' }
    return bytes((await this.#ask(chain, method, params, signal))['block'])
  }

  /** The UTXOs paid when a staker's period ended; empty after an abort without payment. */
  async rewardUtxos(stakingTxId: Uint8Array, signal: AbortSignal): Promise<Utxo[]> {
    const params = { txID: cb58(stakingTxId), encoding: 'hex' }
    const paid = utxos((await this.#ask('P', 'platform.getRewardUTXOs', params, signal))['utxos'])
    if (paid.some(({ txId }) => cb58(txId) !== params.txID))
      throw refuse(`the node gave rewards of another transaction than ${params.txID}`)
    return paid
  }

  /** A P-Chain transaction by its id. */
  async pTx(id: Uint8Array, signal: AbortSignal): Promise<PTx> {
    const answer = await this.#ask('P', 'platform.getTx', { txID: cb58(id), encoding: 'hex' }, signal)
    return decodePTx(bytes(answer['tx']).subarray(2))
  }

  /** The UTXOs of the P-Chain that addresses (`P-…`) own now, from all pages. */
  async pUtxos(addresses: readonly string[], signal: AbortSignal): Promise<Utxo[]> {
    const found: Utxo[] = []
    let startIndex: unknown
    for (;;) {
      const params = {
        addresses,
        limit: containersAtOnce,
        encoding: 'hex',
        ...(startIndex !== undefined && { startIndex }),
      }
      const answer = await this.#ask('P', 'platform.getUTXOs', params, signal)
      const page = utxos(answer['utxos'])
      found.push(...page)
      if (page.length < containersAtOnce) return found
      startIndex = answer['endIndex']
    }
  }

  /** The current validators of the primary network. */
  async currentValidators(signal: AbortSignal): Promise<CurrentValidator[]> {
    const answer = await this.#ask('P', 'platform.getCurrentValidators', {}, signal)
    return list(answer['validators'], 'the validators').map((each) => {
      const validator = object(each, 'a validator')
      const uptime = Number(validator['uptime'])
      return {
        txId: readId(validator['txID']),
        nodeId: String(validator['nodeID']),
        uptime: validator['uptime'] === undefined || Number.isNaN(uptime) ? undefined : uptime,
        connected: validator['connected'] === true,
        reward:
          validator['potentialReward'] === undefined
            ? undefined
            : big(validator['potentialReward'], 'a potential reward'),
      }
    })
  }

  /** What the node's peers say they run; undefined if the node does not report its peers. */
  async peers(signal: AbortSignal): Promise<Peer[] | undefined> {
    try {
      const answer = await this.#ask('info', 'info.peers', {}, signal)
      return list(answer['peers'], 'the peers').map((each) => {
        const peer = object(each, 'a peer')
        return { nodeId: String(peer['nodeID']), version: String(peer['version']) }
      })
    } catch (error) {
      if (isMissingMethod(error)) return undefined
      throw error
    }
  }

  /** The ids of all blockchains of the network. */
  async blockchains(signal: AbortSignal): Promise<Uint8Array[]> {
    const answer = await this.#ask('P', 'platform.getBlockchains', {}, signal)
    return list(answer['blockchains'], 'the blockchains').map((each) => readId(object(each, 'a chain')['id']))
  }

  /** The number of containers of an index; undefined if the node has no such index. */
  async containerCount(index: IndexName, signal: AbortSignal): Promise<number | undefined> {
    try {
      const answer = await this.#ask(index, 'index.getLastAccepted', { encoding: 'hex' }, signal)
      return whole(answer['index'], 'an index') + 1
    } catch (error) {
      if (error instanceof RpcError && /no containers/i.test(error.message)) return 0
      if (isAbsent(error) || isMissingMethod(error)) return undefined
      throw error
    }
  }

  /**
   * Containers from `start` on: at most 1,024, and fewer if they do not fit into one answer. Callers must
   * check the bytes against the ids.
   */
  async containers(
    index: IndexName,
    start: number,
    count: number,
    signal: AbortSignal,
  ): Promise<Container[]> {
    for (;;) {
      const some = Math.min(count, this.#atOnce.get(index) ?? containersAtOnce)
      try {
        return await this.#containerRange(index, start, some, signal)
      } catch (error) {
        const isTooMuch = error instanceof RetryableError && error.kind === 'tooLarge' && some > 1
        if (!isTooMuch) throw error
        this.#atOnce.set(index, Math.ceil(some / 2))
      }
    }
  }

  async #containerRange(
    index: IndexName,
    start: number,
    count: number,
    signal: AbortSignal,
  ): Promise<Container[]> {
    const params = { startIndex: start, numToFetch: count, encoding: 'hex' }
    const answer = await this.#ask(index, 'index.getContainerRange', params, signal)
    return list(answer['containers'], 'the containers').map((each, offset) => {
      const container = object(each, 'a container')
      if (whole(container['index'], 'an index') !== start + offset)
        throw refuse('a container has another index')
      return {
        id: String(container['id']),
        bytes: uncheckedBytes(container['bytes']),
        ts: time(container['timestamp']),
      }
    })
  }

  async #ask(
    endpoint: Endpoint,
    method: string,
    params: object,
    signal: AbortSignal,
  ): Promise<{ readonly [key: string]: unknown }> {
    return object(await this.#client(endpoint).call(method, [params], signal), `the answer to ${method}`)
  }

  #client(endpoint: Endpoint): RpcClient {
    const found = this.#clients.get(endpoint)
    if (found) return found
    const { url, ...options } = this.#options
    const client = new RpcClient({ ...options, url: url.replace(/\/$/, '') + paths[endpoint] })
    this.#clients.set(endpoint, client)
    return client
  }
}

function isMissingMethod(error: unknown): boolean {
  return error instanceof RpcError && (error.unsupported || /can't find (method|service)/.test(error.message))
}

/** A node without the index API answers 404 on its path. */
function isAbsent(error: unknown): boolean {
  return error instanceof RetryableError && error.status === 404
}

function bytes(value: unknown): Uint8Array {
  if (typeof value !== 'string') throw refuse('bytes are not text')
  try {
    return fromCheckedHex(value)
  } catch (error) {
    if (error instanceof TextFormError) throw refuse(`bytes cannot be read: ${error.message}`)
    throw error
  }
}

/**
 * Decodes hex bytes without verifying the checksum. Container ids protect the bytes as well, and an
 * additional hash for each is expensive.
 */
function uncheckedBytes(value: unknown): Uint8Array {
  const text = typeof value === 'string' ? value : ''
  const size = (text.length - 2) / 2 - checksumSize
  const read = Buffer.from(text.startsWith('0x') ? text.slice(2) : '', 'hex')
  if (read.length !== size + checksumSize || size < 0) throw refuse('bytes cannot be read: no hex text')
  return read.subarray(0, size)
}

const checksumSize = 4

function readId(value: unknown): Uint8Array {
  if (typeof value !== 'string') throw refuse('an id is not text')
  try {
    return idOfText(value)
  } catch (error) {
    if (error instanceof TextFormError) throw refuse(`the id ${value.slice(0, 60)} cannot be read`)
    throw error
  }
}

function utxos(value: unknown): Utxo[] {
  return list(value ?? [], 'the UTXOs').map((each) => decodeUtxo(bytes(each), 'P'))
}

/** A height or a number, which nodes send as a string of digits or as a number. */
function whole(value: unknown, what: string): number {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0)
    throw refuse(`${what} is not a number`)
  return number
}

function big(value: unknown, what: string): bigint {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value)
  return BigInt(whole(value, what))
}

/** Converts an ISO 8601 time to Unix seconds. */
function time(value: unknown): number {
  const milliseconds = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(milliseconds)) throw refuse('a time cannot be read')
  return Math.floor(milliseconds / 1000)
}
