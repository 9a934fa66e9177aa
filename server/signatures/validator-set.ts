import { setTimeout as delay } from 'node:timers/promises'
import type { NodeClient } from '../node/client.ts'
import { NodeRefusal, NodeUnavailable, type NodeFailure } from '../node/failures.ts'
import { fromHex, TextFormError } from '../../protocol/ids/text.ts'
import type { CanonicalSet, Signer } from './round.ts'

/** A validator as the node lists it. */
type ListedValidator = {
  readonly nodeId: string
  /** 48 bytes; absent where the validator has none. */
  readonly publicKey?: Uint8Array
  readonly weight: bigint
}

/** Turns many compressed keys of 48 bytes into 96 bytes each. Rejects when one is not a point of the curve. */
type Uncompress = (keys: readonly Uint8Array[]) => Promise<readonly Uint8Array[]>

/** Milliseconds for which a set serves: of the proposed height, which moves, and of a fixed one. */
const keepProposed = 2_000
const keepFixed = 300_000
/**
 * Milliseconds that a caller waits for a new set of the proposed height while an older one is at hand, and how old
 * that one may be. The proposed height itself lags the tip by up to 30 seconds, so a slow node need not cost a round.
 */
const refreshTimeoutMs = 1_000
const oldestProposed = 60_000
/** Failures that say nothing of the validators: a set that was read before them still holds. */
const unanswered: ReadonlySet<NodeFailure> = new Set(['network', 'timeout', 'throttled', 'busy'])
const maxKept = 64
/** The most validators of one subnet that are read. */
const maxValidators = 100_000
const maxWeight = 2n ** 64n

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/**
 * The signers in canonical order (docs/signatures.md): equal keys merged, validators
 * without a key counted in the total only, sorted by the uncompressed key.
 */
async function canonicalOrder(
  validators: readonly ListedValidator[],
  uncompress: Uncompress,
): Promise<Pick<CanonicalSet, 'signers' | 'totalWeight' | 'keylessWeight'>> {
  const merged = new Map<string, { publicKey: Uint8Array; weight: bigint; nodeIds: string[] }>()
  let totalWeight = 0n
  let keylessWeight = 0n
  for (const { nodeId, publicKey, weight } of validators) {
    totalWeight += weight
    if (!publicKey) {
      keylessWeight += weight
      continue
    }
    const found = merged.get(hexOf(publicKey))
    if (found) {
      found.weight += weight
      found.nodeIds.push(nodeId)
    } else merged.set(hexOf(publicKey), { publicKey, weight, nodeIds: [nodeId] })
  }
  const keyed = [...merged.values()]
  const uncompressed = await uncompress(keyed.map(({ publicKey }) => publicKey))
  const signers = keyed
    .map((signer, at): Signer => ({
      index: 0,
      ...signer,
      uncompressed: uncompressed[at] ?? new Uint8Array(),
    }))
    .sort((a, b) => Buffer.compare(a.uncompressed, b.uncompressed))
    .map((signer, index): Signer => ({ ...signer, index, nodeIds: [...signer.nodeIds].sort() }))
  return { signers, totalWeight, keylessWeight }
}

type Known = { readonly set: CanonicalSet; readonly readAt: number }
/** The cache of one subnet at one height: the last set that was read, and the read in progress. */
type Kept = { known?: Known; reading?: Promise<CanonicalSet> }

/** The canonical sets of a network's subnets, read from its node. */
export class ValidatorSets {
  readonly #node: NodeClient
  readonly #uncompress: Uncompress
  readonly #now: () => number
  readonly #kept = new Map<string, Kept>()

  /** `node` is the node's P-Chain endpoint; `now` is a monotonic clock in milliseconds. */
  constructor(options: { node: NodeClient; uncompress: Uncompress; now: () => number }) {
    this.#node = options.node
    this.#uncompress = options.uncompress
    this.#now = options.now
  }

