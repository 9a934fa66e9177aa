import type { FastifyInstance } from 'fastify'
import { heartbeatSeconds, type LiveEvent } from '../../contract/events.ts'
import { HttpError } from '../kernel/http-errors.ts'
import { EventStream, eventText } from './event-stream.ts'
import type { StoreGate } from '../store/store-gate.ts'
import type { LiveHub } from './hub.ts'

type StreamOptions = {
  readonly live: LiveHub
  readonly store: StoreGate
  /** Unix seconds. */
  readonly clock: () => number
  /** Maximum number of open connections. */
  readonly maxConnections: number
  /** Milliseconds between two heartbeats. */
  readonly heartbeat?: number
  /** Maximum bytes buffered for a slow client before it is disconnected. */
  readonly maxBuffered?: number
}

/**
 * Milliseconds after which the database counts as unresponsive: the answer must arrive before the next
 * heartbeat.
 */
const pulseWithin = 2_000

/**
 * `/events`: heads, reorgs and progress of every chain as server-sent events (contract/events.ts). A client
 * that does not keep up is disconnected and reconnects by itself. Nothing is replayed, because clients reload
 * what they show.
 *
 * Before each heartbeat, a message is sent through the database and back. A heartbeat therefore proves that
 * this process runs, that the database answers and that announcements arrive; otherwise it reports which of
 * these is missing.
 */
export function streamEvents(app: FastifyInstance, options: StreamOptions): void {
  const { live, store, clock, maxConnections, maxBuffered = 64 * 1024 } = options
  const { heartbeat = heartbeatSeconds * 1_000 } = options
  const open = new Set<EventStream>()
  const unsubscribe = live.subscribe(({ name, data }) => {
    const text = eventText(name, data)
    for (const stream of open) stream.writeOrCut(text)
  })

  const reasonNow = async (): Promise<string | undefined> => {
    if (store.closedReason !== undefined) return store.closedReason
    const { primary, replica } = store.get()
    const reason = await live.pulse(primary, pulseWithin)
    return reason !== undefined && replica ? `no news arrives from the primary: ${reason}` : reason
  }
  // Clients that connect at the same time share one check.
  let proof: Promise<string> | undefined
  const heartbeatText = (): Promise<string> => {
    proof ??= reasonNow()
      .then((reason) => {
        const data: LiveEvent<'heartbeat'> = { time: clock(), ...(reason !== undefined && { reason }) }
        return eventText('heartbeat', data)
      })
      .finally(() => {
        proof = undefined
      })
    return proof
  }
  const beat = setInterval(() => {
    if (open.size === 0) return
    void heartbeatText().then((text) => {
      for (const stream of open) stream.writeOrCut(text)
    })
  }, heartbeat)
  beat.unref()
  app.addHook('preClose', async () => {
    clearInterval(beat)
    unsubscribe()
    for (const { response } of open) response.end()
    open.clear()
  })

  // A HEAD request would hold a connection without data.
  app.get('/events', { exposeHeadRoute: false, config: { isUncounted: true } }, (request, reply) => {
    if (open.size >= maxConnections) {
      throw new HttpError(503, `all ${maxConnections} live connections are taken`, {
        headers: { 'retry-after': '10' },
      })
    }
    const stream = new EventStream(request, reply, maxBuffered)
    stream.write('retry: 3000\n\n')
    open.add(stream)
    stream.response.once('close', () => open.delete(stream))
    void heartbeatText().then((text) => {
      if (open.has(stream)) stream.writeOrCut(text)
    })
  })
}
