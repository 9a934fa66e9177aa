import websocket from '@fastify/websocket'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { localTokenProtocols } from '../../contract/base/local-token.ts'
import { nodeEndpoints } from '../../contract/node/node-methods.ts'
import type { Config } from '../kernel/settings/config.ts'
import { HttpError, OverloadError } from '../kernel/http-errors.ts'
import { clientOf, isForNode } from '../http/identity.ts'
import type { Access } from '../http/access.ts'
import type { OperatorCheck } from '../http/operator.ts'
import { closeSockets } from '../node/held-sockets.ts'
import { sendPassed, sendRefusal, sendText } from './answer.ts'
import { callsOf, idOfMessage, readMessage, type Message, type RefusedMessage } from './calls.ts'
import { Refusal, rpcCodes } from './errors.ts'
import { createPass, type Asker, type Pass } from './pass.ts'
import { admitMethod, logOperator } from './privileges.ts'
import { decode, noEndpoint, pathOf } from './requests.ts'
import { serveSockets } from './sockets.ts'
import { createTargets, type Target, type Targets } from './targets.ts'

/** Registers websockets for the whole app, before any route: a handshake may name any path. */
export async function acceptSockets(app: FastifyInstance, { gateway }: Config): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: gateway.sockets.messageBytes,
      perMessageDeflate: false,
      clientTracking: false,
      handleProtocols: agreeTo,
    },
    // Sessions are closed elsewhere, in their own order.
    preClose: (done) => done(),
  })
  // Without this, the plugin agrees to every handshake, and closes the socket at once where no route takes one.
  app.addHook('onRequest', async (request) => {
    if (request.ws && !request.is404 && !isForNode(request))
      throw new HttpError(400, 'this path takes no websockets: they are at /ext/bc/{chain}/ws')
  })
}

/** Accepts an offered subprotocol, but never the one that carries the token. */
function agreeTo(offered: ReadonlySet<string>): string | false {
  const { agreed, token } = localTokenProtocols
  if (offered.has(agreed)) return agreed
  return [...offered].find((name) => !name.startsWith(token)) ?? false
}

/**
 * `/ext/…`: JSON-RPC to the configured nodes by POST, health checks by GET, sockets at `…/ws` (docs/gateway.md). A
 * method that contract/node/node-methods.ts does not list, or that the operator has not opened, never reaches a node.
 */
export async function serveGateway(api: FastifyInstance, config: Config, access: Access): Promise<void> {
  await api.register(async (scope) => {
    const targets = createTargets(config)
    const pass = createPass(config.gateway, () => performance.now())
    scope.addHook('onClose', async () => pass.close())
    scope.setErrorHandler(tellFailure)
    takeJsonOnly(scope, config.gateway.bodyBytes)
    if (!config.gateway.enabled) {
      scope.addHook('preHandler', async () => {
        throw new Refusal(rpcCodes.methodNotFound, 'the gateway is off: gateway.enabled', { status: 404 })
      })
    }
    const preParsing = endSlowBody(config.gateway.deadlineSeconds)
    const check: OperatorCheck = (request) => access.denialOf(request, 'administration')
    // After the body was read, so that the answer has the id of the call.
    const rateLimit = { hook: 'preHandler' } as const
    const options = { compress: false as const, preParsing, config: { rateLimit } }
    scope.post('/ext/*', options, answerCalls(config, targets, pass, check))
    serveSockets(scope, { config, targets, pass, check, otherwise: answerHealth(targets, pass) })
  })
}

/** Keeps bodies as bytes: the framework's parser would lose duplicate keys and digits of large numbers. */
function takeJsonOnly(scope: FastifyInstance, bodyLimit: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit },
    (_request: FastifyRequest, body: Buffer, done: (error: Error | null, body: Buffer) => void) =>
      done(null, body),
  )
}

/** Closes a connection whose body is not complete by the deadline. */
function endSlowBody(seconds: number): (request: FastifyRequest) => Promise<void> {
  return async ({ raw }) => {
    const timer = setTimeout(() => raw.destroy(), seconds * 1_000)
    raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  }
}

