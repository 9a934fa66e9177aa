import { signatureRequest } from '../../contract/signatures/signatures.ts'
import type { Config, NetworkConfig } from '../kernel/settings/config.ts'
import { badRequest, notFound, unavailable } from '../kernel/http-errors.ts'
import type { NodeClient } from '../node/client.ts'
import { NodeRefusal } from '../node/failures.ts'
import { cb58, hexText, idOfText } from '../../protocol/ids/text.ts'
import { idOf } from '../primary/request-values.ts'
import type { ServedNetwork } from '../primary/served-network.ts'
import type { StoreGate } from '../store/store-gate.ts'
import type { Database } from '../store/database.ts'
import { readConversions, readStoredTransactions } from '../store/signatures/read-warp.ts'
import { txTypeName } from '../primary/transaction-types.ts'
import { readTransactionMessages, type TransactionMessage } from './emitted.ts'
import { networkNode } from '../node/network-node.ts'
import { readSubject, subnetIdOf, type RequestBody } from './request.ts'
import type { CanonicalSet, RoundOutcome, SignatureNetwork } from './round.ts'
import { Rounds, type Plan, type RoundCounters, type Share } from './rounds.ts'
import { encodeSigned } from '../../protocol/warp/signed-message.ts'
import { primarySubnetId, readSources } from './sources.ts'
import { QuorumUnreached } from './unreached.ts'

type AggregatorOptions = {
  readonly config: Config
  readonly store: StoreGate
  /** Unix seconds. */
  readonly clock: () => number
  /** Creates the signers of a network; called once per network, at the first request. */
  readonly connect: (network: NetworkConfig) => SignatureNetwork
}

/** The connections that a network's requests need besides the store. */
type Link = { readonly signatures: SignatureNetwork; readonly node: NodeClient }

/** The most answers of nodes in the cache; the oldest is evicted first. */
const maxFacts = 4_096

/**
 * Collects signatures of messages (docs/signatures.md): derives the plan of a request, and shares one round among equal
 * plans. Connections to validators are opened when they are first needed.
 */
export class Aggregator {
  readonly #options: AggregatorOptions
  readonly #rounds: Rounds
  readonly #links = new Map<string, Link>()
  /** Immutable answers of nodes about existing blockchains and subnets, each requested once. */
  readonly #facts = new Map<string, unknown>()
  #isClosed = false

  constructor(options: AggregatorOptions) {
    this.#options = options
    this.#rounds = new Rounds(options.config.signatures, options.clock)
  }

  get counters(): Readonly<RoundCounters> {
    return this.#rounds.counters
  }

