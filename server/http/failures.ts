import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/base/operation.ts'
import { errorAnswer, HttpError, OverloadError } from '../kernel/http-errors.ts'
import { databaseTrouble } from '../store/lost-connection.ts'

/** Answers a page of the dashboard; returns undefined for other paths. */
export type Page = (
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply> | undefined

/** Seconds after which a request may succeed that the database did not answer. */
const retryAfter = '2'

/** Returns the methods of a path; empty for an unknown path. */
export type MethodsOf = (path: string) => readonly string[]

/**
 * Gives every failure its error body (docs/api.md, Errors), and returns the methods of paths. Any error other than
 * an HttpError or a framework error about the request is a 500: the log has the cause, the caller gets the request's
 * id.
 */
export function handleFailures(
  app: FastifyInstance,
  operations: readonly Operation[],
  page: Page,
): MethodsOf {
  const allowed = collectMethods(app, operations)

  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })

  app.setErrorHandler((error: FastifyError, request, reply) => {
    void reply.type('application/json; charset=utf-8')
    if (error instanceof HttpError) {
      if (error.status >= 500 && !(error instanceof OverloadError))
        request.log.warn({ err: error, cause: error.cause }, 'request refused')
      return reply.code(error.status).headers(error.headers).send(errorAnswer(error.status, error.detail))
    }
    const status = error.statusCode ?? 500
    if (status === 415)
      return reply
        .code(status)
        .send(errorAnswer(status, 'the body must have the content type application/json'))
    if (status >= 400 && status < 500) return reply.code(status).send(errorAnswer(status, error.message))
    const reason = databaseTrouble(error)
    if (reason !== undefined) {
      request.log.warn({ err: error }, reason)
      return reply
        .code(503)
        .header('retry-after', retryAfter)
        .send(errorAnswer(503, `${reason}, try again later`))
    }
    request.log.error({ err: error }, 'request failed')
    return reply.code(500).send({
      ...errorAnswer(500, 'the service failed to answer; its log has the reason under this request ID'),
      requestId: request.id,
    })
  })

  /** Answers an unsupported method of a path; undefined for an unknown path. */
  const refuseMethod = (request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
    const methods = allowed(pathOf(request))
    if (methods.length === 0 || methods.includes(request.method)) return undefined
    return reply
      .code(405)
      .header('allow', methods.join(', '))
      .send(errorAnswer(405, `${request.method} is not allowed here; allowed: ${methods.join(', ')}`))
  }

  // Runs before the body is parsed: for a wrong method, the body does not matter.
  app.addHook('preParsing', async (request, reply) => {
    if (request.is404) await refuseMethod(request, reply)
  })

  app.setNotFoundHandler((request, reply) => {
    const answer = page(request, reply)
    if (answer) return answer
    const path = pathOf(request)
    return reply.code(404).send(errorAnswer(404, `${request.method} ${path.slice(0, 200)} does not exist`))
  })
  return allowed
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? ''

/** Returns the methods of a path: operations by their pattern, everything else by its exact path or what it is below. */
function collectMethods(app: FastifyInstance, operations: readonly Operation[]): MethodsOf {
  const exact = new Map<string, string[]>()
  app.addHook('onRoute', (route) => {
    exact.set(route.url, [...(exact.get(route.url) ?? []), ...[route.method].flat()])
  })
  const patterns = operations.map(({ path, method }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/:]+')}$`),
  }))
  return (path) => {
    const operation = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    const below = [...exact].filter(([url]) => /^\/.+\/\*$/.test(url) && path.startsWith(url.slice(0, -1)))
    const methods = new Set([...(exact.get(path) ?? []), ...below.flatMap(([, own]) => own), ...operation])
    // Every path with GET also has HEAD (RFC 9110, 9.3.2).
    return methods.has('GET') ? [...methods.add('HEAD')] : [...methods]
  }
}
