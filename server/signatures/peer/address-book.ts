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

type AddressBookOptions = {
  /** The node's `info` endpoint. */
  readonly node: NodeClient
  /** Addresses configured by the operator. */
  readonly configured: readonly { readonly nodeId: string; readonly address: string }[]
  readonly logger: Pick<FastifyBaseLogger, 'warn'>
  /** Unix seconds. */
  readonly clock: () => number
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
}

/** Milliseconds between two requests to the node for its peers. */
const restBetween = 500
/** The most validators whose addresses are kept. */
const maxKept = 20_000

/**
 * Addresses of validators from three sources: the operator's settings, the node's own address and peers, and the signed
 * claims of validators that peers gossip.
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

  /** Registers a validator whose address may be needed: claims of others are not kept. */
  want(nodeId: string): void {
    if (this.#wanted.has(nodeId)) return
    this.#wanted.add(nodeId)
    for (const oldest of this.#wanted) {
      if (this.#wanted.size <= maxKept) return
      this.#wanted.delete(oldest)
      this.#claimed.delete(oldest)
    }
  }

  /** The known addresses of a validator, the most trusted source first. */
  of(nodeId: string): readonly PeerAddress[] {
    const found = new Map<string, PeerAddress>()
    for (const source of [this.#configured, this.#told, this.#claimed]) {
      const address = source.get(nodeId)
      if (address) found.set(`${address.host} ${address.port}`, { host: address.host, port: address.port })
    }
    return [...found.values()]
  }

  /** Refreshes the node's peers, unless this happened recently. Failures are logged. */
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
   * Keeps the newer claims that a peer at `from` passes on, if their signatures are valid. A peer on the internet may not
   * name an address of a private network.
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
      if (typeof nodeId === 'string' && address && told.size < maxKept) told.set(nodeId, address)
    }
    // The node does not list itself as a peer.
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

/** The address that a peer listens on, or the one that it connected from if it announced none. */
function publicAddressOf(peer: unknown): unknown {
  const told = fieldOf(peer, 'publicIP')
  return typeof told === 'string' && told !== '' ? told : fieldOf(peer, 'ip')
}
