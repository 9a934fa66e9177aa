import { once } from 'node:events'
import { WebSocket } from 'ws'
import { call } from './gateway.ts'
import type { SharedGateway } from './use-gateway.ts'

/** One reader's end of a socket. */
type Client = {
  readonly socket: WebSocket
  /** Sends a message and waits for the next one that comes in. */
  ask(message: unknown): Promise<unknown>
  next(): Promise<unknown>
  readonly closed: Promise<[number, string]>
}

/** The target of a socket: by default the shared gateway, without headers. */
type Way = {
  readonly of?: { readonly url: string }
  readonly headers?: Record<string, string>
  readonly protocols?: readonly string[]
}

/** Opens sockets to a gateway, and ends them with the test. */
export function useSockets(gateway: SharedGateway): {
  open(path?: string, way?: Way): Promise<Client>
  /** The status with which a handshake is refused. */
  refused(path: string, headers?: Record<string, string>, of?: { readonly url: string }): Promise<number>
} {
  const connect = (path: string, { of = gateway, headers = {}, protocols = [] }: Way): WebSocket =>
    new WebSocket(of.url.replace('http', 'ws') + path, [...protocols], { headers })
  return {
    async open(path = '/ext/bc/C/ws', way = {}) {
      const socket = connect(path, way)
      gateway.later(() => socket.terminate())
      const messages: unknown[] = []
      const waiting: ((message: unknown) => void)[] = []
      socket.on('message', (data: Buffer) => {
        const message: unknown = JSON.parse(data.toString())
        const taker = waiting.shift()
        if (taker) taker(message)
        else messages.push(message)
      })
      const closed = new Promise<[number, string]>((resolve) =>
        socket.once('close', (code, reason) => resolve([code, reason.toString()])),
      )
      await once(socket, 'open')
      const next = (): Promise<unknown> =>
        messages.length > 0
          ? Promise.resolve(messages.shift())
          : new Promise((resolve) => waiting.push(resolve))
      return {
        socket,
        closed,
        next,
        ask(message) {
          socket.send(
            typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message),
          )
          return next()
        },
      }
    },
    async refused(path, headers = {}, of = gateway) {
      const socket = connect(path, { of, headers })
      socket.on('error', () => undefined)
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
      return response.statusCode
    },
  }
}

export const subscribe = (kind: string, id: unknown = 1): unknown => call('eth_subscribe', [kind], id)
/** The id of a subscription, from the answer to its call. */
export const idOf = (answer: unknown): string => (answer as { result: string }).result
