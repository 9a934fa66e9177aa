import { WebSocket, WebSocketServer } from 'ws'
import { createFeed } from '../feed.ts'
import type { EvmEndpoint } from '../endpoint.ts'
import { batchLimit, type EvmCaller, requestsOf } from '../rpc.ts'
import { createSubscriber, type Subscriptions } from './subscriptions.ts'
import type { Upgrade } from '../../../kernel/front.ts'
import type { Interference, NodeHook } from '../../rpc/hook.ts'
import { asRequest, failure, type RpcRequest } from '../../rpc/jsonrpc.ts'
import { localMethods } from '../local.ts'

/** Serves a chain's `/ws` path. */
type EvmSockets = {
  readonly upgrade: Upgrade
  close(): void
}

const maxBuffered = 8 * 1024 * 1024
/** The most bytes of one message. */
const longestMessage = 32 * 1024 * 1024

function isSubscription(request: RpcRequest | undefined): request is RpcRequest {
  return request?.method === 'eth_subscribe' || request?.method === 'eth_unsubscribe'
}

/** The node's error for a message that is not JSON; undefined, and no answer, when it only ends too soon. */
function faultOf(text: string, error: unknown): string | undefined {
  const words = error instanceof Error ? error.message : ''
  if (text.trim() === '' || /end of JSON|Unterminated/.test(words)) return undefined
  const token = /^Unexpected token '(.)'/u.exec(words)?.[1] ?? text.trimStart().charAt(0)
  return `invalid character '${token}' looking for beginning of value`
}

/**
 * The websocket of one chain. Plain calls are answered as over HTTP; subscriptions share one connection to the
 * chain's node.
 */
export function createEvmSockets(
  endpoint: EvmEndpoint,
  caller: EvmCaller,
  hook: NodeHook | undefined,
): EvmSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: longestMessage })
  const feed = createFeed(endpoint.chain)
  const subscriber = createSubscriber(endpoint.chain, feed)
  const { key } = endpoint.plan

  function serve(client: WebSocket): void {
    const say = (data: Buffer | string): void => {
      if (client.readyState !== WebSocket.OPEN) return
      // Disconnects a client that does not read before its buffer costs memory.
      if (client.bufferedAmount > maxBuffered) client.terminate()
      else client.send(data.toString())
    }
    const subscriptions: Subscriptions = subscriber.open(push, () => client.close())

    function push(subscription: string, result: unknown): void {
      const params = { subscription, result }
      const message = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }))
      const fault = hook?.socketFault(key)
      if (fault === 'closed') client.terminate()
      else if (fault === undefined && hook?.mayPush(key, message) !== false) say(message)
    }

    const subscribed = localMethods({
      eth_subscribe: subscriptions.subscribe,
      eth_unsubscribe: subscriptions.unsubscribe,
    })

    /** Runs the calls of a batch with subscriptions one after the other. */
    async function each(
      list: readonly unknown[],
      interference: Interference | undefined,
    ): Promise<unknown[]> {
      const answers: unknown[] = []
      for (const item of list) {
        const request = asRequest(item)
        if (isSubscription(request)) {
          answers.push(await subscribed(request))
          continue
        }
        const body = await caller.answer(item, Buffer.from(JSON.stringify(item)), interference)
        if (body !== undefined) answers.push(JSON.parse(body.toString('utf8')))
      }
      return answers
    }

    async function answer(original: Buffer): Promise<void> {
      const text = original.toString('utf8')
      let payload: unknown
      try {
        payload = JSON.parse(text)
      } catch (error) {
        const fault = faultOf(text, error)
        if (fault !== undefined) say(JSON.stringify(failure(null, -32700, fault)))
        client.terminate()
        return
      }
      const interference = await hook?.begin(key, requestsOf(payload), 'ws')
      const request = Array.isArray(payload) ? undefined : asRequest(payload)
      if (isSubscription(request)) {
        say(JSON.stringify(await subscribed(request)))
      } else if (
        Array.isArray(payload) &&
        payload.length <= batchLimit &&
        requestsOf(payload).some(isSubscription)
      ) {
        say(JSON.stringify(await each(payload as readonly unknown[], interference)))
      } else {
        const body = await caller.answer(payload, original, interference)
        if (body !== undefined) say(body)
      }
    }

    client.on('message', (data: Buffer) => {
      if (hook?.socketFault(key) === 'silent') return
      answer(data).catch(() => client.terminate())
    })
    client.on('error', () => client.terminate())
    client.on('close', () => subscriptions.end())
  }

  return {
    upgrade(request, socket, head) {
      if (endpoint.isDown()) socket.end('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n')
      else if (hook?.socketFault(key) === 'closed') socket.destroy()
      else server.handleUpgrade(request, socket, head, serve)
    },
    close() {
      for (const client of server.clients) client.terminate()
      server.close()
      subscriber.close()
      feed.close()
    },
  }
}
