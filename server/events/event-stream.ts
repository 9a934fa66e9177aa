import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The server-sent events response of one client. */
export class EventStream {
  readonly response: ServerResponse
  readonly #maxBuffered: number

  /**
   * Takes the response over from the framework. `maxBuffered` is the limit of buffered bytes for a slow
   * client.
   */
  constructor(request: FastifyRequest, reply: FastifyReply, maxBuffered: number) {
    this.response = reply.raw
    this.#maxBuffered = maxBuffered
    reply.hijack()
    this.response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    request.raw.socket.setNoDelay(true)
  }

  /** Whether more data is buffered than allowed. */
  get isBehind(): boolean {
    return this.response.writableLength > this.#maxBuffered
  }

  /** Writes text regardless of the buffer. */
  write(text: string): void {
    this.response.write(text)
  }

  /** Writes text that a client that is behind can miss. */
  writeUnlessBehind(text: string): void {
    if (!this.isBehind) this.response.write(text)
  }

  /** Writes text, or disconnects a client that is behind, to bound memory. */
  writeOrCut(text: string): void {
    if (this.isBehind) this.response.destroy()
    else this.response.write(text)
  }

  /**
   * Keeps an idle connection open. A client that has not read the data since the last heartbeat is
   * disconnected.
   */
  beat(): void {
    this.writeOrCut(': still here\n\n')
  }
}

/** The text of an event with JSON data. */
export const eventText = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
