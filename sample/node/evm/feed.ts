import { WebSocket } from 'ws'
import type { EvmChain } from '../../evm/evm-chain.ts'

/** An event that a chain's node sends. */
export type FeedEvent =
  | { readonly kind: 'head'; readonly header: Entry }
  | { readonly kind: 'log'; readonly log: Entry }
  | { readonly kind: 'pending'; readonly hash: string }

export type Entry = Readonly<Record<string, unknown>>

/** Streams a chain's events; all listeners share one connection to its node. */
export type EvmFeed = {
  /**
   * Resolves once events arrive, with a function that stops them. `lost` is called when the node closes the
   * connection.
   */
  listen(hear: (event: FeedEvent) => void, lost: () => void): Promise<() => void>
  close(): void
}

const feedKinds = [['newHeads'], ['logs', {}], ['newPendingTransactions']] as const

type Listener = {
  readonly hear: (event: FeedEvent) => void
  readonly lost: () => void
}

type Push = {
  readonly id?: number
  readonly result?: unknown
  readonly params?: { readonly subscription: string; readonly result: unknown }
}

/** A feed of the chain, connected while it has listeners. */
export function createFeed(starting: Promise<EvmChain>): EvmFeed {
  const listeners = new Set<Listener>()
  let connection: Promise<WebSocket> | undefined

  function eventOf(kind: string, result: unknown): FeedEvent {
    if (kind === 'newHeads') return { kind: 'head', header: result as Entry }
    if (kind === 'logs') return { kind: 'log', log: result as Entry }
    return { kind: 'pending', hash: String(result) }
  }

  async function connect(): Promise<WebSocket> {
    const { anvil } = await starting
    const socket = new WebSocket(`ws://127.0.0.1:${anvil.port}`)
    const kinds = new Map<string, string>()
    const subscribed = new Promise<void>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('open', () => {
        for (const [id, params] of feedKinds.entries()) {
          socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params }))
        }
      })
      socket.on('message', (data: Buffer) => {
        const { id, result, params } = JSON.parse(data.toString('utf8')) as Push
        if (params !== undefined) {
          const event = eventOf(kinds.get(params.subscription) ?? '', params.result)
          for (const { hear } of listeners) hear(event)
        } else if (id !== undefined) {
          kinds.set(String(result), feedKinds[id]?.[0] ?? '')
          if (kinds.size === feedKinds.length) resolve()
        }
      })
    })
    socket.on('close', () => {
      connection = undefined
      for (const { lost } of listeners) lost()
      listeners.clear()
    })
    await subscribed
    return socket
  }

  function hangUp(): void {
    const open = connection
    connection = undefined
    // A failed connection has nothing to close.
    void open?.then((socket) => socket.close()).catch(() => undefined)
  }

  return {
    async listen(hear, lost) {
      const listener = { hear, lost }
      connection ??= connect()
      try {
        await connection
      } catch (error) {
        connection = undefined
        throw error
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) hangUp()
      }
    },
    close: hangUp,
  }
}
