import { WebSocket } from 'ws'
import { holdSocket } from '../node/held-sockets.ts'
import { Refusal, rpcCodes } from './errors.ts'
import { AmbiguousJson, objectsAt, type Member } from './json-text.ts'
import { redact, secretsOf } from './secrets.ts'

/** Takes what a subscription brings: the notification is `before`, the reader's own id and `after`. */
export type Listener = {
  notify(before: string, after: string): void
  /** The subscription is over and will not come back. */
  end(): void
}

/** Subscriptions at a chain's node, shared by everybody who asks for the same. */
export type Subscriptions = {
  /**
   * Begins to listen; `params` is the JSON of the parameters of eth_subscribe. Resolves with what ends it, once
   * the node has agreed. Rejects with a Refusal, in the node's words where it refuses.
   */
  subscribe(url: string, params: string, listener: Listener): Promise<() => void>
  /** Ends connections that have been silent since the last call; to be called at a slow beat. */
  beat(): void
  close(): void
}

type Feed = {
  readonly params: string
  readonly listeners: Set<Listener>
  /** Settles when the node has agreed or refused. */
  readonly ready: Promise<void>
  /** The node's id; absent until it has agreed. */
  id?: string
}

type Waiting = { resolve(id: string): void; reject(error: Error): void; readonly timer: NodeJS.Timeout }

/** Different subscriptions at one node. */
const mostFeeds = 4_096
/** The longest message of a node, such as all logs of a block that one filter matches. */
const longestMessage = 8 * 1_048_576

/**
 * Makes the subscriptions. A chain's node is connected with the first one and left with the last one; ten
 * thousand readers of heads cost it one socket and one subscription.
 */
export function createSubscriptions(patience: number): Subscriptions {
  const connections = new Map<string, Connection>()

  return {
    async subscribe(url, params, listener) {
      let connection = connections.get(url)
      if (!connection) {
        connection = new Connection(url, patience, () => {
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
  readonly #patience: number
  readonly #onEnd: () => void
  readonly #secrets: readonly string[]
  readonly #feeds = new Map<string, Feed>()
  readonly #byId = new Map<string, Feed>()
  readonly #waiting = new Map<number, Waiting>()
  #nextId = 1
  #isAlive = true

  constructor(url: string, patience: number, onEnd: () => void) {
    this.#patience = patience
    this.#onEnd = onEnd
    this.#secrets = secretsOf(url)
    this.#socket = new WebSocket(url, {
      handshakeTimeout: patience,
      maxPayload: longestMessage,
      perMessageDeflate: false,
      followRedirects: false,
      // What follows an answer in the same packet waits until the answer has been worked on.
      allowSynchronousEvents: false,
    })
    this.#open = new Promise((resolve, reject) => {
      this.#socket.once('open', resolve)
      this.#socket.once('close', () => reject(unreachable()))
    })
    // Whoever subscribes waits for it; nobody may.
    this.#open.catch(() => undefined)
    // An error is always followed by a close; its words may hold the URL.
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
        // Those that still wait for the node's consent are refused instead.
        if (id !== undefined) for (const listener of listeners) listener.end()
      }
      this.#feeds.clear()
    })
  }

  async listen(params: string, listener: Listener): Promise<() => void> {
    let feed = this.#feeds.get(params)
    if (!feed) {
      if (this.#feeds.size >= mostFeeds) {
        throw new Refusal(rpcCodes.limit, `${mostFeeds} different subscriptions are open at the node`)
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
      // Whoever comes next gets a connection that is not about to end.
      this.#onEnd()
      return this.#socket.close()
    }
    if (feed.id === undefined) return
    this.#byId.delete(feed.id)
    // Nobody listens any more: whether the node knew it does not matter.
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
      }, this.#patience)
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

/** Sends the result on as the node wrote it, each reader's own id before it. */
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
    // A node that gives a key twice says nothing that can be passed on.
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
    // A node that does not write JSON says nothing that anybody waits for.
    return {}
  }
}

function unreachable(): Refusal {
  return new Refusal(rpcCodes.general, 'the socket of the node can not be reached', { status: 502 })
}
