import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { WebSocket } from 'ws'
import { subscriptionKinds } from '../../contract/node/node-methods.ts'
import type { GatewayConfig } from '../kernel/settings/config.ts'
import type { Denial } from '../http/operator.ts'
import { callsOf, idOfMessage, readMessage, type Call, type Message } from './calls.ts'
import { errorText, noId, Refusal, rpcCodes } from './errors.ts'
import type { Pass, Passed } from './pass.ts'
import { admitMethod } from './privileges.ts'
import { decode } from './requests.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { Target } from './targets.ts'

type SessionOptions = {
  readonly config: GatewayConfig
  readonly target: Target
  readonly socketUrl: string
  readonly pass: Pass
  readonly subscriptions: Subscriptions
  /** The client that owns the socket: see `Asker`. */
  readonly client: string
  /** Why the handshake does not identify the operator. */
  readonly denial: Denial | undefined
  /** Called with the calls of each message that may pass. */
  readonly onCalls: (calls: readonly Call[]) => void
  /** Messages a minute. */
  readonly perMinute: number
}

/** Messages of one socket that are processed concurrently; reading pauses at this number. */
const maxUnderway = 16
/** Milliseconds that a client has to answer a close frame. */
const closeTimeoutMs = 1_000
/** Notifications that are queued until their subscription's answer has been sent. */
const maxHeldBack = 64
const kinds: ReadonlySet<string> = new Set(subscriptionKinds)

/** One client's socket. */
export class Session {
  readonly #socket: WebSocket
  readonly #options: SessionOptions
  readonly #gone = new AbortController()
  /** Functions that end subscriptions, by the id that the client knows. */
  readonly #ends = new Map<string, () => void>()
  readonly #heldBack = new Map<string, string[]>()
  readonly #queue: Buffer[] = []
  #underway = 0
  #beginning = 0
  #isAlive = true
  #minute = { until: 0, left: 0 }

