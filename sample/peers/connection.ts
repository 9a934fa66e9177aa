import type { TLSSocket } from 'node:tls'
import { certificateFault, handshakeFault, isFilter } from './check.ts'
import { createFrames, frameOf } from './frames.ts'
import type { AppRequest, Handshake, Message } from './messages.ts'
import { MessageError, readMessage, writePing, writePong } from './messages.ts'

/** How often a peer is asked whether it is there, and how long it may stay silent. Milliseconds. */
export interface Pace {
  readonly ping: number
  readonly silence: number
}

export const REAL_PACE: Pace = { ping: 22_500, silence: 30_000 }

/** What a connection asks of the node that it leads to. */
export interface ConnectionParts {
  readonly networkId: number
  readonly pace: Pace
  handshake(): Uint8Array
  /** Everybody that this node knows of. */
  peerList(): Uint8Array
  /** False: there is a connection of this certificate (DER, hex) already. */
  admit(certificate: string): boolean
  release(certificate: string): void
  /** The message that answers a request, if there is one. */
  answer(request: AppRequest): Promise<Uint8Array | undefined>
}

/** Requests of one connection that are looked into at a time; more are dropped, as a node's throttling does. */
const MOST_ASKED = 1_024

/** Speaks the peer protocol as a node does with whoever connected: signatures.md, "Peer connection". */
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
  const frames = createFrames()
  let greeted = false
  let isReady = false
  let isPinged = false
  let asked = 0

  const send = (message: Uint8Array): void => {
    if (!socket.destroyed) socket.write(frameOf(message))
  }
  const pinging = setInterval(() => {
    isPinged = true
    send(writePing())
  }, parts.pace.ping)
  const silence = setTimeout(() => socket.destroy(), parts.pace.silence)

  function onHandshake(said: Handshake): void {
    const now = BigInt(Math.floor(Date.now() / 1000))
    if (greeted || handshakeFault(said, key, parts.networkId, now) !== undefined) {
      socket.destroy()
      return
    }
    greeted = true
    send(parts.peerList())
  }

  function onMessage(message: Message): void {
    switch (message.type) {
      case 'ping':
        if (message.uptime > 100) socket.destroy()
        else send(writePong())
        return
      case 'pong':
        if (!isPinged) socket.destroy()
        isPinged = false
        return
      case 'handshake':
        onHandshake(message.handshake)
        return
      case 'peerList':
        // Whatever a peer claims of others is of no use here: the sample knows everybody.
        if (greeted) isReady = true
        return
      case 'getPeerList':
        if (!isReady) return
        if (isFilter(message.known)) send(parts.peerList())
        else socket.destroy()
        return
      case 'appRequest':
        if (isReady && asked < MOST_ASKED) void respond(message.request)
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
      // A chain of the sample that is just ending cannot be asked; a node in that state goes away too.
      socket.destroy(error instanceof Error ? error : undefined)
    } finally {
      asked -= 1
    }
  }

  socket.on('data', (chunk: Buffer) => {
    silence.refresh()
    let messages: Buffer[]
    try {
      messages = frames.take(chunk)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      socket.destroy()
      return
    }
    for (const bytes of messages) {
      if (socket.destroyed) return
      let message: Message
      try {
        message = readMessage(bytes)
      } catch (error) {
        // A node notes what it cannot read, and reads on.
        if (error instanceof MessageError) continue
        throw error
      }
      onMessage(message)
    }
  })
  // What ends the connection from outside is no fault of the node.
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    clearInterval(pinging)
    clearTimeout(silence)
    parts.release(name)
  })
  send(parts.handshake())
}
