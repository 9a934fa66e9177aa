import { WebSocket } from 'ws'
import { holdSocket } from '../node/held-sockets.ts'
import { Refusal, rpcCodes } from './errors.ts'
import { AmbiguousJson, objectsAt, type Member } from './json-text.ts'
import { redact, secretsOf } from './secrets.ts'

/** Receives notifications: the text is `before`, the client's own subscription id, then `after`. */
type Listener = {
  notify(before: string, after: string): void
  /** The subscription has ended for good. */
  end(): void
}

/** Subscriptions at a chain's node; equal subscriptions are shared. */
export type Subscriptions = {
  /**
   * Subscribes; `params` is the JSON of the parameters of eth_subscribe. Resolves with the function that unsubscribes,
   * once the node has accepted. Rejects with a Refusal, which quotes the node's own error.
   */
  subscribe(url: string, params: string, listener: Listener): Promise<() => void>
  /** Ends connections that have been silent since the last call; called at a slow interval. */
  beat(): void
  close(): void
}

type Feed = {
  readonly params: string
  readonly listeners: Set<Listener>
  /** Settles when the node has accepted or refused. */
  readonly ready: Promise<void>
  /** The node's subscription id; absent until the node has accepted. */
  id?: string
}

type Waiting = { resolve(id: string): void; reject(error: Error): void; readonly timer: NodeJS.Timeout }

/** The most distinct subscriptions at one node. */
const maxFeeds = 4_096
/** The longest message of a node, such as all logs of a block that one filter matches. */
const longestMessage = 8 * 1_048_576

/**
 * Creates the shared subscriptions. The first subscription to a chain's node opens a connection and the last one closes
 * it; ten thousand clients that follow heads cost the node one socket and one subscription.
 */
export function createSubscriptions(timeoutMs: number): Subscriptions {
  const connections = new Map<string, Connection>()

  return {
    async subscribe(url, params, listener) {
      let connection = connections.get(url)
      if (!connection) {
        connection = new Connection(url, timeoutMs, () => {
          if (connections.get(url) === connection) connections.delete(url)
        })
        connections.set(url, connection)
      }
      return connection.listen(params, listener)
    },
    beat() {
      for (const connection of connections.values()) connection.beat()
    },
    close() {
      for (const connection of connections.values()) connection.end()
    },
  }
}

class Connection {
  readonly #socket: WebSocket
  readonly #open: Promise<void>
  readonly #timeoutMs: number
  readonly #onEnd: () => void
  readonly #secrets: readonly string[]
  readonly #feeds = new Map<string, Feed>()
  readonly #byId = new Map<string, Feed>()
  readonly #waiting = new Map<number, Waiting>()
  #nextId = 1
  #isAlive = true