  constructor(socket: WebSocket, options: SessionOptions) {
    this.#socket = socket
    this.#options = options
    // Every call in flight adds a listener.
    setMaxListeners(0, this.#gone.signal)
    socket.on('message', (data: Buffer) => {
      this.#queue.push(data)
      this.#pump()
    })
    socket.on('pong', () => (this.#isAlive = true))
    // An error event is always followed by a close event.
    socket.on('error', () => undefined)
    socket.once('close', () => {
      this.#gone.abort()
      this.#queue.length = 0
      for (const end of this.#ends.values()) end()
      this.#ends.clear()
    })
  }

  /** Ends a socket that has not answered the last ping; otherwise sends the next ping. */
  beat(): void {
    if (!this.#isAlive) return this.#socket.terminate()
    this.#isAlive = false
    this.#socket.ping()
  }

  /** Sends a close frame with a reason, and terminates a client that does not answer it in time. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
    const timer = setTimeout(() => this.#socket.terminate(), closeTimeoutMs)
    timer.unref()
    this.#socket.once('close', () => clearTimeout(timer))
  }

  /** Processes queued messages. One packet can hold several; reading is paused meanwhile. */
  #pump(): void {
    while (this.#underway < maxUnderway) {
      const data = this.#queue.shift()
      if (!data) break
      this.#underway += 1
      void this.#take(data)
    }
    if (this.#underway >= maxUnderway) this.#socket.pause()
    else if (this.#socket.isPaused) this.#socket.resume()
  }

  async #take(data: Buffer): Promise<void> {
    try {
      const begun: string[] = []
      const answer = await this.#answer(data, begun)
      if (answer !== undefined) this.#send(answer)
      for (const own of begun) this.#tellHeldBack(own)
    } catch {
      // A failure here is not the call's fault: the client should reconnect.
      this.close(1011, 'the service failed to answer')
    } finally {
      this.#underway -= 1
      this.#pump()
    }
  }

  async #answer(data: Buffer, begun: string[]): Promise<string | undefined> {
    const text = decode(data)
    if (text === undefined) return errorText(noId, rpcCodes.parse, 'parse error')
    const { config, target, perMinute, denial } = this.#options
    if (!this.#mayAsk()) {
      return errorText(
        idOfMessage(text) ?? noId,
        rpcCodes.limit,
        `more than ${perMinute} messages a minute; wait a minute`,
      )
    }
    const message = readMessage(text, {
      endpoints: target.endpoints,
      takesBatches: true,
      isSocket: true,
      config,
      admit: (method, name) => admitMethod(method, name, config, () => denial),
    })
    if ('text' in message) return message.text
    const { items, isBatch } = message
    const calls = callsOf(message)
    this.#options.onCalls(calls)
    if (!calls.some(isOwn)) return this.#pass(message)
    const answers = await Promise.all(
      items.map((item) => {
        if ('answer' in item) return item.answer
        return isOwn(item.call)
          ? this.#serve(item.call, begun)
          : this.#pass({ isBatch: false, items: [item] })
      }),
    )
    const told = answers.filter((answer) => answer !== undefined)
    if (told.length === 0) return undefined
    return isBatch ? `[${told.join(',')}]` : told.join('')
  }

  #mayAsk(): boolean {
    const now = performance.now()
    if (now >= this.#minute.until) this.#minute = { until: now + 60_000, left: this.#options.perMinute }
    this.#minute.left -= 1
    return this.#minute.left >= 0
  }

  /** The node's answer as one text; undefined if there is none. */
  async #pass(message: Message): Promise<string | undefined> {
    const { pass, target, config, client } = this.#options
    try {
      const passed = await pass.message(target, message, { client, gone: this.#gone.signal })
      return await wholeText(passed, config.sockets.bufferedBytes)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const texts = message.items.flatMap((item) => {
        if ('answer' in item) return item.answer ?? []
        return item.call.id === undefined ? [] : error.text(item.call.id)
      })
      if (texts.length === 0) return undefined
      return message.isBatch ? `[${texts.join(',')}]` : texts.join('')
    }
  }

  /** Answers eth_subscribe and eth_unsubscribe. */
  async #serve(call: Call, begun: string[]): Promise<string | undefined> {
    const id = call.id ?? noId
    let result: string
    try {
      result =
        call.method.nodeName === 'eth_subscribe'
          ? `"${await this.#subscribe(call, begun)}"`
          : String(this.#unsubscribe(call))
    } catch (error) {
      if (error instanceof Refusal) return error.text(id)
      throw error
    }
    return `{"jsonrpc":"2.0","id":${id},"result":${result}}`
  }

  async #subscribe({ params, paramsText }: Call, begun: string[]): Promise<string> {
    const [kind] = Array.isArray(params) ? (params as unknown[]) : []
    if (typeof kind !== 'string') {
      throw new Refusal(rpcCodes.invalidParams, 'expected subscription name as first argument')
    }
    if (!kinds.has(kind)) {
      throw new Refusal(
        rpcCodes.methodNotFound,
        `no ${JSON.stringify(kind.slice(0, 64))} subscription in eth namespace`,
      )
    }
    const { config, subscriptions, socketUrl } = this.#options
    const max = config.sockets.subscriptions
    if (this.#ends.size + this.#beginning >= max) {
      throw new Refusal(rpcCodes.limit, `a socket may have ${max} subscriptions`)
    }
    const own = `0x${randomBytes(16).toString('hex')}`
    this.#beginning += 1
    this.#heldBack.set(own, [])
    begun.push(own)
    try {
      const end = await subscriptions.subscribe(socketUrl, paramsText ?? '[]', {
        notify: (before, after) => this.#notify(own, before + own + after),
        end: () => this.close(1012, 'the node closed the connection'),
      })
      if (this.#gone.signal.aborted) end()
      else this.#ends.set(own, end)
    } finally {
      this.#beginning -= 1
    }
    return own
  }

  /** Holds notifications back until the client knows the subscription's id. */
  #notify(own: string, text: string): void {
    const heldBack = this.#heldBack.get(own)
    if (!heldBack) this.#send(text)
    else if (heldBack.length < maxHeldBack) heldBack.push(text)
  }

  #tellHeldBack(own: string): void {
    const heldBack = this.#heldBack.get(own) ?? []
    this.#heldBack.delete(own)
    if (this.#ends.has(own)) for (const text of heldBack) this.#send(text)
  }

  #unsubscribe({ params }: Call): true {
    const [own] = Array.isArray(params) ? (params as unknown[]) : []
    const end = typeof own === 'string' ? this.#ends.get(own) : undefined
    if (!end || typeof own !== 'string') throw new Refusal(rpcCodes.general, 'subscription not found')
    this.#ends.delete(own)
    end()
    return true
  }

  #send(text: string): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    // A client that does not read is disconnected before its buffer costs memory.
    if (this.#socket.bufferedAmount > this.#options.config.sockets.bufferedBytes) this.#socket.terminate()
    else this.#socket.send(text)
  }
}

const isOwn = ({ method }: Call): boolean => method.facts.isSocketOnly

/** The complete text of an answer. Throws a Refusal above `max` bytes: a socket buffers the whole text. */
async function wholeText({ head, rest }: Passed, max: number): Promise<string | undefined> {
  const chunks = [head]
  let size = head.length
  for await (const chunk of rest ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > max) break
  }
  if (size > max) {
    throw new Refusal(rpcCodes.limit, `the answer is larger than ${max} bytes: ask for it over HTTP`)
  }
  const text = Buffer.concat(chunks).toString('utf8').trimEnd()
  return text === '' ? undefined : text
}
