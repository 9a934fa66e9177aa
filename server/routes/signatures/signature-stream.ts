import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import {
  aggregationStreamPath,
  type AggregationEvent,
  type AggregationEventName,
} from '../../../contract/signatures/aggregation-events.ts'
import { aggregateSignatures } from '../../../contract/signatures/signatures.ts'
import { errorAnswer, HttpError } from '../../kernel/http-errors.ts'
import { EventStream, eventText } from '../../events/event-stream.ts'
import { readInput, routeOfBody, routePath } from '../../http/bind.ts'
import { hexText } from '../../../protocol/ids/text.ts'
import { signedMessageOf, type Aggregator } from '../../signatures/aggregator.ts'
import { messageFields } from '../../signatures/message-fields.ts'
import { requiredWeight, type SignerResult } from '../../signatures/round.ts'
import type { Plan, Share } from '../../signatures/rounds.ts'
import { readSources } from '../../signatures/sources.ts'
import { QuorumUnreached } from '../../signatures/unreached.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { findNetwork, type ServedNetwork } from '../../primary/served-network.ts'
import { Texts } from '../../primary/texts.ts'
import { requestBody, signerSetFields } from './signatures.ts'

type AggregationStreamOptions = {
  /** Maximum number of open streams. */
  readonly maxConnections: number
  /** Milliseconds between the comments that keep an idle connection open. */
  readonly heartbeat?: number
  /** Maximum bytes buffered for a slow client; beyond it, single signers are not reported. */
  readonly maxBuffered?: number
}

/**
 * A signature round as server-sent events (contract/signatures/aggregation-events.ts). An invalid request, or
 * one without a free slot, is answered like `aggregateSignatures`. Once the stream has begun, its last event
 * is `done` or `failed`. A client that disconnects leaves the round, which continues while others wait for
 * it.
 */
export function streamAggregations(
  app: FastifyInstance,
  context: RouteContext,
  aggregator: Aggregator,
  options: AggregationStreamOptions,
): void {
  const { config, store } = context
  const { maxConnections, heartbeat = 15_000, maxBuffered = 256 * 1024 } = options
  const open = new Set<EventStream>()
  let underway = 0
  const beat = setInterval(() => {
    for (const stream of open) stream.beat()
  }, heartbeat)
  beat.unref()
  app.addHook('preClose', async () => clearInterval(beat))

  const take = (): void => {
    if (underway >= maxConnections) {
      throw new HttpError(503, `all ${maxConnections} streams of signatures are taken`, {
        headers: { 'retry-after': '2' },
      })
    }
    underway += 1
  }

  const begin = async (
    network: ServedNetwork,
    plan: Plan,
    share: Share,
  ): Promise<AggregationEvent<'begun'>> => {
    const { sourceChainId, message, set, quorumPercentage, quorumPercentageBuffer } = plan
    const sources = await readSources(store.get().database, network, config.chains, [sourceChainId])
    return {
      message: messageFields(message, new Texts(network.config.prefix), sources),
      set: signerSetFields(set, (nodeId) => aggregator.isConnected(network, nodeId)),
      quorumPercentage,
      quorumPercentageBuffer,
      deadline: share.deadline,
    }
  }

  app.post(
    routePath(aggregationStreamPath),
    { config: { operation: 'aggregateSignaturesStream', isUncounted: true }, ...routeOfBody(requestBody) },
    async (request, reply) => {
      const { params, body } = readInput(aggregateSignatures, request)
      const network = findNetwork(config, params.network)
      take()
      const response = reply.raw
      let share: Share | undefined
      let stream: EventStream | undefined
      try {
        const plan = await aggregator.plan(network, body)
        share = aggregator.join(network, plan)
        const begun = await begin(network, plan, share)
        stream = new EventStream(request, reply, maxBuffered)
        open.add(stream)
        response.once('close', share.leave)
        if (response.destroyed) share.leave()
        send(stream, 'begun', begun)
        tellSigners(stream, plan, share)
        await finish(stream, plan, share, request.log)
        await ended(response, heartbeat)
      } finally {
        if (stream) open.delete(stream)
        if (share) {
          response.off('close', share.leave)
          share.leave()
        }
        underway -= 1
      }
      return reply
    },
  )
  // The operation list, which generates the 405 answers for other paths, does not include streams.
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
    url: routePath(aggregationStreamPath),
    handler: ({ method }) => {
      throw new HttpError(405, `${method} is not allowed here; allowed: POST`, { headers: { allow: 'POST' } })
    },
  })
}

/** Reports each finished signer, unless the client is behind: the last event contains all of them. */
function tellSigners(stream: EventStream, plan: Plan, share: Share): void {
  share.listen((result, signedWeight) => {
    const told: AggregationEvent<'signer'> = { ...resultFields(result), ...weights(plan, signedWeight) }
    stream.writeUnlessBehind(eventText('signer', told))
  })
}

/** Sends the result of the round as the last event. */
async function finish(stream: EventStream, plan: Plan, share: Share, log: FastifyBaseLogger): Promise<void> {
  try {
    const outcome = await share.outcome
    const signedMessage = hexText(signedMessageOf(outcome, plan))
    send(stream, 'done', {
      signedMessage,
      signers: [...outcome.signers],
      results: outcome.results.map(resultFields),
      isCached: share.isCached,
      ...weights(plan, outcome.signedWeight),
    })
  } catch (error) {
    send(stream, 'failed', failure(error, plan, log))
  }
}

function failure(error: unknown, plan: Plan, log: FastifyBaseLogger): AggregationEvent<'failed'> {
  if (!(error instanceof HttpError)) {
    log.error({ err: error }, 'a round of signatures failed')
    return errorAnswer(500, 'the service failed to collect signatures; its log has the reason')
  }
  if (error.status >= 500)
    log.warn({ err: error, cause: error.cause }, 'a round of signatures ended without them')
  return {
    ...errorAnswer(error.status, error.detail),
    ...(error instanceof QuorumUnreached && {
      results: error.outcome.results.map(resultFields),
      ...weights(plan, error.outcome.signedWeight),
    }),
  }
}

function send<Name extends AggregationEventName>(
  stream: EventStream,
  name: Name,
  data: AggregationEvent<Name>,
): void {
  stream.write(eventText(name, data))
}

/** Ends the answer, and disconnects a client that does not read it in time. */
async function ended(response: ServerResponse, within: number): Promise<void> {
  const cut = setTimeout(() => response.destroy(), within)
  await new Promise<void>((resolve) => {
    response.once('close', resolve)
    response.end(resolve)
    if (response.destroyed) resolve()
  })
  clearTimeout(cut)
}

const resultFields = ({ index, outcome, source, reason, milliseconds }: SignerResult) => ({
  index,
  outcome,
  ...(source !== undefined && { source }),
  ...(reason !== undefined && { reason }),
  milliseconds: Math.round(milliseconds),
})

const weights = ({ set, quorumPercentage }: Plan, signedWeight: bigint) => ({
  signedWeight: signedWeight.toString(),
  totalWeight: set.totalWeight.toString(),
  requiredWeight: requiredWeight(set.totalWeight, quorumPercentage).toString(),
})
