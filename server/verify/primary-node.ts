import { createHash } from 'node:crypto'
import { addressText, cb58, fromCheckedHex, fromHex, idOfText } from '../../protocol/ids/text.ts'
import type { L1FeeRules } from '../../protocol/primary/l1-fees.ts'
import { decodeUtxo, type Utxo } from '../../protocol/primary/outputs.ts'
import { within } from '../kernel/within.ts'

/** The checker's node client for the primary network. It shares no code with the indexer. */
type Json = { readonly [key: string]: unknown }

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** A block from the node: its bytes, and the id that is their hash. */
type NodeBlock = { readonly bytes: Buffer; readonly id: Buffer }

/** A current validator according to the node. */
type NodeStaker = {
  readonly txId: Buffer
  readonly weight: bigint
  readonly start: number
  readonly end: number
  readonly reward: bigint
}

/** Reads the P- and X-Chain over plain JSON-RPC. Throws if the node cannot be read. */
export class PrimaryNodeReader {
  readonly #url: string
  readonly #prefix: string

  constructor(url: string, prefix: string) {
    this.#url = url.replace(/\/$/, '')
    this.#prefix = prefix
  }

  /** The heights of the three chains. */
  async heights(): Promise<{ readonly P: number; readonly X: number; readonly C: number }> {
    const [p, x, c] = await Promise.all([
      this.#ask('P', 'platform.getHeight', {}),
      this.#ask('X', 'avm.getHeight', {}),
      this.#post('C/rpc', 'eth_blockNumber', []),
    ])
    return { P: Number(p['height']), X: Number(x['height']), C: Number(c) }
  }

  async block(chain: 'P' | 'X', height: number): Promise<NodeBlock> {
    const method = chain === 'P' ? 'platform.getBlockByHeight' : 'avm.getBlockByHeight'
    const answer = await this.#ask(chain, method, { height: String(height), encoding: 'hex' })
    const bytes = Buffer.from(fromCheckedHex(String(answer['block'])))
    return { bytes, id: sha256(bytes) }
  }

