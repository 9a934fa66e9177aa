import type { TLSSocket } from 'node:tls'
import { certificateFault, handshakeFault, isFilter } from './check.ts'
import { PeerMessageError } from '../../protocol/peer/errors.ts'
import { encodeFrame, FrameReader } from '../../protocol/peer/frame.ts'
import { decodeMessage, encodeMessage, type PeerMessage } from '../../protocol/peer/messages.ts'
import type { AppRequest, Handshake } from '../../protocol/peer/messages_pb.ts'

/** Ping interval and the longest allowed silence of a peer, in milliseconds. */
export type Pace = {
  readonly ping: number
  readonly silence: number
}

export const realPace: Pace = { ping: 22_500, silence: 30_000 }

/** What a connection needs from its node. */
export type ConnectionParts = {
  readonly networkId: number
  readonly pace: Pace
  handshake(): Uint8Array
  /** The known peers. */
  peerList(): Uint8Array
  /** Returns false if there is already a connection with this certificate (DER, hex). */
  admit(certificate: string): boolean
  release(certificate: string): void
  /** The message that answers a request, if there is one. */
  answer(request: AppRequest): Promise<Uint8Array | undefined>
}

/** Concurrent requests per connection; more are dropped, as by a node's throttling. */
const maxAsked = 1_024

/** Speaks the peer protocol on an accepted connection, like a node (docs/signatures.md). */
export function serve(socket: TLSSocket, parts: ConnectionParts): void {
  const certificate = socket.getPeerX509Certificate()
  const name = certificate?.raw.toString('hex')
  if (
    certificate === undefined ||
    name === undefined ||
    certificateFault(certificate) !== undefined ||
    !parts.admit(name)
  ) {
    socket.destroy()
    return
  }
  const key = certificate.publicKey
  const frames = new FrameReader()
  let greeted = false
  let isReady = false
  let isPinged = false
  let asked = 0

  const send = (message: Uint8Array): void => {
    if (!socket.destroyed) socket.write(encodeFrame(message))
  }
  const pinging = setInterval(() => {
    isPinged = true
    send(encodeMessage({ case: 'ping', value: { uptime: 100 } }))
  }, parts.pace.ping)
  const silence = setTimeout(() => socket.destroy(), parts.pace.silence)

  /** The next complete message. A message that announces too many bytes ends the connection. */
  function nextFrame(): Uint8Array | undefined {
    if (socket.destroyed) return undefined
    try {
      return frames.next()
    } catch (error) {
      if (!(error instanceof PeerMessageError)) throw error
      socket.destroy()
      return undefined
    }
  }

  function onHandshake(said: Handshake): void {
    const now = BigInt(Math.floor(Date.now() / 1000))
    if (greeted || handshakeFault(said, key, parts.networkId, now) !== undefined) {
      socket.destroy()
      return
    }
    greeted = true
    send(parts.peerList())
  }

  function onMessage(message: PeerMessage): void {
    switch (message.case) {
      case 'ping':
        if (message.value.uptime > 100) socket.destroy()
        else send(encodeMessage({ case: 'pong', value: {} }))
        return
      case 'pong':
        if (!isPinged) socket.destroy()
        isPinged = false
        return
      case 'handshake':
        onHandshake(message.value)
        return
      case 'peerList':
        // The peer's claims about others are ignored, because the sample knows all nodes.
        if (greeted) isReady = true
        return
      case 'getPeerList':
        if (!isReady) return
        if (isFilter(message.value.knownPeers)) send(parts.peerList())
        else socket.destroy()
        return
      case 'appRequest':
        if (isReady && asked < maxAsked) void respond(message.value)
        return
      default:
    }
  }

  async function respond(request: AppRequest): Promise<void> {
    asked += 1
    try {
      const answer = await parts.answer(request)
      if (answer !== undefined) send(answer)
    } catch (error) {
      // The chain is shutting down and cannot be asked. A node in that state disconnects, too.
      socket.destroy(error instanceof Error ? error : undefined)
    } finally {
      asked -= 1
    }
  }

  socket.on('data', (chunk: Buffer) => {
    silence.refresh()
    frames.push(chunk)
    for (let bytes = nextFrame(); bytes; bytes = nextFrame()) {
      let message: PeerMessage
      try {
        message = decodeMessage(bytes)
      } catch (error) {
        // A node logs unreadable messages and continues.
        if (error instanceof PeerMessageError) continue
        throw error
      }
      onMessage(message)
    }
  })
  // Connection errors from outside are not errors of the node.
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    clearInterval(pinging)
    clearTimeout(silence)
    parts.release(name)
  })
  send(parts.handshake())
}
