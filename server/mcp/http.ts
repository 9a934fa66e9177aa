import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isOwnHost, isSameHost } from '../http/operator.ts'
import { HttpError } from '../kernel/http-errors.ts'
import type { Config } from '../kernel/settings/config.ts'
import { Ask, type Send } from './tools/ask.ts'

const mcpPath = '/mcp'

/** Headers of the protocol, of the connection and of the body: they say nothing of who asks. */
const ownHeaders =
  /^(accept|accept-encoding|connection|content-encoding|content-length|content-type|expect|host|if-none-match|keep-alive|last-event-id|mcp-.*|range|te|trailer|transfer-encoding|upgrade)$/

type Options = {
  /** The app that answers the operations. */
  readonly app: FastifyInstance
  readonly config: Pick<Config, 'publicUrl' | 'gateway'>
  readonly version: string
}

/**
 * `/mcp`: the Model Context Protocol over streamable HTTP, without sessions. A tool's requests go through the service as if
 * its caller had sent them: from its address, with its headers, counted by the same limits (docs/assistants.md).
 */
export function serveMcp(api: FastifyInstance, { app, config, version }: Options): void {
  api.post(mcpPath, async (request, reply) => {
    requireOwnOrigin(request, config)
    // The protocol's code is loaded when it is first used: the service starts sooner without it.
    const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
      import('./server.ts'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    ])
    const server = createMcpServer({
      ask: new Ask(sendThrough(app, request)),
      origin: config.publicUrl ?? `${request.protocol}://${request.host}`,
      version,
      onDefect: (err, tool) => request.log.error({ err, tool }, 'a tool failed'),
    })
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      const answer = await transport.handleRequest(
        new Request(`http://localhost${mcpPath}`, { method: 'POST', headers: textHeaders(request) }),
        { parsedBody: request.body },
      )
      const text = await answer.text()
      void reply.code(answer.status).header('cache-control', 'no-store')
      const type = answer.headers.get('content-type')
      if (type !== null) void reply.type(type)
      return await reply.send(text === '' ? undefined : text)
    } finally {
      await server.close()
    }
  })
}

const textHeaders = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/**
 * Throws a 403 for a request of a web page, unless the page is the service's own: a page of another site, or one whose name
 * was made to resolve to this machine, must not ask with what the browser may reach.
 */
function requireOwnOrigin({ headers }: FastifyRequest, { publicUrl, gateway }: Options['config']): void {
  if (headers.origin === undefined) return
  const isOwn = headers.origin === publicUrl || (isOwnHost(headers, gateway.hosts) && isSameHost(headers))
  if (!isOwn) throw new HttpError(403, `${mcpPath} is not open to pages of other sites`)
}

/** Sends requests to the operations in the name of the sender of `request`. */
function sendThrough(app: FastifyInstance, { headers, socket }: FastifyRequest): Send {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.test(name)))
  return async ({ method, path, body }) => {
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...kept,
        ...(headers.host !== undefined && { host: headers.host }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(socket.remoteAddress !== undefined && { remoteAddress: socket.remoteAddress }),
      ...(body !== undefined && { payload: body }),
    })
    return { status: answer.statusCode, body: answer.body }
  }
}
