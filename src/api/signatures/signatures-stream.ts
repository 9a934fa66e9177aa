import {
  aggregationEvents,
  aggregationStreamPath,
  type AggregationEvent,
  type AggregationEventName,
} from '../../../contract/signatures/aggregation-events.ts'
import type { BodyOf } from '../../../contract/base/operation.ts'
import type { aggregateSignatures } from '../../../contract/signatures/signatures.ts'
import type { NetworkName } from '../current.ts'
import { ApiError, errorOfAnswer, unreached } from '../errors.ts'
import { keyed, session } from '../session.ts'
import { sseReader } from './signatures-sse.ts'

/** The request body of an aggregation. */
export type SignatureRequest = NonNullable<BodyOf<typeof aggregateSignatures>>

/** An event of a round, with its name. */
export type RoundEvent = {
  [N in AggregationEventName]: { name: N; data: AggregationEvent<N> }
}[AggregationEventName]

const unreadable = (message: string, cause?: unknown): ApiError =>
  new ApiError('answer', message, { name: 'Unreadable answer', cause })

const isKnown = (name: string): name is AggregationEventName => Object.hasOwn(aggregationEvents, name)

function parseEvent(name: AggregationEventName, text: string): RoundEvent {
  try {
    return { name, data: aggregationEvents[name].parse(JSON.parse(text)) } as RoundEvent
  } catch (cause) {
    throw unreadable(`Unexpected event ${name} of the round.`, cause)
  }
}

/** A body's text in chunks. A broken connection is an ApiError; an abort rejects with the signal's reason. */
async function* textOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield decoder.decode(value, { stream: true })
    }
    yield decoder.decode()
  } catch (cause) {
    signal.throwIfAborted()
    throw new ApiError('network', 'The connection broke while signatures came in.', {
      name: 'Network',
      cause,
    })
  } finally {
    // A caller that stops early closes the connection, and with it its part of the round.
    await reader.cancel().catch(() => undefined)
  }
}

/**
 * The events of a round from an event stream, in the batches in which they arrived. Unknown events are skipped. Ends
 * with `done` or `failed`; a stream that ends without one of them is an ApiError.
 */
export async function* roundEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<readonly RoundEvent[]> {
  const read = sseReader()
  for await (const piece of textOf(body, signal)) {
    const events: RoundEvent[] = []
    for (const { name, data } of read(piece)) if (isKnown(name)) events.push(parseEvent(name, data))
    if (events.length === 0) continue
    yield events
    if (events.some(({ name }) => name === 'done' || name === 'failed')) return
  }
  throw unreadable('The service ended the round without saying how it went.')
}

/**
 * Runs a round and yields its events (contract/signatures/aggregation-events.ts). A refusal by the service is an
 * ApiError; aborting leaves the round.
 */
export async function* followRound(
  network: NetworkName,
  request: SignatureRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly RoundEvent[]> {
  const { profile } = await session()
  const path = aggregationStreamPath.replace('{network}', network)
  let response: Response
  try {
    response = await fetch(`${profile.dataUrl.replace(/\/$/, '')}${path}`, {
      method: 'POST',
      ...keyed(profile, {
        accept: 'text/event-stream',
        'content-type': 'application/json',
      }),
      body: JSON.stringify(request),
      signal,
    })
  } catch (cause) {
    signal.throwIfAborted()
    throw unreached(cause)
  }
  if (!response.ok) throw await errorOfAnswer(response, Date.now())
  if (!response.body) throw unreadable('The service sent no events.')
  yield* roundEvents(response.body, signal)
}
