import { WebSocket, WebSocketServer } from 'ws'
import type { Upgrade } from './front.ts'
import { BODY_LIMIT } from './front.ts'
import type { EvmCaller, EvmEndpoint } from './evm-rpc.ts'
import { requestsOf } from './evm-rpc.ts'
import type { NodeHook } from './hook.ts'
import { failure } from './jsonrpc.ts'

/** Serves a chain's `/ws` path. */
export interface EvmSockets {
  readonly upgrade: Upgrade
  close(): void
}

const MOST_BUFFERED = 8 * 1024 * 1024

function isSubscription(payload: unknown): boolean {
  return requestsOf(payload).some(({ method }) => method === 'eth_subscribe' || method === 'eth_unsubscribe')
}

/**
 * Websocket of one chain. Plain calls take the same way as over HTTP; subscriptions go to a connection of their own
 * to the node, opened with the first one.
 */
export function createEvmSockets(
  endpoint: EvmEndpoint,
  caller: EvmCaller,
  hook: NodeHook | undefined,
): EvmSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: BODY_LIMIT })
  const { key } = endpoint.plan

  function serve(client: WebSocket): void {
    let node: Promise<WebSocket> | undefined
    const say = (data: Buffer | string): void => {
      if (client.readyState !== WebSocket.OPEN) return
      // A reader that does not read is cut off before it costs memory.
      if (client.bufferedAmount > MOST_BUFFERED) client.terminate()
      else client.send(data.toString())
    }

    async function connect(): Promise<WebSocket> {
      const { anvil } = await endpoint.chain
      const socket = new WebSocket(`ws://127.0.0.1:${anvil.port}`)
      socket.on('message', (data: Buffer) => {
        const fault = hook?.socketFault(key)
        if (fault === 'closed') client.terminate()
        else if (fault === undefined && hook?.mayPush(key, data) !== false) say(data)
      })
      socket.on('close', () => client.close())
      await new Promise<void>((resolve, reject) => {
        socket.once('open', resolve)
        socket.once('error', reject)
      })
      // An error after the opening is always followed by a close, which is handled above.
      socket.on('error', () => undefined)
      return socket
    }

    async function answer(original: Buffer): Promise<void> {
      let payload: unknown
      try {
        payload = JSON.parse(original.toString('utf8'))
      } catch {
        say(JSON.stringify(failure(null, -32700, 'parse error')))
        client.terminate()
        return
      }
      const interference = await hook?.begin(key, requestsOf(payload), 'ws')
      if (isSubscription(payload)) {
        node ??= connect()
        const socket = await node
        socket.send(original.toString('utf8'))
        return
      }
      const body = await caller.answer(payload, original, interference)
      if (body !== undefined) say(body)
    }

    client.on('message', (data: Buffer) => {
      if (hook?.socketFault(key) === 'silent') return
      answer(data).catch(() => client.terminate())
    })
    client.on('error', () => client.terminate())
    client.on('close', () => {
      // The connection to the node may have failed, and then there is nothing to close.
      void node?.then((socket) => socket.close()).catch(() => undefined)
    })
  }

  return {
    upgrade(request, socket, head) {
      if (hook?.socketFault(key) === 'closed') socket.destroy()
      else server.handleUpgrade(request, socket, head, serve)
    },
    close() {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}
