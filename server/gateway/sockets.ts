import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Config } from '../kernel/settings/config.ts'
import { clientOf } from '../http/identity.ts'
import { isSameHost, type OperatorCheck } from '../http/operator.ts'
import { overloaded, Refusal, rpcCodes } from './errors.ts'
import type { Pass } from './pass.ts'
import { logOperator } from './privileges.ts'
import { noEndpoint, pathOf } from './requests.ts'
import { Session } from './session.ts'
import { createSubscriptions } from './subscriptions.ts'
import type { SocketTarget, Targets } from './targets.ts'

type SocketOptions = {
  readonly config: Config
  readonly targets: Targets
  readonly pass: Pass
  readonly check: OperatorCheck
  /** Answers a GET without a websocket handshake. */
  readonly otherwise: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  /** Milliseconds between pings; a socket that has not answered the last one is terminated. */
  readonly heartbeat?: number
}

/** The gateway's close codes, numbered after HTTP statuses. */
const notImplemented = 4501

/**
 * Websockets at `/ext/bc/C/ws` and `/ext/bc/<id>/ws` (docs/gateway.md, Paths): plain calls are handled like
 * POST, subscriptions are shared. An idle socket holds no connection to the node.
 */
export function serveSockets(scope: FastifyInstance, options: SocketOptions): void {
  const { config, targets, pass, check, otherwise, heartbeat = 30_000 } = options
  const limits = config.gateway.sockets
  const subscriptions = createSubscriptions(config.gateway.deadlineSeconds * 1_000)
  const sessions = new Set<Session>()
  const byAddress = new Map<string, number>()

  const beat = setInterval(() => {
    subscriptions.beat()
    for (const session of sessions) session.beat()
  }, heartbeat)
  beat.unref()
  scope.addHook('preClose', async () => {
    clearInterval(beat)
    for (const session of sessions) session.close(1001, 'the service stops')
    subscriptions.close()
  })

  /** Refusals happen before the handshake, so that the caller gets an HTTP status and a reason. */
  const admit = (request: FastifyRequest): SocketTarget => {
    if (!isSameHost(request.headers)) {
      throw new Refusal(rpcCodes.general, 'sockets are open to pages of this host only', { status: 403 })
    }
    const target = targets.sockets(pathOf(request))
    if (!target) throw noEndpoint(request)
    if (sessions.size >= limits.connections) throw overloaded(`all ${limits.connections} sockets are taken`)
    if ((byAddress.get(request.ip) ?? 0) >= limits.perClient) {
      throw overloaded(`${limits.perClient} sockets are open from this address`)
    }
    return target
  }

  const serve = (socket: WebSocket, target: SocketTarget, request: FastifyRequest): void => {
    if (target.url === undefined) {
      // An error after the close cannot be reported to anyone.
      socket.on('error', () => undefined)
      socket.close(notImplemented, 'not implemented: the chain has no wsUrl in the configuration')
      return
    }
    // Keeping the request itself would hold it in memory as long as the socket is open.
    const { caller, ip: address, log } = request
    const session = new Session(socket, {
      config: config.gateway,
      target: target.calls,
      socketUrl: target.url,
      pass,
      subscriptions,
      client: clientOf(request),
      denial: check(request),
      onCalls: (calls) => logOperator({ log, ip: address, caller }, calls),
      perMinute: caller.kind === 'key' ? caller.requestsPerMinute : config.limits.requestsPerMinute,
    })
    sessions.add(session)
    byAddress.set(address, (byAddress.get(address) ?? 0) + 1)
    socket.once('close', () => {
      sessions.delete(session)
      const left = (byAddress.get(address) ?? 1) - 1
      if (left > 0) byAddress.set(address, left)
      else byAddress.delete(address)
    })
  }

  scope.route({
    method: 'GET',
    url: '/ext/*',
    exposeHeadRoute: false,
    compress: false,
    preValidation: async (request) => {
      if (request.ws) admit(request)
    },
    handler: otherwise,
    wsHandler: (socket, request) => serve(socket, admit(request), request),
  })
}
