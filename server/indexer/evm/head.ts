import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { holdSocket } from '../../node/held-sockets.ts'

type HeadWatcherOptions = {
  wsUrl: string | undefined
  /** Milliseconds between polls; also the longest wait for a silent socket. */
  pollEvery: number
  signal: AbortSignal
}

const firstPause = 500
const longestPause = 30_000
const maxFrame = 4 * 1024 * 1024

/**
 * Decides when to look for a new head: when the node's websocket announces one, and at every poll. The socket
 * is only a wake-up signal; the head itself is fetched over HTTP. A socket that announces nothing while polls
 * find new heads is reopened.
 */
export class HeadWatcher {
  readonly #options: HeadWatcherOptions
  #socket: WebSocket | undefined
  #wake: (() => void) | undefined
  #announced = false
  #missed = 0
  #pause = firstPause

  constructor(options: HeadWatcherOptions) {
    this.#options = options
    options.signal.addEventListener('abort', () => this.#socket?.terminate(), { once: true })
    this.#connect()
  }

  /** Waits for an announcement or the next poll. Returns true for an announcement. */
  async next(): Promise<boolean> {
    if (!this.#announced) {
      const timer = new AbortController()
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const signal = AbortSignal.any([timer.signal, this.#options.signal])
      await Promise.race([
        woken,
        sleep(this.#options.pollEvery, undefined, { signal }).catch(() => undefined),
      ])
      timer.abort()
      this.#wake = undefined
    }
    const announced = this.#announced
    this.#announced = false
    return announced
  }

  /** Call it when a poll found a head that the socket had not announced. */
  foundByPoll(): void {
    if (!this.#socket || this.#socket.readyState !== WebSocket.OPEN) return
    this.#missed += 1
    if (this.#missed >= 3) this.#socket.terminate()
  }

  /**
   * Call it when the node does not answer: some nodes answer only after all sockets are closed
   * (server/node/held-sockets.ts).
   */
  foundNothing(): void {
    this.#socket?.terminate()
  }

  #connect(): void {
    const { wsUrl, signal } = this.#options
    if (wsUrl === undefined || signal.aborted) return
    const socket = new WebSocket(wsUrl, { maxPayload: maxFrame, handshakeTimeout: 10_000 })
    this.#socket = socket
    this.#missed = 0
    const release = holdSocket(wsUrl, () => socket.terminate())
    socket.on('open', () => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
    })
    socket.on('message', (data) => {
      if (!isAnnouncement(String(data))) return
      this.#missed = 0
      this.#pause = firstPause
      this.#announced = true
      this.#wake?.()
    })
    // An error is followed by `close`. Polling continues without the socket.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      release()
      this.#socket = undefined
      this.#reconnect().catch(() => undefined)
    })
  }

  async #reconnect(): Promise<void> {
    await sleep(this.#pause, undefined, { signal: this.#options.signal })
    this.#pause = Math.min(longestPause, this.#pause * 2)
    this.#connect()
  }
}

function isAnnouncement(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return (
      typeof value === 'object' && value !== null && 'method' in value && value.method === 'eth_subscription'
    )
  } catch {
    return false
  }
}