  /** A C-Chain block's time and its atomic transactions. */
  async cBlock(height: number): Promise<{ readonly ts: number; readonly extraData: Uint8Array }> {
    const answer = (await this.#post('C/rpc', 'eth_getBlockByNumber', [
      `0x${height.toString(16)}`,
      false,
    ])) as Json
    return { ts: Number(answer['timestamp']), extraData: fromHex(String(answer['blockExtraData'] ?? '0x')) }
  }

  /** What the X-Chain accepted before it had blocks, in order, from the node's index. */
  async vertices(): Promise<{ readonly bytes: Uint8Array; readonly ts: number }[]> {
    const found: { bytes: Uint8Array; ts: number }[] = []
    for (;;) {
      const params = { startIndex: String(found.length), numToFetch: String(pageSize), encoding: 'hex' }
      const answer = (await this.#call('/ext/index/X/vtx', 'index.getContainerRange', params)) as Json
      const page = (answer['containers'] ?? []) as readonly Json[]
      for (const each of page)
        found.push({
          bytes: fromCheckedHex(String(each['bytes'])),
          ts: Math.floor(Date.parse(String(each['timestamp'])) / 1000),
        })
      if (page.length < pageSize) return found
    }
  }

  /** The UTXOs that were paid at the end of a staking period. */
  async rewardUtxos(txId: Uint8Array): Promise<Utxo[]> {
    const answer = await this.#ask('P', 'platform.getRewardUTXOs', { txID: cb58(txId), encoding: 'hex' })
    return ((answer['utxos'] ?? []) as readonly string[]).map((each) => decodeUtxo(fromCheckedHex(each), 'P'))
  }

  async stakingAsset(): Promise<Uint8Array> {
    return idOfText(String((await this.#ask('P', 'platform.getStakingAssetID', {}))['assetID']))
  }

  /** When upgrades became active, in Unix seconds, and the fee rules of L1 validators. */
  async terms(): Promise<{ durango: number; etna: number; helicon: number; l1Fees: L1FeeRules }> {
    const upgrades = (await this.#call('/ext/info', 'info.upgrades', {})) as Json
    const time = (name: string): number =>
      upgrades[name] === undefined ? Infinity : Math.floor(Date.parse(String(upgrades[name])) / 1000)
    const fees = await this.#ask('P', 'platform.getValidatorFeeConfig', {})
    return {
      durango: time('durangoTime'),
      etna: time('etnaTime'),
      helicon: time('heliconTime'),
      l1Fees: {
        target: BigInt(String(fees['target'])),
        minPrice: BigInt(String(fees['minPrice'])),
        conversion: BigInt(String(fees['excessConversionConstant'])),
      },
    }
  }

  /** The ids of all UTXOs of some addresses on a chain, or of those that another chain has exported to it. */
  async utxoIds(chain: 'P' | 'X', addresses: readonly Buffer[], source?: string): Promise<Set<string>> {
    const ids = new Set<string>()
    const method = chain === 'P' ? 'platform.getUTXOs' : 'avm.getUTXOs'
    const names = addresses.map((each) => `${chain}-${addressText(each, this.#prefix)}`)
    let startIndex: unknown
    for (;;) {
      const answer = await this.#ask(chain, method, {
        addresses: names,
        limit: pageSize,
        encoding: 'hex',
        ...(source !== undefined && { sourceChain: source }),
        ...(startIndex !== undefined && { startIndex }),
      })
      const page = answer['utxos'] as readonly string[]
      for (const each of page) ids.add(idOfUtxo(Buffer.from(fromCheckedHex(each))))
      if (page.length < pageSize) return ids
      startIndex = answer['endIndex']
    }
  }

  async supply(subnet: Buffer): Promise<bigint> {
    const answer = await this.#ask('P', 'platform.getCurrentSupply', { subnetID: cb58(subnet) })
    return BigInt(String(answer['supply']))
  }

  /** The validators of the primary network, without their delegators. */
  async validators(): Promise<NodeStaker[]> {
    const answer = await this.#ask('P', 'platform.getCurrentValidators', {})
    return (answer['validators'] as readonly Json[]).map((each) => ({
      txId: Buffer.from(idOfText(String(each['txID']))),
      weight: BigInt(String(each['weight'])),
      start: Number(each['startTime']),
      end: Number(each['endTime']),
      reward: BigInt(String(each['potentialReward'] ?? 0)),
    }))
  }

  /** The validator set of a subnet after a block of the P-Chain: weights by node id, both as text. */
  async validatorWeights(height: number, subnet: string): Promise<Map<string, string>> {
    const answer = await this.#ask('P', 'platform.getValidatorsAt', { height, subnetID: subnet })
    return new Map(Object.entries(answer).map(([id, member]) => [id, String((member as Json)['weight'])]))
  }

  /** Weight and balance of an L1 validator; undefined if it was removed. */
  async l1Validator(validationId: Buffer): Promise<{ weight: bigint; balance: bigint } | undefined> {
    try {
      const answer = await this.#ask('P', 'platform.getL1Validator', { validationID: cb58(validationId) })
      return { weight: BigInt(String(answer['weight'])), balance: BigInt(String(answer['balance'] ?? 0)) }
    } catch (error) {
      if (error instanceof Error && /not found/.test(error.message)) return undefined
      throw error
    }
  }

  async #ask(chain: 'P' | 'X', method: string, params: Json): Promise<Json> {
    return (await this.#post(chain, method, params)) as Json
  }

  #post(path: string, method: string, params: Json | readonly unknown[]): Promise<unknown> {
    return this.#call(`/ext/bc/${path}`, method, params)
  }

  async #call(path: string, method: string, params: Json | readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await within(30_000, async (signal) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${this.#url}${path}`, { method: 'POST', headers, body, signal })
      return (await response.json()) as { result?: unknown; error?: { message?: string } }
    })
    if (answer.result == null) throw new Error(`${method}: ${answer.error?.message ?? 'no result'}`)
    return answer.result
  }
}

const pageSize = 1_024

/**
 * The id of a UTXO from its bytes (version, transaction, index); in the hashed data, the index comes first.
 */
function idOfUtxo(bytes: Buffer): string {
  const index = Buffer.alloc(8)
  bytes.copy(index, 4, 34, 38)
  return sha256(Buffer.concat([index, bytes.subarray(2, 34)])).toString('hex')
}
