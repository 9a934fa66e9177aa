import { createSecureContext, type SecureContext } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import type { AddressBook } from './address-book.ts'
import { isLoopback, type PeerAddress } from './address.ts'
import { PeerConnection } from './connection.ts'
import { PeerFailure } from './failures.ts'
import type { Introduction } from './handshake.ts'
import type { Identity } from './identity.ts'

/** Our identity for all peers. */
export type Self = { readonly identity: Identity; readonly introduction: Introduction }

type PeersOptions = {
  readonly addresses: AddressBook
  /** Created with the first connection, and again after a failure. */
  readonly self: () => Promise<Self>
  readonly maxPeers: number
  readonly logger: Pick<FastifyBaseLogger, 'debug'>
  /** Unix seconds. */
  readonly clock: () => number
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
}

type Peer = {
  connection?: PeerConnection
  opening?: Promise<PeerConnection>
  /** Whether the connection is still queued for opening. */
  isQueued?: boolean
  /** The end of the backoff, by `now`. */
  restUntil: number
  failures: number
  /** Whether an attempt to connect has finished. */
  wasTried?: boolean
  failure?: PeerFailure
}

/** Milliseconds until a connection must be ready. */
const openTimeout = 5_000
/** The most connections that are opened concurrently: each takes a millisecond of this thread. */
const maxOpening = 48
/** Milliseconds after which an idle connection is closed. */
const idleTimeout = 600_000
const sweepEvery = 60_000
/** The most peers that are asked for addresses concurrently. */
const maxAsked = 3

/**
 * The backoff after a peer's failure in milliseconds: first and longest. A peer on another machine accepts one connection
 * every ten seconds from one address.
 */
const rest = { near: { first: 200, longest: 1_000 }, far: { first: 10_000, longest: 60_000 } } as const

/** The connections to a network's validators: opened when needed, shared, and kept for ten minutes. */
export class Peers {
  readonly #options: PeersOptions
  readonly #peers = new Map<string, Peer>()
  readonly #ready = new Set<PeerConnection>()
  readonly #waiting: (() => void)[] = []
  readonly #timer: NodeJS.Timeout
  #secure: { readonly self: Self; readonly context: SecureContext } | undefined
  #opening = 0
  #isClosed = false

