import { parseLossless } from '../../../contract/base/json.ts'
import { nodePaths } from './node-queries.ts'
import type { NodeTarget } from './node-targets.ts'

/** The state of a socket. `closed` has the browser's code and reason. */
export type SocketState =
  { state: 'connecting' } | { state: 'open' } | { state: 'closed'; code: number; reason: string }

/** The callbacks of a socket's owner. */
type SocketListener = {
  onState: (state: SocketState) => void
  /** Called for a notification with its subscription's id and its length in bytes. */
  onEvent: (subscription: string, result: unknown, size: number) => void
}

/** A websocket of an EVM chain. */
export type NodeSocket = {
  /** Starts a subscription and returns its id; rejects with the node's reason. */
  subscribe: (params: readonly unknown[]) => Promise<string>
  /** Ends a subscription. */
  unsubscribe: (subscription: string) => Promise<void>
  close: () => void
}

type Frame = {
  id?: unknown
  method?: unknown
  result?: unknown
  error?: { message?: unknown }
  params?: { subscription?: unknown; result?: unknown }
}

const timeoutMs = 15_000

/** The websocket address of a chain of a node. */
export function socketUrl(target: NodeTarget, chain: string, origin: string): string {
  const url = new URL(`${target.base || origin}${nodePaths.socket(chain)}`)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

function frameOf(text: string): Frame | undefined {
  try {
    const value = parseLossless(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // A node sends JSON only; anything else belongs to no call.
    return undefined
  }
}

/**
 * Opens the websocket of a chain (docs/gateway.md, Paths). Calls wait until it is open, and fail when it closes or
 * when no answer arrives within 15 s.
 */
export function openSocket(url: string, listener: SocketListener): NodeSocket {
  const socket = new WebSocket(url)
  const waiting = new Map<number, { settle: (frame: Frame) => void; fail: (error: Error) => void }>()
  const queue: string[] = []
  let lastId = 0
  listener.onState({ state: 'connecting' })
  socket.addEventListener('open', () => {
    listener.onState({ state: 'open' })
    for (const text of queue.splice(0)) socket.send(text)
  })
  socket.addEventListener('close', ({ code, reason }) => {
    for (const { fail } of waiting.values()) fail(new Error('The socket closed before the node answered.'))
    waiting.clear()
    listener.onState({ state: 'closed', code, reason })
  })
  socket.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') return
    const frame = frameOf(data)
    if (!frame) return
    if (frame.method === 'eth_subscription' && typeof frame.params?.subscription === 'string')
      listener.onEvent(frame.params.subscription, frame.params.result, data.length)
    else if (typeof frame.id === 'number') waiting.get(frame.id)?.settle(frame)
  })
  const call = (method: string, params: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = (lastId += 1)
      const timer = setTimeout(() => {
        waiting.delete(id)
        reject(new Error(`The node did not answer ${method} within ${timeoutMs / 1000} seconds.`))
      }, timeoutMs)
      const done = (): void => {
        clearTimeout(timer)
        waiting.delete(id)
      }
      waiting.set(id, {
        settle: ({ error, result }) => {
          done()
          if (error) reject(new Error(String(error.message ?? 'The node gave no reason.')))
          else resolve(result)
        },
        fail: (error) => {
          done()
          reject(error)
        },
      })
      const text = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
      else if (socket.readyState === WebSocket.CONNECTING) queue.push(text)
      else waiting.get(id)?.fail(new Error('The socket is closed.'))
    })
  return {
    subscribe: async (params) => {
      const id = await call('eth_subscribe', params)
      if (typeof id !== 'string') throw new Error('The node gave the subscription no ID.')
      return id
    },
    unsubscribe: async (subscription) => {
      await call('eth_unsubscribe', [subscription])
    },
    close: () => socket.close(1000),
  }
}
