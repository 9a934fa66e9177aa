import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

/** One request as the node received it. */
type Asked = {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The caller's port: one connection has one. */
  readonly port: number | undefined
}

/** How the node answers a request: a JSON text, or whatever it does with the response. */
export type Script = (asked: Asked) => string | ((response: ServerResponse) => void)

/** The parameters and events of a subscriber of the node. */
type NodeSocket = {
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
  /** Tells every subscription with these parameters; how many there are. */
  announce(params: unknown, result: unknown): number
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

/** Starts the node. By default it echoes, and accepts every subscription. */
export async function startScriptedNode(): Promise<ScriptedNode> {
  const asked: Asked[] = []
  const sockets: NodeSocket[] = []
  const subscribed = new Map<string, { readonly socket: NodeSocket; readonly params: string }>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
        port: request.socket.remotePort,
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
    socket.on('close', () => {
      for (const [id, each] of subscribed) if (each.socket === seen) subscribed.delete(id)
    })
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Record<string, unknown>
      seen.received.push(message)
      const result = node.socketScript(message, seen)
      if (result !== undefined) seen.send(result)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let count = 0
  const node: ScriptedNode = {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    asked,
    sockets,
    script: echo,
    socketScript({ id, method, params }, socket) {
      if (method !== 'eth_subscribe') {
        return { jsonrpc: '2.0', id, result: subscribed.delete(String((params as unknown[])[0])) }
      }
      count += 1
      const subscription = `0xfeed${count}`
      subscribed.set(subscription, { socket, params: JSON.stringify(params) })
      return { jsonrpc: '2.0', id, result: subscription }
    },
    announce(params, result) {
      const told = [...subscribed].filter(([, each]) => each.params === JSON.stringify(params))
      for (const [subscription, { socket }] of told) {
        socket.send({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } })
      }
      return told.length
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of webSockets.clients) socket.terminate()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return node
}
