import type { FastifyInstance } from 'fastify'
import { HttpError } from '../errors.ts'
import { EventStream, eventText } from './event-stream.ts'
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
  const open = new Set<EventStream>()
  const unsubscribe = live.subscribe(({ name, data }) => {
    const text = eventText(name, data)
    for (const stream of open) stream.writeOrCut(text)
  })
  const beat = setInterval(() => {
    for (const stream of open) stream.beat()
  }, heartbeat)
  beat.unref()
  app.addHook('preClose', async () => {
    clearInterval(beat)
    unsubscribe()
    for (const { response } of open) response.end()
  })

  // A HEAD request would hold a connection that never says anything.
  app.get('/events', { exposeHeadRoute: false }, (request, reply) => {
    if (open.size >= maxConnections) {
      throw new HttpError(503, `all ${maxConnections} live connections are taken`, {
        headers: { 'retry-after': '10' },
      })
    }
    const stream = new EventStream(request, reply, maxBuffered)
    stream.write('retry: 3000\n\n')
    open.add(stream)
    stream.response.once('close', () => open.delete(stream))
  })
}