  constructor(options: PeersOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.closeIdle(), sweepEvery).unref()
  }

  /** Undefined if no connection was needed yet, or the first attempt has not finished. */
  isConnected(nodeId: string): boolean | undefined {
    const peer = this.#peers.get(nodeId)
    if (peer?.connection?.isReady === true) return true
    return peer?.wasTried === true ? false : undefined
  }

  /** Whether the connection is queued behind others: silence then says nothing about the validator. */
  isQueued(nodeId: string): boolean {
    return this.#peers.get(nodeId)?.isQueued === true
  }

  /** Milliseconds of backoff that are left. */
  restOf(nodeId: string): number {
    return Math.max(0, (this.#peers.get(nodeId)?.restUntil ?? 0) - this.#options.now())
  }

  /** The connection to a validator, opened if necessary. Rejects with a PeerFailure. */
  async connection(nodeId: string): Promise<PeerConnection> {
    const peer = this.#peerOf(nodeId)
    if (peer.connection?.isReady === true) return peer.connection
    if (this.#isClosed) throw new PeerFailure('connection', 'connections are closed')
    if (this.restOf(nodeId) > 0) {
      throw new PeerFailure('resting', peer.failure?.message ?? 'the validator is left alone for a while')
    }
    peer.opening ??= this.#open(nodeId, peer).finally(() => delete peer.opening)
    return peer.opening
  }

  /** Closes connections that have been idle for ten minutes. */
  closeIdle(): void {
    const before = this.#options.now() - idleTimeout
    for (const connection of this.#ready) {
      if (connection.underway === 0 && connection.lastUse <= before) connection.close()
    }
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const connection of this.#ready) connection.close()
    this.#peers.clear()
  }

  #peerOf(nodeId: string): Peer {
    const found = this.#peers.get(nodeId)
    if (found) return found
    const peer: Peer = { restUntil: 0, failures: 0 }
    this.#peers.set(nodeId, peer)
    return peer
  }

  async #open(nodeId: string, peer: Peer): Promise<PeerConnection> {
    peer.isQueued = true
    await this.#place()
    peer.isQueued = false
    let address: PeerAddress | undefined
    try {
      const candidates = await this.#addressesOf(nodeId, peer)
      let failure: PeerFailure | undefined
      for (address of candidates) {
        try {
          return await this.#openAt(nodeId, peer, address)
        } catch (error) {
          if (!(error instanceof PeerFailure)) throw error
          failure = error
        }
      }
      throw failure ?? new PeerFailure('address', 'nobody tells where the validator is')
    } catch (error) {
      if (error instanceof PeerFailure) this.#failed(nodeId, peer, address, error)
      throw error
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#opening -= 1
    }
  }

  async #openAt(nodeId: string, peer: Peer, address: PeerAddress): Promise<PeerConnection> {
    this.#makeRoom()
    const { clock, now, addresses, logger } = this.#options
    const { context, self } = await this.#identified()
    const openedAt = now()
    const connection = await PeerConnection.open({
      nodeId,
      address,
      secureContext: context,
      introduction: self.introduction,
      clock,
      now,
      timeout: openTimeout,
      onClaims: (claims) => addresses.learn(claims, address),
      onEnd: () => {
        this.#ready.delete(connection)
        if (peer.connection === connection) delete peer.connection
        peer.restUntil = isLoopback(address) ? 0 : openedAt + rest.far.first
        logger.debug({ nodeId }, 'a connection to a validator ended')
      },
    })
    if (this.#isClosed) {
      connection.close()
      throw new PeerFailure('connection', 'connections are closed')
    }
    this.#ready.add(connection)
    peer.connection = connection
    peer.wasTried = true
    peer.failures = 0
    delete peer.failure
    return connection
  }

  #failed(nodeId: string, peer: Peer, address: PeerAddress | undefined, failure: PeerFailure): void {
    const { logger, now } = this.#options
    const { first, longest } = rest[!address || isLoopback(address) ? 'near' : 'far']
    const least = Math.min(longest, first * 2 ** Math.min(peer.failures, 16))
    // Jitter spreads the retries of peers that failed at the same time.
    peer.restUntil = now() + least * (1 + Math.random() / 4)
    peer.failures += 1
    peer.wasTried = true
    peer.failure = failure
    logger.debug({ nodeId, kind: failure.kind, err: failure }, 'a validator cannot be reached')
  }

  async #addressesOf(nodeId: string, peer: Peer): Promise<readonly PeerAddress[]> {
    const { addresses } = this.#options
    addresses.want(nodeId)
    // The address of a failed peer may have changed.
    if (addresses.of(nodeId).length === 0 || peer.failures > 0) await addresses.refresh()
    const found = addresses.of(nodeId)
    // Peers may know the address; their answers help the next attempt.
    if (found.length === 0) this.#askForPeers()
    return found
  }

  #askForPeers(): void {
    let left = maxAsked
    for (const connection of this.#ready) {
      if (left === 0) return
      connection.askForPeers()
      left -= 1
    }
  }

  async #identified(): Promise<{ self: Self; context: SecureContext }> {
    const self = await this.#options.self()
    if (this.#secure?.self.identity !== self.identity) {
      const { certificate, key } = self.identity
      // No certificate authority is used; loading the default ones would cost memory.
      const context = createSecureContext({ cert: certificate, key, ca: [], minVersion: 'TLSv1.3' })
      this.#secure = { self, context }
    }
    return { self, context: this.#secure.context }
  }

  /** Acquires a slot for opening a connection, or waits until one is released. */
  async #place(): Promise<void> {
    if (this.#opening < maxOpening) {
      this.#opening += 1
      return
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Closes the connection that was idle the longest if the limit is reached. */
  #makeRoom(): void {
    if (this.#ready.size < this.#options.maxPeers) return
    let idlest: PeerConnection | undefined
    for (const connection of this.#ready) {
      if (connection.underway === 0 && connection.lastUse < (idlest?.lastUse ?? Number.POSITIVE_INFINITY)) {
        idlest = connection
      }
    }
    if (!idlest) throw new PeerFailure('busy', 'as many connections as may be are at work')
    idlest.close()
  }
}
