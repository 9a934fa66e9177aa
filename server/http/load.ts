import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Limits } from '../kernel/settings/config.ts'
import { OverloadError } from '../kernel/http-errors.ts'

declare module 'fastify' {
  // Only an interface merges with the module's own.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyContextConfig {
    /** Whether the route answers under any load: it costs little, or has a limit of its own. */
    isUncounted?: boolean
  }
}

/** Connections beyond `limits.connections` that are accepted to be told so; further ones are closed unread. */
const spareConnections = 256
/** Milliseconds within which the headers of a request must arrive. */
const headersTimeoutMs = 15_000
/** Milliseconds between two lines of the log about refused requests. */
const logPause = 10_000

/** What the server is told about requests that arrive slowly. */
export function receiving({ receiveSeconds }: Limits) {
  const requestTimeout = receiveSeconds * 1_000
  const headersTimeout = Math.min(headersTimeoutMs, requestTimeout)
  return {
    requestTimeout,
    http: { headersTimeout, connectionsCheckingInterval: Math.min(5_000, headersTimeout) },
  }
}

/**
 * Bounds what requests hold at once: connections, requests from their headers until their answer is sent, the bytes of
 * their bodies and answers, and the time that a client may take to read. Whatever is beyond is a 503 with `retry-after`
 * before anything is read or computed, so that others are answered in time (docs/operations.md, Load limits).
 */
export function boundLoad(app: FastifyInstance, limits: Limits): void {
  const surplus = boundConnections(app, limits.connections)
  const held = { requests: 0, bytes: 0 }
  const refused = { count: 0, loggedAt: -Infinity }

  const reasonFor = (raw: IncomingMessage, expected: number): string | undefined => {
    if (surplus.has(raw.socket)) return `all ${limits.connections} connections are taken`
    if (held.requests >= limits.requestsUnderway) return 'too many requests are underway'
    if (held.bytes + expected > limits.waitingBytes) return 'too many answers wait for slow readers'
    return undefined
  }

  const refusal = (request: FastifyRequest, reply: FastifyReply, reason: string): OverloadError => {
    refused.count += 1
    const now = performance.now()
    if (now - refused.loggedAt > logPause) {
      request.log.warn({ refused: refused.count, ...held }, `requests refused: ${reason}`)
      refused.count = 0
      refused.loggedAt = now
    }
    // The body, which may be long, stays unread, and a surplus connection is of no further use.
    if (surplus.has(request.raw.socket) || bodyOf(request) > 0) void reply.header('connection', 'close')
    // The error handler of the route gives it the form that its callers expect.
    return new OverloadError(reason)
  }

  const places = new WeakMap<FastifyRequest, Place>()
  const hold = (place: Place, bytes: number): void => {
    held.bytes += bytes - place.bytes
    place.bytes = bytes
  }
  // The work for a client that has left goes on, and holds its place until it is done.
  const leaveIfDone = (place: Place): void => {
    if (place.isAnswered && place.isClosed) held.requests -= 1
  }
  app.addHook('onRequest', async (request, reply) => {
    // A websocket's request is answered by its handshake; sockets have limits of their own.
    if (request.routeOptions.config.isUncounted === true || request.ws) return undefined
    const expected = bodyOf(request)
    const reason = reasonFor(request.raw, expected)
    if (reason !== undefined) throw refusal(request, reply, reason)
    const place: Place = { bytes: 0, isAnswered: false, isClosed: false }
    places.set(request, place)
    held.requests += 1
    hold(place, expected)
    reply.raw.once('close', () => {
      place.isClosed = true
      hold(place, 0)
      leaveIfDone(place)
    })
    return undefined
  })

  // Runs before the plugin that compresses, so a payload that is whole is seen as such.
  app.addHook('onSend', async (request, reply, payload) => {
    const place = places.get(request)
    // An answer that fails while it is sent is followed by another.
    if (!place || place.isAnswered) return
    place.isAnswered = true
    const size = sizeOf(payload)
    if (place.isClosed) return leaveIfDone(place)
    hold(place, size ?? 0)
    boundReading(reply, limits.sendSeconds * 1_000, size === undefined)
  })
}

/** What a request holds. */
type Place = { bytes: number; isAnswered: boolean; isClosed: boolean }

/** Caps the server's connections. Returns those beyond the limit. */
function boundConnections({ server }: FastifyInstance, limit: number): WeakSet<Socket> {
  const surplus = new WeakSet<Socket>()
  let open = 0
  server.maxConnections = limit + spareConnections
  server.on('connection', (socket: Socket) => {
    open += 1
    if (open > limit) surplus.add(socket)
    socket.once('close', () => {
      open -= 1
    })
  })
  return surplus
}

/** The most bytes that the body of a request may have. */
function bodyOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  const length =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity
  return Math.min(length, bodyLimit)
}

/** The size of a payload that is in memory; undefined for a stream, which waits with its reader. */
function sizeOf(payload: unknown): number | undefined {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  if (payload instanceof Uint8Array) return payload.byteLength
  return payload === null || payload === undefined ? 0 : undefined
}

/**
 * Ends the connection of a client that does not read its answer in time. A stream may last longer, as long as the
 * client takes some of what waits for it.
 */
function boundReading({ raw }: FastifyReply, within: number, isStream: boolean): void {
  const { socket } = raw
  // An injected request has a stand-in, which nobody reads slowly.
  if (!(socket instanceof Socket)) return
  if (!isStream) {
    const late = setTimeout(() => socket.destroy(), within)
    late.unref()
    raw.once('close', () => clearTimeout(late))
    return
  }
  // Node sets the idle time of a kept connection again once the answer is sent.
  socket.setTimeout(within)
  raw.on('timeout', () => {
    if (socket.writableLength > 0) socket.destroy()
  })
}
