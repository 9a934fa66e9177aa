import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** The endpoints of one subject: exact paths, or all paths below one that ends in `/`. */
export type RouteGroup = {
  readonly routes?: ReadonlyMap<string, Handler>
  readonly sockets?: ReadonlyMap<string, Upgrade>
  /** Another path to look up if nothing is registered for `path`. */
  target?(path: string): string | undefined
  /** Closes open connections and timers of the group. */
  close?(): void
}

/** The node's one HTTP server. */
export type Front = {
  readonly host: string
  readonly port: number
  readonly url: string
  close(): Promise<void>
}

/** Answers with plain text, like a node for everything that is not JSON-RPC. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(text)
}

/** Answers 200 with JSON. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.end(bytes)
}

/** The body exceeds the node's limit. */
class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

const bodyLimit = 5 * 1024 * 1024

/** Reads the request's body. Throws `BodyTooLargeError` above `limit`: the node's EVM accepts 5 MiB. */
export async function readBody(request: IncomingMessage, limit = bodyLimit): Promise<Buffer> {
  const chunks: Buffer[] = []
  const told = Number(request.headers['content-length'] ?? 0)
  if (told > limit) throw new BodyTooLargeError(`content length too large (${told}>${limit})`)
  let length = 0
  for await (const chunk of request) {
    const bytes = chunk as Buffer
    length += bytes.length
    if (length > limit) {
      throw new BodyTooLargeError(`content length too large (${length}>${limit})`)
    }
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/'
}

function find<T>(tables: readonly (ReadonlyMap<string, T> | undefined)[], path: string): T | undefined {
  for (const table of tables) {
    const exact = table?.get(path)
    if (exact !== undefined) return exact
  }
  for (const table of tables) {
    for (const [prefix, found] of table ?? []) {
      if (prefix.endsWith('/') && path.startsWith(prefix)) return found
    }
  }
  return undefined
}

const ownMachine = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/

/**
 * Allows pages on this machine to read the answers (CORS). A real node allows every page, but here
 * administration is enabled, and foreign pages must not use it. Returns true if the request was a preflight
 * and is answered.
 */
function admitPage(request: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = request.headers
  if (origin === undefined || !ownMachine.test(origin)) return false
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'origin')
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
    return false
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, HEAD',
    'access-control-allow-headers': 'content-type',
  })
  response.end()
  return true
}

/** Listens on `host:port`; with port 0 the system chooses the port. Rejects if the port is in use. */
export async function startFront(
  host: string,
  port: number,
  routeGroups: readonly RouteGroup[],
): Promise<Front> {
  const routes = routeGroups.map((routeGroup) => routeGroup.routes)
  const sockets = routeGroups.map((routeGroup) => routeGroup.sockets)

  function seek<T>(tables: readonly (ReadonlyMap<string, T> | undefined)[], path: string): T | undefined {
    const found = find(tables, path)
    if (found !== undefined) return found
    for (const routeGroup of routeGroups) {
      const target = routeGroup.target?.(path)
      if (target !== undefined) return find(tables, target)
    }
    return undefined
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (admitPage(request, response)) return
      const handler = seek(routes, pathOf(request))
      if (handler === undefined) {
        request.resume()
        sendText(response, 404, '404 page not found\n')
      } else await handler(request, response)
    } catch (error) {
      if (response.headersSent || response.destroyed) response.destroy()
      else if (error instanceof BodyTooLargeError) {
        // The rest of the body is discarded, or the client would not read the answer.
        request.resume()
        sendText(response, 413, `${error.message}\n`)
      } else sendText(response, 500, `${error instanceof Error ? error.message : String(error)}\n`)
    }
  }

  const server: Server = http.createServer((request, response) => void answer(request, response))
  server.keepAliveTimeout = 75_000
  server.on('upgrade', (request, socket, head) => {
    // A client that disconnects during the handshake is not an error of the node.
    socket.on('error', () => socket.destroy())
    const upgrade = seek(sockets, pathOf(request))
    if (upgrade === undefined) socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
    else upgrade(request, socket, head)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const bound = (server.address() as AddressInfo).port
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    host,
    port: bound,
    url: `http://${shown}:${bound}`,
    async close() {
      for (const routeGroup of routeGroups) routeGroup.close?.()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
