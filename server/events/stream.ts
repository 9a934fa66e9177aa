import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../errors.ts'
import type { LiveHub } from './hub.ts'

export type StreamOptions = {
  readonly live: LiveHub
  /** Connections open at once. */
  readonly maxConnections: number
  /** Milliseconds between the comments that keep a quiet connection open. */
  readonly heartbeat?: number
  /** Bytes that may wait for a slow reader before it is cut off. */
  readonly maxBuffered?: number
}

/**
 * `/events`: heads, reorgs and progress of every chain as server-sent events (contract/events.ts).
 * A reader that does not keep up is cut off and reconnects by itself; nothing is replayed, because a
 * reader asks again for what it shows.
 */
export function streamEvents(app: FastifyInstance, options: StreamOptions): void {
  const { live, maxConnections, heartbeat = 15_000, maxBuffered = 64 * 1024 } = options
  const open = new Set<ServerResponse>()

  const send = (response: ServerResponse, text: string): void => {
    // A reader that has stalled for a heartbeat with this much waiting holds memory for nobody.
    if (response.writableLength > maxBuffered) response.destroy()
    else response.write(text)
  }
  const sendAll = (text: string): void => {
    for (const response of open) send(response, text)
  }
  const unsubscribe = live.subscribe(({ name, data }) =>
    sendAll(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
  )
  const beat = setInterval(() => sendAll(': still here\n\n'), heartbeat)
  beat.unref()
  app.addHook('preClose', async () => {
    clearInterval(beat)
    unsubscribe()
    for (const response of open) response.end()
  })

  // A HEAD request would hold a connection that never says anything.
  app.get('/events', { exposeHeadRoute: false }, (request, reply) => {
    if (open.size >= maxConnections) {
      throw new HttpError(503, `all ${maxConnections} live connections are taken`, {
        headers: { 'retry-after': '10' },
      })
    }
    const response = reply.raw
    reply.hijack()
    response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    response.write('retry: 3000\n\n')
    request.raw.socket.setNoDelay(true)
    open.add(response)
    response.once('close', () => open.delete(response))
  })
}
