import { connect, type SecureContext, type TLSSocket } from 'node:tls'
import { maxCertificateBytes, nodeIdOfCertificate, type PeerAddress } from './address.ts'
import { PeerFailure } from './failures.ts'
import { encodeFrame, FrameReader } from '../../../protocol/peer/frame.ts'
import { answerHandshake, type Introduction } from './handshake.ts'
import { PeerMessageError } from '../../../protocol/peer/errors.ts'
import {
  decodeMessage,
  emptyFilter,
  encodeMessage,
  requestIdOf,
  type ClaimedAddress,
  type PeerMessage,
  type PeerMessageInit,
} from '../../../protocol/peer/messages.ts'
import type { AppError, AppResponse } from '../../../protocol/peer/messages_pb.ts'

/** A peer's answer to a request. */
type PeerAnswer =
  | { readonly kind: 'response'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly code: number; readonly text: string }

type ConnectionOptions = {
  /** The node id that must answer at the address, as text. */
  readonly nodeId: string
  readonly address: PeerAddress
  /** Holds our certificate and key. */
  readonly secureContext: SecureContext
  readonly introduction: Introduction
  /** Unix seconds. */
  readonly clock: () => number
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  /** Milliseconds until the connection must be ready. */
  readonly timeout: number
  /** Called with addresses that the peer gossips. */
  readonly onClaims: (claims: readonly ClaimedAddress[]) => void
  /** Called when a ready connection ends. */
  readonly onEnd: () => void
}

/** Milliseconds of silence after which a peer counts as gone. Peers ping every 22.5 s. */
const longestSilence = 60_000
/** The most bytes that are buffered for a peer that does not read. */
const maxBuffered = 8 * 1_024 * 1_024
/** The most characters of a peer's error that are kept. */
const maxErrorText = 1_024
/** The most requests in flight on one connection. */
const maxPending = 1_024

type Pending = {
  readonly chainId: Uint8Array
  readonly resolve: (answer: PeerAnswer) => void
  readonly reject: (failure: PeerFailure) => void
}

/** A connection to a validator after the handshake (docs/signatures.md). */
export class PeerConnection {
  readonly nodeId: string
  readonly #options: ConnectionOptions
  readonly #socket: TLSSocket
  readonly #frames = new FrameReader()
  readonly #pending = new Map<number, Pending>()
  #state: 'greeting' | 'listing' | 'ready' | 'ended' = 'greeting'
  #ordinal = 0
  #heardAt: number
  #usedAt: number
  readonly #onReady: (failure?: PeerFailure) => void

  /** Connects, verifies the peer's node id, and performs the handshake. Rejects with a PeerFailure. */
  static open(options: ConnectionOptions): Promise<PeerConnection> {
    return new Promise((resolve, reject) => {
      const connection: PeerConnection = new PeerConnection(options, (failure) => {
        clearTimeout(timer)
        if (failure) reject(failure)
        else resolve(connection)
      })
      const timer = setTimeout(
        () => connection.#end(new PeerFailure('timeout', 'the handshake took too long')),
        options.timeout,
      )
    })
  }

