import compress from '@fastify/compress'
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { constants } from 'node:zlib'
import { notIndexedHeader } from '../../contract/base/errors.ts'
import { contentPolicy } from '../../contract/content-policy.ts'
import { ofEveryAnswer } from '../../contract/document/statuses.ts'
import { HttpError } from '../kernel/http-errors.ts'
import { keyHeader } from './identity.ts'

const readable = new Set(['GET', 'HEAD'])

/**
 * Security headers, the check of Host, CORS and compression. `connect` lists the origins that the dashboard calls
 * besides its own, `senders` those whose pages may POST.
 */
export async function secure(
  app: FastifyInstance,
  connect: readonly string[],
  senders: readonly string[],
): Promise<void> {
  const headers = await helmetHeaders(connect)
  app.addHook('onRequest', async ({ raw }, reply) => {
    void reply.headers(headers)
    checkHost(raw)
  })
  // Every origin may read, and those of the setting may send, both without credentials; nothing else is allowed.
  const sending = new Set([...readable, 'POST'])
  await app.register(
    cors,
    () => (request: FastifyRequest, done: (error: Error | null, options: FastifyCorsOptions) => void) => {
      const asked = request.headers['access-control-request-method']
      const method = request.method === 'OPTIONS' ? String(asked) : request.method
      const { origin = '' } = request.headers
      const allowed = senders.includes(origin) ? sending : readable
      done(null, {
        origin: readable.has(method) ? '*' : allowed.has(method) ? origin : false,
        methods: [...allowed],
        allowedHeaders: [keyHeader, 'content-type'],
        // Pages of other origins may read them.
        exposedHeaders: [...ofEveryAnswer, 'retry-after', notIndexedHeader],
        maxAge: 600,
        strictPreflight: false,
      })
    },
  )
  await app.register(compress, {
    global: true,
    threshold: 1024,
    encodings: ['br', 'gzip', 'identity'],
    // Brotli's default quality costs 50 ms for a page of JSON; 4 is as small as gzip and as fast.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
}

/** A host name or an address with an optional port. Unlike RFC 3986, without a comma, which joins two values. */
const hostValue = /^(\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]*)(:\d*)?$/i

/**
 * Throws a 400 for a request with two Host headers, or with one that is not a single host (RFC 9112, section 3.2).
 * Node uses the first of two; a proxy in front may have used the other.
 */
function checkHost({ headers, rawHeaders }: IncomingMessage): void {
  const count = rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host').length
  if (count > 1) throw new HttpError(400, 'Host: the header is given twice')
  if (!hostValue.test(headers.host ?? '')) throw new HttpError(400, 'Host: not the name of a host')
}

/**
 * The headers of helmet. They are the same for every answer, but the plugin builds its middleware for each request,
 * which costs a tenth of a small answer: so they are computed once.
 */
async function helmetHeaders(connect: readonly string[]): Promise<Record<string, string>> {
  const probe = Fastify()
  await probe.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        ...contentPolicy(connect),
        'frame-ancestors': ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
  probe.get('/', (_request, reply) => reply.code(204).send())
  const { headers } = await probe.inject('/')
  await probe.close()
  const own = new Set(['date', 'connection', 'content-length', 'content-type'])
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (own.has(name) ? [] : [[name, String(value)]])),
  )
}