  /**
   * The set of a subnet (cb58) at a height. Height 0 is the proposed height: its set is up to two seconds old, or up
   * to a minute while the node is slow or silent. Concurrent callers share one read. Rejects with a NodeUnavailable,
   * which is a NodeRefusal when the node has no such height.
   */
  at(subnetId: string, height: number): Promise<CanonicalSet> {
    const key = `${subnetId} ${height}`
    const kept = this.#kept.get(key) ?? {}
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= maxKept) break
      this.#kept.delete(oldest)
    }
    const { known } = kept
    const age = known ? this.#now() - known.readAt : Number.POSITIVE_INFINITY
    if (known && age < (height === 0 ? keepProposed : keepFixed)) return Promise.resolve(known.set)
    kept.reading ??= this.#read(subnetId, height)
      .then((set) => {
        kept.known = { set, readAt: this.#now() }
        return set
      })
      .finally(() => {
        delete kept.reading
      })
    const canServe = height === 0 && known && age < oldestProposed && known.set.signers.length > 0
    return canServe ? this.#unlessSlow(kept.reading, known.set) : kept.reading
  }

  /** The set that is being read, or the cached one if the node is slow or does not answer. */
  async #unlessSlow(reading: Promise<CanonicalSet>, older: CanonicalSet): Promise<CanonicalSet> {
    const timeoutMs = new AbortController()
    const tooSlow = delay(refreshTimeoutMs, older, { signal: timeoutMs.signal, ref: false })
    tooSlow.catch(() => undefined)
    try {
      return await Promise.race([reading, tooSlow])
    } catch (error) {
      if (error instanceof NodeUnavailable && unanswered.has(error.kind)) return older
      throw error
    } finally {
      timeoutMs.abort()
    }
  }

  async #read(subnetId: string, height: number): Promise<CanonicalSet> {
    const [answer, resolved] = await Promise.all([
      this.#node.call('platform.getValidatorsAt', [
        { height: height === 0 ? 'proposed' : height, subnetID: subnetId },
      ]),
      height === 0 ? this.#proposedHeight() : BigInt(height),
    ])
    const validators = this.#readValidators(answer)
    try {
      return { subnetId, height: resolved, ...(await canonicalOrder(validators, this.#uncompress)) }
    } catch (error) {
      throw this.#malformed(`a BLS key cannot be used: ${error instanceof Error ? error.message : ''}`)
    }
  }

  async #proposedHeight(): Promise<bigint> {
    const ask = async (method: string): Promise<bigint> => {
      const answer = (await this.#node.call(method, [{}])) as { height?: unknown } | null
      return this.#readInteger(answer?.height, method)
    }
    try {
      return await ask('platform.getProposedHeight')
    } catch (error) {
      // Older nodes return only the accepted height, which is the closest alternative.
      if (error instanceof NodeRefusal) return ask('platform.getHeight')
      throw error
    }
  }

  #readValidators(answer: unknown): ListedValidator[] {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
      throw this.#malformed('the validators are not an object')
    }
    const entries = Object.entries(answer)
    if (entries.length > maxValidators) throw this.#malformed(`${entries.length} validators are told`)
    return entries.map(([nodeId, value]) => {
      const { publicKey, weight } = (value ?? {}) as { publicKey?: unknown; weight?: unknown }
      const listed = { nodeId, weight: this.#readInteger(weight, `the weight of ${nodeId.slice(0, 60)}`) }
      return publicKey === null || publicKey === undefined || publicKey === ''
        ? listed
        : { ...listed, publicKey: this.#readKey(publicKey) }
    })
  }

  #readKey(text: unknown): Uint8Array {
    try {
      const key = fromHex(String(text))
      if (key.length === 48) return key
    } catch (error) {
      if (!(error instanceof TextFormError)) throw error
    }
    throw this.#malformed('a BLS key is not 48 bytes in hex')
  }

  #readInteger(value: unknown, what: string): bigint {
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text !== 'string' || !/^\d{1,20}$/.test(text) || BigInt(text) >= maxWeight) {
      throw this.#malformed(`${what} is not an integer of 64 bits`)
    }
    return BigInt(text)
  }

  #malformed(detail: string): NodeUnavailable {
    return new NodeUnavailable(this.#node.chainName, 'malformed', detail)
  }
}
