import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { Limits } from '../kernel/settings/config.ts'
import { HttpError } from '../kernel/http-errors.ts'
import { clientOf, type Caller } from './identity.ts'

const windowSeconds = 60

/**
 * Limits the requests a minute of an address, or of a key from any address. Every answer has the remaining requests
 * in the headers `ratelimit-policy`, `-limit`, `-remaining` and `-reset`; a refusal is a 429 with `retry-after`
 * (docs/api.md, Keys and limits).
 */
export async function limitRequests(app: FastifyInstance, limits: Limits): Promise<void> {
  const allowed = (caller: Caller): number =>
    caller.kind === 'key' ? caller.requestsPerMinute : limits.requestsPerMinute
  await app.register(rateLimit, {
    global: true,
    timeWindow: windowSeconds * 1000,
    enableDraftSpec: true,
    cache: 20_000,
    max: (request) => allowed(request.caller),
    keyGenerator: clientOf,
    errorResponseBuilder: (_request, context) =>
      new HttpError(429, `more than ${context.max} requests a minute; wait ${context.after}`),
  })
  app.addHook('onSend', async (request, reply) => {
    // A request may be refused before its caller is identified.
    if ((request.caller as Caller | undefined) === undefined) return
    void reply.header('ratelimit-policy', `${allowed(request.caller)};w=${windowSeconds}`)
  })
}
