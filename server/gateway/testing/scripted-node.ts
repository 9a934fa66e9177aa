import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

/** One request as the node received it. */
export type Asked = {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** How the node answers a request: a JSON text, or whatever it does with the response. */
export type Script = (asked: Asked) => string | ((response: ServerResponse) => void)

/** What a subscriber of the node asks for and is told. */
export type NodeSocket = {
  readonly path: string
  /** Messages that came in, in their order. */
  readonly received: Record<string, unknown>[]
  send(message: unknown): void
  close(): void
  isClosed(): boolean
}

/** A node of a test's own, on loopback, that answers by a script. */
export type ScriptedNode = {
  readonly url: string
  readonly wsUrl: string
  readonly asked: Asked[]
  readonly sockets: NodeSocket[]
  script: Script
  /** How a message over a socket is answered; undefined is silence. */
  socketScript: (message: Record<string, unknown>, socket: NodeSocket) => unknown
  close(): Promise<void>
}

/** Answers every call with its own method's name, a batch with a list. */
export const echo: Script = ({ body }) => {
  const one = ({ id, method }: { id?: unknown; method: string }): unknown => ({
    jsonrpc: '2.0',
    id,
    result: method,
  })
  const parsed = JSON.parse(body) as { id?: unknown; method: string } | { id?: unknown; method: string }[]
  return JSON.stringify(Array.isArray(parsed) ? parsed.map(one) : one(parsed))
}

/** Starts the node. Until it is told otherwise it echoes, and agrees to every subscription. */
export async function startScriptedNode(): Promise<ScriptedNode> {
  const asked: Asked[] = []
  const sockets: NodeSocket[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
      }
      asked.push(received)
      const reply = node.script(received)
      if (typeof reply === 'function') return reply(response)
      response.setHeader('content-type', 'application/json')
      response.end(reply)
    })
  })
  const webSockets = new WebSocketServer({ server })
  webSockets.on('connection', (socket: WebSocket, request) => {
    const seen: NodeSocket = {
      path: request.url ?? '',
      received: [],
      send: (message) => socket.send(JSON.stringify(message)),
      close: () => socket.close(),
      isClosed: () => socket.readyState !== socket.OPEN,
    }
    sockets.push(seen)
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Record<string, unknown>
      seen.received.push(message)
      const result = node.socketScript(message, seen)
      if (result !== undefined) seen.send(result)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let subscriptions = 0
  const node: ScriptedNode = {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    asked,
    sockets,
    script: echo,
    socketScript: ({ id, method }) => ({
      jsonrpc: '2.0',
      id,
      result: method === 'eth_subscribe' ? `0xfeed${++subscriptions}` : true,
    }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of webSockets.clients) socket.terminate()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return node
}
