import type { FastifyBaseLogger } from 'fastify'
import type { NodeClient } from '../../node/client.ts'
import { NodeUnavailable } from '../../node/failures.ts'
import {
  addressOfText,
  checkClaim,
  isOnInternet,
  nodeIdOfCertificate,
  type PeerAddress,
  type ProvenAddress,
} from './address.ts'
import type { ClaimedAddress } from '../../../protocol/peer/messages.ts'

export type AddressBookOptions = {
  /** Asked at the node's `info` endpoint. */
  readonly node: NodeClient
  /** Addresses that the operator vouches for. */
  readonly configured: readonly { readonly nodeId: string; readonly address: string }[]
  readonly logger: Pick<FastifyBaseLogger, 'warn'>
  /** Unix seconds. */
  readonly clock: () => number
  /** Milliseconds, from any origin that does not jump. */
  readonly now: () => number
}

/** Milliseconds between two questions to the node for its peers. */
const restBetween = 500
/** Validators whose addresses are kept. */
const mostKept = 20_000

/**
 * Where validators are: as the operator says, as the node tells of its peers and of itself, and as the
 * validators themselves claim in signed words that peers hand on.
 */
export class AddressBook {
  readonly #options: AddressBookOptions
  readonly #configured: ReadonlyMap<string, PeerAddress>
  #told: ReadonlyMap<string, PeerAddress> = new Map()
  readonly #claimed = new Map<string, ProvenAddress>()
  readonly #wanted = new Set<string>()
  #refreshedAt = Number.NEGATIVE_INFINITY
  #refreshing: Promise<void> | undefined

  constructor(options: AddressBookOptions) {
    this.#options = options
    this.#configured = new Map(
      options.configured.flatMap(({ nodeId, address }) => {
        const read = addressOfText(address)
        return read ? [[nodeId, read]] : []
      }),
    )
  }

  /** Names a validator whose address may be needed: claims of others are not kept. */
  want(nodeId: string): void {
    if (this.#wanted.has(nodeId)) return
    this.#wanted.add(nodeId)
    for (const oldest of this.#wanted) {
      if (this.#wanted.size <= mostKept) return
      this.#wanted.delete(oldest)
      this.#claimed.delete(oldest)
    }
  }

  /** Where a validator may be, the most trusted source first. */
  of(nodeId: string): readonly PeerAddress[] {
    const found = new Map<string, PeerAddress>()
    for (const source of [this.#configured, this.#told, this.#claimed]) {
      const address = source.get(nodeId)
      if (address) found.set(`${address.host} ${address.port}`, { host: address.host, port: address.port })
    }
    return [...found.values()]
  }

  /** Asks the node for its peers, unless it was asked a moment ago. What goes wrong is logged. */
  refresh(): Promise<void> {
    const { now } = this.#options
    if (this.#refreshing) return this.#refreshing
    if (now() - this.#refreshedAt < restBetween) return Promise.resolve()
    this.#refreshing = this.#readTold().finally(() => {
      this.#refreshedAt = now()
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /**
   * Keeps the newer ones of what a peer at `from` was told by validators, once their signatures hold. A peer
   * on the internet can't name an address of our own network.
   */
  learn(claims: readonly ClaimedAddress[], from: PeerAddress): void {
    for (const claim of claims) {
      const nodeId = nodeIdOfCertificate(claim.certificate)
      const known = this.#claimed.get(nodeId)
      if (!this.#wanted.has(nodeId) || (known && known.timestamp >= claim.timestamp)) continue
      const proven = checkClaim(claim, this.#options.clock())
      if (!proven || (isOnInternet(from) && !isOnInternet(proven))) continue
      this.#claimed.set(nodeId, proven)
    }
  }

  async #readTold(): Promise<void> {
    const { node, logger } = this.#options
    const [peers, id, ip] = await Promise.allSettled([
      node.call('info.peers', [{}]),
      node.call('info.getNodeID', [{}]),
      node.call('info.getNodeIP', [{}]),
    ])
    const told = new Map<string, PeerAddress>()
    const add = (nodeId: unknown, text: unknown): void => {
      const address = addressOfText(String(text))
      if (typeof nodeId === 'string' && address && told.size < mostKept) told.set(nodeId, address)
    }
    // The node is no peer of itself.
    if (id.status === 'fulfilled' && ip.status === 'fulfilled') {
      add(fieldOf(id.value, 'nodeID'), fieldOf(ip.value, 'ip'))
    }
    if (peers.status === 'fulfilled') {
      const list = fieldOf(peers.value, 'peers')
      for (const peer of Array.isArray(list) ? list : []) add(fieldOf(peer, 'nodeID'), publicAddressOf(peer))
      this.#told = told
      return
    }
    if (!(peers.reason instanceof NodeUnavailable)) throw peers.reason
    logger.warn({ err: peers.reason }, 'the node does not tell of its peers')
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** Where a peer listens; the address it connected from serves where it did not say. */
function publicAddressOf(peer: unknown): unknown {
  const told = fieldOf(peer, 'publicIP')
  return typeof told === 'string' && told !== '' ? told : fieldOf(peer, 'ip')
}
