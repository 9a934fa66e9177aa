import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** One reader's answer of server-sent events. */
export class EventStream {
  readonly response: ServerResponse
  readonly #mostBuffered: number

  /** Takes the answer over from the framework. `mostBuffered` is in bytes: more waits for no slow reader. */
  constructor(request: FastifyRequest, reply: FastifyReply, mostBuffered: number) {
    this.response = reply.raw
    this.#mostBuffered = mostBuffered
    reply.hijack()
    this.response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    request.raw.socket.setNoDelay(true)
  }

  /** Whether more waits for the reader than may. */
  get isBehind(): boolean {
    return this.response.writableLength > this.#mostBuffered
  }

  /** Writes text whatever waits. */
  write(text: string): void {
    this.response.write(text)
  }

  /** Writes text that a reader who is behind can do without. */
  writeUnlessBehind(text: string): void {
    if (!this.isBehind) this.response.write(text)
  }

  /** Writes text, or cuts off a reader that is behind: it holds memory for nobody. */
  writeOrCut(text: string): void {
    if (this.isBehind) this.response.destroy()
    else this.response.write(text)
  }

  /** Keeps a quiet connection open. One who has not taken what waited a heartbeat ago takes nothing. */
  beat(): void {
    this.writeOrCut(': still here\n\n')
  }
}

/** The text of an event with data in JSON. */
export const eventText = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