/** Requests that a node with an open websocket does not answer (held-sockets.ts). */
const naming: ReadonlySet<string> = new Set(['admin.alias', 'admin.aliasChain'])

function answerCalls(
  config: Config,
  targets: Targets,
  pass: Pass,
  check: OperatorCheck,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    const target = targets.calls(pathOf(request))
    if (!target) throw noEndpoint(request)
    const message = readBody(request, target, config, check)
    if ('text' in message) return sendText(reply, message.status, message.text)
    const calls = callsOf(message)
    logOperator(request, calls)
    if (calls.some(({ method }) => naming.has(method.nodeName))) closeSockets(target.url)
    const [only] = message.isBatch ? [] : calls
    try {
      return sendPassed(reply, await pass.message(target, message, askerOf(request, reply)), only?.id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      logRefusal(request, target, error)
      return sendRefusal(reply, error, only?.id)
    }
  }
}

function readBody(
  request: FastifyRequest,
  target: Target,
  config: Config,
  check: OperatorCheck,
): Message | RefusedMessage {
  const text = decode(request.body)
  if (text === undefined) throw new Refusal(rpcCodes.parse, 'parse error')
  return readMessage(text, {
    endpoints: target.endpoints,
    takesBatches: target.endpoints.some((endpoint) => nodeEndpoints[endpoint].isBatchable),
    isSocket: false,
    config: config.gateway,
    admit: (method, name) => admitMethod(method, name, config.gateway, () => check(request)),
  })
}

function answerHealth(
  targets: Targets,
  pass: Pass,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    const target = targets.health(pathOf(request))
    if (!target) {
      if (!targets.calls(pathOf(request))) throw noEndpoint(request)
      throw new Refusal(rpcCodes.invalidRequest, 'POST method required, received GET', {
        status: 405,
        headers: { allow: 'POST' },
      })
    }
    // Tags select health checks; nodes ignore every other parameter of a query.
    const tags = new URL(request.url, 'http://gateway').searchParams.getAll('tag')
    const query = tags
      .map((tag, place) => `${place === 0 ? '?' : '&'}tag=${encodeURIComponent(tag)}`)
      .join('')
    return sendPassed(reply, await pass.health(target, query, askerOf(request, reply)), undefined)
  }
}

/** The id of the one call of a body; undefined for a batch, and while the body is not read. */
function idOfBody(body: unknown): string | undefined {
  const text = decode(body)
  return text === undefined ? undefined : idOfMessage(text)
}

/** Gives every failure below `/ext` the shape of a JSON-RPC error. */
function tellFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const id = idOfBody(request.body)
  if (error instanceof Refusal) {
    if (error.status >= 500) request.log.warn({ err: error, cause: error.cause }, 'call refused')
    return sendRefusal(reply, error, id)
  }
  if (error instanceof HttpError) {
    const options = { status: error.status, headers: error.headers }
    const code = error.status === 429 || error instanceof OverloadError ? rpcCodes.limit : rpcCodes.general
    return sendRefusal(reply, new Refusal(code, error.message, options), id)
  }
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) {
    return sendRefusal(reply, new Refusal(rpcCodes.invalidRequest, error.message, { status }), id)
  }
  request.log.error({ err: error }, 'call failed')
  const message = `the service failed to answer; its log has the reason under ${request.id}`
  return sendRefusal(reply, new Refusal(-32_603, message, { status: 500 }), id)
}

function logRefusal(request: FastifyRequest, { label }: Target, { status, message }: Refusal): void {
  if (status >= 500) request.log.warn({ endpoint: label, status, reason: message }, 'a call to a node failed')
}

/** The client that waits; its signal aborts when it disconnects before the answer is complete. */
function askerOf(request: FastifyRequest, reply: FastifyReply): Asker {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return { client: clientOf(request), gone: gone.signal }
}