  /** The plan of a request, fully validated. Throws a 400 that names the field. */
  async plan(network: ServedNetwork, body: RequestBody): Promise<Plan> {
    const { database } = this.#options.store.get()
    const { message, justification, unsigned } = await readSubject(database, network, body)
    const own = await this.#sourceSubnet(database, network, unsigned.sourceChainId)
    const subnetId =
      body.signingSubnetId === undefined ? own : subnetIdOf('signingSubnetId', body.signingSubnetId)
    if (subnetId !== own && !(await this.#isSubnet(database, network, subnetId))) {
      throw badRequest([`signingSubnetId: subnet ${subnetId} does not exist on ${network.id}`])
    }
    return {
      networkId: network.id,
      message,
      justification,
      sourceChainId: unsigned.sourceChainId,
      set: await this.#signingSet(network, subnetId, body.pChainHeight),
      quorumPercentage: body.quorumPercentage,
      quorumPercentageBuffer: body.quorumPercentageBuffer,
    }
  }

  /**
   * What the GET of a transaction asks for: its message, by the default quorum, of the validators of the chain
   * that the L1's manager is on, because that chain checks it against them. Throws a 404 for a transaction that is
   * not indexed, a 400 for one that lets nobody sign anything.
   */
  async planOfTransaction(network: ServedNetwork, txHash: string): Promise<Plan> {
    const { message, justification, signingSubnetId, refusal } = await this.messageOf(network, txHash)
    if (refusal !== undefined) throw badRequest([`txHash: ${refusal}`])
    return {
      networkId: network.id,
      message,
      justification,
      sourceChainId: idOfText(primarySubnetId),
      set: await this.#signingSet(network, signingSubnetId, defaults.pChainHeight),
      quorumPercentage: defaults.quorumPercentage,
      quorumPercentageBuffer: defaults.quorumPercentageBuffer,
    }
  }

  /** The message of a P-Chain transaction. Throws as `planOfTransaction`. */
  async messageOf(network: ServedNetwork, txHash: string): Promise<StoredMessage> {
    const { database } = this.#options.store.get()
    const id = idOf('txHash', txHash)
    const rows = await readStoredTransactions(database, [network.p, network.x], [id])
    const row = rows.find((each) => each.chain === network.p)
    if (!row) {
      throw notFound(
        rows.length > 0
          ? `transaction ${txHash} is of the X-Chain, which has no cross-chain messages`
          : `transaction ${txHash} is not indexed on ${network.id}`,
      )
    }
    const [message] = await readTransactionMessages(database, network, [row])
    if (!message) {
      throw badRequest([
        `txHash: ${txHash} is a ${txTypeName('p-chain', row.type)}: only ConvertSubnetToL1Tx, RegisterL1ValidatorTx and SetL1ValidatorWeightTx have a message`,
      ])
    }
    return { ...message, height: row.height, ts: row.ts }
  }

  /** Joins the round of a plan, or starts it. Throws a 503 if too many rounds are in progress. */
  join(network: ServedNetwork, plan: Plan): Share {
    return this.#rounds.join(this.#link(network).signatures, plan)
  }

  /** The signers of a subnet (cb58). Throws a 404 if it does not exist, a 400 for a height past the tip. */
  async signers(network: ServedNetwork, subnetId: string, height: number): Promise<CanonicalSet> {
    const { database } = this.#options.store.get()
    if (!(await this.#isSubnet(database, network, subnetId))) {
      throw notFound(`subnet ${subnetId} does not exist on ${network.id}`)
    }
    return this.#setAt(network, subnetId, height)
  }

  /** Whether a validator is connected; undefined if no connection has been needed yet. */
  isConnected(network: ServedNetwork, nodeId: string): boolean | undefined {
    return this.#link(network).signatures.isConnected(nodeId)
  }

  /** Ends every round and closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#rounds.close()
    const links = [...this.#links.values()]
    this.#links.clear()
    for (const { node } of links) node.close()
    await Promise.all(links.map(({ signatures }) => signatures.close()))
  }

  #link(network: ServedNetwork): Link {
    if (this.#isClosed) throw unavailable('the service is stopping')
    let link = this.#links.get(network.id)
    if (!link) {
      link = {
        signatures: this.#options.connect(network.config),
        node: networkNode(network.config, '/ext/bc/P'),
      }
      this.#links.set(network.id, link)
    }
    return link
  }

  /** The subnet that validates a blockchain: from the index, or from the node. */
  async #sourceSubnet(database: Database, network: ServedNetwork, chainId: Uint8Array): Promise<string> {
    const sources = await readSources(database, network, this.#options.config.chains, [chainId])
    const known = sources.get(hexText(chainId))?.subnetId
    if (known !== undefined) return known
    const blockchainID = cb58(chainId)
    const answer = await this.#factOf(network, 'platform.validatedBy', { blockchainID })
    const subnetID = fieldOf(answer, 'subnetID')
    if (typeof subnetID === 'string') return subnetIdOf('message', subnetID)
    throw badRequest([`message: its source blockchain ${blockchainID} does not exist on ${network.id}`])
  }

  async #isSubnet(database: Database, network: ServedNetwork, subnetId: string): Promise<boolean> {
    if (subnetId === primarySubnetId) return true
    if ((await readConversions(database, network.p, [idOfText(subnetId)])).length > 0) return true
    // The node may be ahead of the index.
    return (await this.#factOf(network, 'platform.getSubnet', { subnetID: subnetId })) !== undefined
  }

  /** The node's answer about a blockchain or a subnet; undefined if the node refuses, as it does for unknown ids. */
  async #factOf(network: ServedNetwork, method: string, params: object): Promise<unknown> {
    const key = `${network.id} ${method} ${JSON.stringify(params)}`
    if (this.#facts.has(key)) return this.#facts.get(key)
    try {
      const fact = await this.#link(network).node.call(method, [params])
      this.#facts.set(key, fact)
      for (const [oldest] of this.#facts) {
        if (this.#facts.size <= maxFacts) break
        this.#facts.delete(oldest)
      }
      return fact
    } catch (error) {
      if (error instanceof NodeRefusal) return undefined
      throw error
    }
  }

  async #signingSet(network: ServedNetwork, subnetId: string, height: number): Promise<CanonicalSet> {
    const set = await this.#setAt(network, subnetId, height)
    if (set.signers.length > 0) return set
    const at = height === 0 ? 'the proposed height, which lags the tip' : `height ${height}`
    throw unavailable(`no validator signs for subnet ${subnetId} at ${at}`)
  }

  async #setAt(network: ServedNetwork, subnetId: string, height: number): Promise<CanonicalSet> {
    try {
      return await this.#link(network).signatures.canonicalSet(subnetId, height)
    } catch (error) {
      if (error instanceof NodeRefusal && height > 0) {
        throw badRequest([`pChainHeight: the node has no validators at ${height}: ${error.reason}`])
      }
      throw error
    }
  }
}

/** A transaction's message, and the transaction's position. */
type StoredMessage = TransactionMessage & { readonly height: bigint; readonly ts: bigint }

const defaults = signatureRequest.parse({ justification: '00' })

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** The signed message of a round. Throws QuorumUnreached if the round did not reach its quorum. */
export function signedMessageOf(outcome: RoundOutcome, plan: Plan): Uint8Array {
  const { aggregate, signers, isReached } = outcome
  if (!isReached || !aggregate) throw new QuorumUnreached(outcome, plan.set, plan.quorumPercentage)
  return encodeSigned({ message: plan.message, signers, aggregate })
}