  private constructor(options: ConnectionOptions, onReady: (failure?: PeerFailure) => void) {
    this.#options = options
    this.nodeId = options.nodeId
    this.#onReady = onReady
    this.#heardAt = options.now()
    this.#usedAt = this.#heardAt
    this.#socket = connect({
      host: options.address.host,
      port: options.address.port,
      secureContext: options.secureContext,
      minVersion: 'TLSv1.3',
      maxVersion: 'TLSv1.3',
      // Certificates are self-signed: the node id derived from the certificate is verified instead.
      rejectUnauthorized: false,
    })
    this.#socket.setNoDelay(true)
    this.#socket.setTimeout(longestSilence, () =>
      this.#end(new PeerFailure('timeout', 'the validator fell silent')),
    )
    this.#socket.on('secureConnect', () => this.#guard(() => this.#checkIdentity()))
    this.#socket.on('data', (chunk: Buffer) => this.#guard(() => this.#read(chunk)))
    this.#socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#end(new PeerFailure('connection', `the connection failed (${error.code ?? 'unknown'})`)),
    )
    this.#socket.on('close', () => {
      if (this.#state !== 'ended') this.#end(new PeerFailure('connection', this.#closedWords()))
    })
  }

  get isReady(): boolean {
    return this.#state === 'ready'
  }

  /** The number of requests in flight. */
  get underway(): number {
    return this.#pending.size
  }

  /** The time of the last request, by `now`. */
  get lastUse(): number {
    return this.#usedAt
  }

  /**
   * Sends a request to a chain's handler. Rejects with a PeerFailure: `timeout` if no answer came within so many
   * milliseconds, `connection` if the connection broke. Rejects with the signal's reason when it aborts.
   */
  request(request: {
    readonly chainId: Uint8Array
    readonly bytes: Uint8Array
    readonly timeout: number
    readonly signal: AbortSignal
  }): Promise<PeerAnswer> {
    const { chainId, bytes, timeout, signal } = request
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      if (this.#state !== 'ready') throw new PeerFailure('connection', 'the connection was closed')
      if (this.#pending.size >= maxPending) throw new PeerFailure('busy', 'too many requests wait')
      const ordinal = this.#ordinal
      this.#ordinal += 1
      const id = requestIdOf(ordinal)
      const began = this.#options.now()
      this.#usedAt = began
      const finish = (settle: () => void): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        this.#pending.delete(id)
        settle()
      }
      const leave = (): void => finish(() => reject(signal.reason as Error))
      const timer = setTimeout(() => {
        finish(() => reject(new PeerFailure('timeout', 'the validator did not answer')))
        // Not even pings arrived: the connection is half open.
        if (this.#options.now() - this.#heardAt > longestSilence / 2) {
          this.#end(new PeerFailure('timeout', 'the validator fell silent'))
        }
      }, timeout)
      signal.addEventListener('abort', leave, { once: true })
      this.#pending.set(id, {
        chainId,
        resolve: (answer) => finish(() => resolve(answer)),
        reject: (failure) => finish(() => reject(failure)),
      })
      const deadline = BigInt(Math.ceil(timeout)) * 1_000_000n
      this.#send({ case: 'appRequest', value: { chainId, requestId: id, deadline, bytes } })
    })
  }

  /** Requests addresses of validators; answers go to `onClaims`. */
  askForPeers(): void {
    if (this.#state === 'ready')
      this.#send({
        case: 'getPeerList',
        value: { knownPeers: { filter: emptyFilter }, allSubnets: true },
      })
  }

  close(): void {
    this.#end(new PeerFailure('connection', 'the connection was closed'))
  }

  #closedWords(): string {
    return this.#state === 'ready'
      ? 'the validator closed the connection'
      : 'the validator closed the connection during the handshake'
  }

  #guard(work: () => void): void {
    if (this.#state === 'ended') return
    try {
      work()
    } catch (error) {
      if (error instanceof PeerFailure) return this.#end(error)
      const message = error instanceof PeerMessageError ? error.message : 'the connection failed unexpectedly'
      this.#end(new PeerFailure('malformed', message, { cause: error }))
    }
  }

  #checkIdentity(): void {
    const der = this.#socket.getPeerX509Certificate()?.raw
    if (!der || der.length > maxCertificateBytes) {
      throw new PeerFailure('identity', 'the node at its address has no certificate that is accepted')
    }
    if (nodeIdOfCertificate(der) !== this.nodeId) {
      throw new PeerFailure('identity', 'another node answers at its address')
    }
  }

  #read(chunk: Buffer): void {
    this.#heardAt = this.#options.now()
    this.#frames.push(chunk)
    for (let frame = this.#frames.next(); frame; frame = this.#frames.next()) {
      this.#handle(decodeMessage(frame))
      // A message may end the connection.
      if ((this.#state as string) === 'ended') return
    }
  }

  #handle(message: PeerMessage): void {
    switch (message.case) {
      case 'ping':
        this.#send({ case: 'pong', value: {} })
        return
      case 'handshake': {
        if (this.#state !== 'greeting') throw new PeerFailure('malformed', 'a second handshake')
        const { introduction, clock } = this.#options
        this.#send({ case: 'handshake', value: answerHandshake(introduction, message.value, clock()) })
        this.#state = 'listing'
        return
      }
      case 'peerList':
        if (this.#state === 'listing') {
          this.#send({ case: 'peerList', value: {} })
          this.#state = 'ready'
          this.#onReady()
        }
        this.#options.onClaims(message.value.claims)
        return
      case 'appResponse':
        this.#settle(message.value, { kind: 'response', bytes: message.value.bytes })
        return
      case 'appError':
        this.#settle(message.value, {
          kind: 'error',
          code: message.value.code,
          text: message.value.text.slice(0, maxErrorText),
        })
        return
      default:
        // Other messages between nodes are ignored.
        return
    }
  }

  #settle(of: AppResponse | AppError, answer: PeerAnswer): void {
    const pending = this.#pending.get(of.requestId)
    // The answer is late, or for another chain's request.
    if (!pending || Buffer.compare(pending.chainId, of.chainId) !== 0) return
    pending.resolve(answer)
  }

  #send(message: PeerMessageInit): void {
    if (this.#socket.writableLength > maxBuffered) {
      this.#end(new PeerFailure('connection', 'the validator does not read what it is sent'))
      return
    }
    this.#socket.write(encodeFrame(encodeMessage(message)))
  }

  #end(failure: PeerFailure): void {
    if (this.#state === 'ended') return
    const wasReady = this.#state === 'ready'
    this.#state = 'ended'
    this.#socket.destroy()
    for (const pending of this.#pending.values()) pending.reject(failure)
    if (wasReady) this.#options.onEnd()
    else this.#onReady(failure)
  }
}