  constructor(url: string, timeoutMs: number, onEnd: () => void) {
    this.#timeoutMs = timeoutMs
    this.#onEnd = onEnd
    this.#secrets = secretsOf(url)
    this.#socket = new WebSocket(url, {
      handshakeTimeout: timeoutMs,
      maxPayload: longestMessage,
      perMessageDeflate: false,
      followRedirects: false,
      // Later messages of the same packet wait until the answer has been processed.
      allowSynchronousEvents: false,
    })
    this.#open = new Promise((resolve, reject) => {
      this.#socket.once('open', resolve)
      this.#socket.once('close', () => reject(unreachable()))
    })
    // Subscribers await this promise; without any, its rejection must not be unhandled.
    this.#open.catch(() => undefined)
    // An error event is always followed by a close event. Its text may contain the URL.
    this.#socket.on('error', () => undefined)
    this.#socket.on('message', (data: Buffer) => this.#receive(data))
    this.#socket.on('pong', () => (this.#isAlive = true))
    const release = holdSocket(url, () => this.end())
    this.#socket.once('close', () => {
      release()
      onEnd()
      for (const waiting of this.#waiting.values()) this.#settle(waiting, unreachable())
      this.#waiting.clear()
      for (const { id, listeners } of this.#feeds.values()) {
        // Subscriptions that the node has not accepted yet are refused instead.
        if (id !== undefined) for (const listener of listeners) listener.end()
      }
      this.#feeds.clear()
    })
  }

  async listen(params: string, listener: Listener): Promise<() => void> {
    let feed = this.#feeds.get(params)
    if (!feed) {
      if (this.#feeds.size >= maxFeeds) {
        throw new Refusal(rpcCodes.limit, `${maxFeeds} different subscriptions are open at the node`)
      }
      feed = this.#begin(params)
    }
    feed.listeners.add(listener)
    try {
      await feed.ready
    } catch (error) {
      this.#leave(feed, listener)
      throw error
    }
    return () => this.#leave(feed, listener)
  }

  /** Ends a connection that has not answered the last ping. */
  beat(): void {
    if (!this.#isAlive) return this.#socket.terminate()
    this.#isAlive = false
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
  }

  end(): void {
    this.#socket.terminate()
  }

  #begin(params: string): Feed {
    const ready = this.#ask('eth_subscribe', params).then((id) => {
      feed.id = id
      this.#byId.set(id, feed)
    })
    const feed: Feed = { params, listeners: new Set(), ready }
    this.#feeds.set(params, feed)
    return feed
  }

  #leave(feed: Feed, listener: Listener): void {
    feed.listeners.delete(listener)
    if (feed.listeners.size > 0 || this.#feeds.get(feed.params) !== feed) return
    this.#feeds.delete(feed.params)
    if (this.#feeds.size === 0) {
      // The next subscriber gets a new connection.
      this.#onEnd()
      return this.#socket.close()
    }
    if (feed.id === undefined) return
    this.#byId.delete(feed.id)
    // No listener is left, so the node's answer does not matter.
    this.#ask('eth_unsubscribe', JSON.stringify([feed.id])).catch(() => undefined)
  }

  async #ask(method: string, params: string): Promise<string> {
    await this.#open
    if (this.#socket.readyState !== WebSocket.OPEN) throw unreachable()
    return new Promise((resolve, reject) => {
      const id = this.#nextId++
      const timer = setTimeout(() => {
        this.#waiting.delete(id)
        reject(new Refusal(rpcCodes.general, 'the node did not answer in time', { status: 504 }))
      }, this.#timeoutMs)
      this.#waiting.set(id, { resolve, reject, timer })
      this.#socket.send(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`)
    })
  }

  #receive(data: Buffer): void {
    const text = redact(data, this.#secrets).toString('utf8')
    const message = parse(text)
    const { params, id } = message
    const subscription =
      typeof params === 'object' && params !== null
        ? (params as { subscription?: unknown }).subscription
        : undefined
    const feed = typeof subscription === 'string' ? this.#byId.get(subscription) : undefined
    if (feed) return notifyAll(feed, text)
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined
    if (!waiting || typeof id !== 'number') return
    this.#waiting.delete(id)
    this.#settle(waiting, outcomeOf(message))
  }

  #settle(waiting: Waiting, outcome: string | Error): void {
    clearTimeout(waiting.timer)
    if (typeof outcome === 'string') waiting.resolve(outcome)
    else waiting.reject(outcome)
  }
}

/** Forwards the result as the node wrote it, with each client's own id. */
function notifyAll(feed: Feed, text: string): void {
  const result = resultIn(text)
  if (!result) return
  const before = '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"'
  const after = `","result":${text.slice(result.start, result.end)}}}`
  for (const listener of feed.listeners) listener.notify(before, after)
}

function resultIn(text: string): Member | undefined {
  try {
    const [params] = objectsAt(text, 2).filter((members) => members.has('subscription'))
    return params?.get('result')
  } catch (error) {
    // A notification with a duplicate key cannot be passed on.
    if (error instanceof AmbiguousJson) return undefined
    throw error
  }
}

function outcomeOf({ result, error }: Readonly<Record<string, unknown>>): string | Error {
  if (typeof result === 'string') return result
  if (result === true) return 'true'
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >
  return new Refusal(
    typeof code === 'number' && Number.isInteger(code) ? code : rpcCodes.general,
    typeof message === 'string' ? message.slice(0, 300) : 'the node refused the subscription',
  )
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // Invalid JSON answers no call.
    return {}
  }
}

function unreachable(): Refusal {
  return new Refusal(rpcCodes.general, 'the socket of the node cannot be reached', { status: 502 })
}
